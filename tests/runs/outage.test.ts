import { readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Runs } from '@croft/runs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../apps/server/src/store/database.ts';
import { openTestDatabase } from '../store/test-database.ts';
import { openWithoutWorker, startWorkerProcess } from './killed-runs.ts';
import { effectsFile, openTestRuns } from './open-test-runs.ts';
import { chainOf } from './test-components.ts';

const AWAY_MS = 1_500;
const PATIENT = { timeout: 60_000 };

let baseDir: string;
let database: Database;

beforeAll(async () => {
  ({ baseDir, database } = await openTestDatabase());
});

afterAll(async () => {
  await database.close();
  rmSync(baseDir, { recursive: true, force: true });
});

/** Stops PostgreSQL; the function that it returns starts it again. */
async function stopDatabase(): Promise<() => Promise<void>> {
  await database.close();
  return async () => {
    database = openDatabase({ baseDir });
    await database.ready;
  };
}

/** The status of a run, with the reason where it failed; undefined while the database is away. */
async function statusOf(runs: Runs, id: string, userId: string): Promise<string | undefined> {
  const run = await runs.get(id, userId).catch(() => undefined);
  return run?.failure ? `${run.status}: ${run.failure.message}` : run?.status;
}

describe('a run during which the database is stopped and started', () => {
  /** A pure node, a reported step, an addition to a file, and a step that runs again silently. */
  const types = ['Gate', 'Paid', 'Add', 'Effect'];
  it.each([
    ['before a step is announced', 'before n0'],
    ['inside of a step that is announced', 'before n1'],
    ['between an effect and its checkpoint', 'after n1'],
    ['before an addition to a file is noted', 'before n2'],
    ['between the addition and its checkpoint', 'after n2'],
    ['before the result is stored', 'before end'],
  ])(
    'completes with each effect once: %s',
    async (_, place) => {
      const effects = effectsFile();
      const userId = `away-${place}`;
      const restarts: Promise<void>[] = [];
      const runs = await openTestRuns(database.connection(), effects.path, {
        async at(point, node) {
          if (`${point} ${node}` !== place || restarts.length > 0) return;
          const start = await stopDatabase();
          restarts.push(sleep(AWAY_MS).then(start));
        },
      });
      const id = await runs.enqueue({ userId, flow: chainOf(types) });
      await expect.poll(() => restarts.length, PATIENT).toBe(1);
      await restarts[0];
      await expect.poll(() => statusOf(runs, id, userId), PATIENT).toBe('completed');
      expect(effects.lines().map((line) => line.split(' ')[1])).toEqual([`${id}/n1/`, `${id}/n3/`]);
      expect(readFileSync(join(dirname(effects.path), 'added.txt'), 'utf8')).toBe('n2\n');
      const { entries } = await runs.timeline(id, userId);
      expect(entries.map(({ node, status, starts }) => `${node} ${status} ${starts}`)).toEqual(
        types.map((_each, node) => `n${node} finished 1`),
      );
      await runs.close();
      effects.remove();
    },
    120_000,
  );
});

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
  const start = await stopDatabase();
  victim.child.kill('SIGKILL');
  await victim.ended;
  await start();
  await expect.poll(() => statusOf(other, id, userId), PATIENT).toBe('completed');
  expect(effects.lines().map((line) => line.split(' ')[1])).toEqual([`${id}/n0/`, `${id}/n2/`, `${id}/n3/`]);
  expect(readFileSync(join(dirname(effects.path), 'added.txt'), 'utf8')).toBe('n1\n');
  await other.close();
  effects.remove();
}, 120_000);
