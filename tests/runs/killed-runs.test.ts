import type { DurableRunEvent, Runs } from '@croft/runs';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestDatabase } from '../store/test-database.ts';
import { openWithoutWorker, problemsOf, runKilledAt, startWorkerProcess, TEN_NODES } from './killed-runs.ts';
import { effectsFile, openTestRuns } from './open-test-runs.ts';
import { chainOf } from './test-components.ts';

let database: Awaited<ReturnType<typeof openTestDatabase>>;
let runs: Runs;

beforeAll(async () => {
  database = await openTestDatabase();
  runs = await openWithoutWorker(database.database.connection());
});

afterAll(async () => {
  await runs.close();
  await database.close();
});

/** `npm run kill:runs` kills at each point of each node. */
describe('a run whose worker is killed', () => {
  it('completes when the worker starts again, killed between an effect and its checkpoint', async () => {
    const killed = await runKilledAt(database.database.connection(), runs, 'after', 2);
    expect(problemsOf(killed, 'after', 2)).toEqual([]);
    const { entries } = await runs.timeline(killed.run.id, killed.run.userId);
    expect(entries.map(({ node, status }) => `${node} ${status}`)).toEqual(
      TEN_NODES.map((_, node) => `n${node} finished`),
    );
  });

  it('adds a text to a file once, killed between the addition and its checkpoint', async () => {
    const effects = effectsFile();
    const options = { database: database.database.connection(), effects: effects.path, name: 'appending' };
    const id = await runs.enqueue({ userId: 'appending', flow: chainOf(['Add', 'Add', 'Effect']) });
    const victim = startWorkerProcess({ ...options, killAt: 'after n1' });
    await victim.ended;
    const added = () => readFileSync(join(dirname(effects.path), 'added.txt'), 'utf8');
    expect([victim.child.signalCode, added()]).toEqual(['SIGKILL', 'n0\nn1\n']);
    const survivor = await openTestRuns(options.database, options.effects, { name: options.name });
    expect(await survivor.wait(id, 'appending')).toMatchObject({ status: 'completed', attempt: 2 });
    expect(added()).toBe('n0\nn1\n');
    await survivor.close();
    effects.remove();
  });

  it('completes on another worker, which repeats no completed effect', async () => {
    const connection = database.database.connection();
    const effects = effectsFile();
    const userId = 'two-workers';
    const id = await runs.enqueue({ userId, flow: chainOf(TEN_NODES) });
    const options = { database: connection, effects: effects.path };
    const victim = startWorkerProcess({ ...options, name: 'victim', hangAt: 'before n5' });
    await victim.said('at before n5');
    const other = await openTestRuns(connection, effects.path, { name: 'other' });
    // Events are stored in batches: a kill before the next batch would lose the last ones.
    const lastStarted = async () => (await runs.timeline(id, userId)).entries.at(-1)?.node;
    await expect.poll(lastStarted).toBe('n5');
    victim.child.kill('SIGKILL');
    await victim.ended;
    const run = await runs.wait(id, userId);
    const keys = effects.lines().map((line) => line.split(' ')[1] ?? '');
    expect(problemsOf({ run, keys, ms: 0 }, 'before', 5)).toEqual([]);
    const kinds: string[] = [];
    const ids: string[] = [];
    for await (const events of runs.events(id, userId))
      for (const event of events) {
        ids.push(event.id);
        const each = JSON.parse(event.data) as DurableRunEvent;
        kinds.push('node' in each ? `${each.kind} ${each.node}` : each.kind);
      }
    expect(ids).toEqual(ids.map((_, index) => `${id}.${index + 1}`));
    expect(kinds).toEqual([
      'run_started',
      ...[0, 1, 2, 3, 4].flatMap((node) => [`node_started n${node}`, `node_finished n${node}`]),
      'node_started n5',
      'run_resumed',
      ...[5, 6, 7, 8, 9].flatMap((node) => [`node_started n${node}`, `node_finished n${node}`]),
      'run_finished',
    ]);
    await other.close();
    effects.remove();
  });
});

it('two workers take runs of one queue, and each run happens once', async () => {
  const connection = database.database.connection();
  const effects = effectsFile();
  const users = Array.from({ length: 5 }, (_, user) => `queue-${user}`);
  const queued = await Promise.all(
    users.flatMap((userId) =>
      Array.from({ length: 4 }, async () => ({
        userId,
        id: await runs.enqueue({ userId, flow: chainOf(['Effect', 'Paid']) }),
      })),
    ),
  );
  const taken = new Set<string>();
  let open = () => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  // A worker that the machine delays must not count as dead.
  const deadAfterMs = 60_000;
  // Takes at most 16 of the 20, and holds them until the other worker has completed the rest.
  const here = await openTestRuns(connection, effects.path, {
    name: 'here',
    deadAfterMs,
    at: async (_, __, run) => {
      taken.add(run.runId);
      await opened;
    },
  });
  await expect.poll(() => taken.size).toBeGreaterThan(0);
  const there = startWorkerProcess({ database: connection, effects: effects.path, name: 'there', deadAfterMs });
  const keys = () => effects.lines().map((line) => line.split(' ')[1] ?? '');
  const completed = () => queued.filter(({ id }) => keys().filter((key) => key.startsWith(id)).length === 2);
  await expect.poll(() => completed().length + taken.size).toBe(queued.length);
  expect(completed().length).toBeGreaterThan(0);
  open();
  for (const { id, userId } of queued)
    expect(await runs.wait(id, userId)).toMatchObject({ status: 'completed', attempt: 1 });
  const expected = queued.flatMap(({ id }) => [`${id}/n0/`, `${id}/n1/`]);
  expect(keys().sort()).toEqual(expected.sort());
  await Promise.all([there.stop(), here.close()]);
  effects.remove();
});
