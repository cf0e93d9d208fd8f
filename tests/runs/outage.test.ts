import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openWithoutWorker, startWorkerProcess } from './killed-runs.ts';
import { effectsFile, openTestRuns } from './open-test-runs.ts';
import { openStoppable, OUTAGES, problemsOfOutage, type StoppableDatabase, statusOf } from './outages.ts';
import { chainOf } from './test-components.ts';

const PATIENT = { timeout: 60_000 };
let database: StoppableDatabase;

beforeAll(async () => {
  database = await openStoppable();
});

afterAll(() => database.close());

/** `npm run kill:runs` stops the database at all places. */
const HERE = new Set(['before n0', 'before n2', 'after n2']);
it.each(OUTAGES.filter(([, place]) => HERE.has(place)))(
  'a run during which the database is stopped and started completes with each effect once: %s',
  async (_, place) => {
    expect(await problemsOfOutage(database, place)).toEqual([]);
  },
);

it('a run whose worker is killed while the database is stopped continues on another worker', async () => {
  const effects = effectsFile();
  const userId = 'both-gone';
  const queue = await openWithoutWorker(database.connection());
  const id = await queue.enqueue({ userId, flow: chainOf(['Paid', 'Add', 'Effect', 'Paid']) });
  await queue.close();
  const options = { database: database.connection(), effects: effects.path };
  const victim = startWorkerProcess({ ...options, name: 'victim', hangAt: 'before n2' });
  await victim.said('at before n2');
  const other = await openTestRuns(options.database, options.effects, { name: 'other' });
  const start = await database.stop();
  victim.child.kill('SIGKILL');
  await victim.ended;
  await start();
  await expect.poll(() => statusOf(other, id, userId), PATIENT).toBe('completed');
  expect(effects.lines().map((line) => line.split(' ')[1])).toEqual([`${id}/n0/`, `${id}/n2/`, `${id}/n3/`]);
  expect(readFileSync(join(dirname(effects.path), 'added.txt'), 'utf8')).toBe('n1\n');
  await other.close();
  effects.remove();
});
