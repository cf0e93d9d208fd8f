import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { testSealer } from '../../../tests/runs/open-test-runs.ts';
import { useSharedDatabase } from '../../../tests/store/use-shared-database.ts';
import { type Attempt, type Engine, QUEUED_CHANNEL, type RunStep, startEngine } from './engine.ts';
import { createTables } from './tables.ts';

const GROUP = 'engine-test';
let pool: pg.Pool;
let engine: Engine;
const lines: string[] = [];
/** The work of attempts by their runs. */
const work = new Map<string, (step: RunStep, attempt: Attempt) => Promise<void>>();
const begun: Attempt[] = [];
const options = {
  executor: 'engine-test#1',
  group: GROUP,
  maxRuns: 4,
  maxRunsPerUser: 1,
  pollMs: 30,
  async execute(attempt: Attempt, step: RunStep) {
    begun.push(attempt);
    await work.get(attempt.runId)?.(step, attempt);
  },
};

useSharedDatabase(async (database) => {
  pool = database.pool;
  await createTables(pool);
  engine = await startEngine(pool, testSealer, (line) => lines.push(line), options);
});
afterAll(() => engine.close(1_000));

async function enqueue(attempt: Attempt, { user = 'en-ann', group = GROUP, commits = true } = {}) {
  const client = await pool.connect();
  await client.query('BEGIN');
  await engine.enqueue(client, attempt, user, group);
  await client.query(commits ? 'COMMIT' : 'ROLLBACK');
  client.release();
}
const isBegun = (runId: string) => begun.some((each) => each.runId === runId);
const until = (condition: () => boolean) => vi.waitFor(() => expect(condition()).toBe(true));

describe('an attempt', () => {
  it('runs, and keeps the results of its steps encrypted', async () => {
    work.set('en-1', async (step) => {
      await step('first', async () => ({ secret: 'canary' }));
      await step('second', async () => undefined);
    });
    await enqueue({ runId: 'en-1', attempt: 2 });
    engine.look();
    await until(() => isBegun('en-1'));
    await vi.waitFor(async () => expect((await engine.steps({ runId: 'en-1', attempt: 2 })).size).toBe(2));
    expect(begun.filter(({ runId }) => runId === 'en-1')).toEqual([{ runId: 'en-1', attempt: 2 }]);
    expect(Object.fromEntries(await engine.steps({ runId: 'en-1', attempt: 2 }))).toEqual({
      first: { secret: 'canary' },
      second: null,
    });
    expect((await engine.steps({ runId: 'en-1', attempt: 1 })).size).toBe(0);
    const { rows } = await pool.query('SELECT * FROM dbos.operation_outputs').catch(() => ({ rows: [] }));
    expect(JSON.stringify(rows)).not.toContain('canary');
    await engine.remove([{ runId: 'en-1', attempt: 2 }]);
    expect((await engine.steps({ runId: 'en-1', attempt: 2 })).size).toBe(0);
  });

  it('is announced to workers of its group when it is stored, and not before', async () => {
    const client = await pool.connect();
    const heard: (string | undefined)[] = [];
    client.on('notification', ({ payload }) => heard.push(payload));
    await client.query(`LISTEN ${QUEUED_CHANNEL}`);
    await enqueue({ runId: 'en-2', attempt: 1 }, { group: 'other', commits: false });
    await enqueue({ runId: 'en-3', attempt: 1 }, { group: 'other' });
    await client.query('SELECT 1');
    await vi.waitFor(() => expect(heard).toEqual(['other']));
    await client.query(`UNLISTEN ${QUEUED_CHANNEL}`);
    client.removeAllListeners('notification');
    client.release();
  });

  it('of another group, or that is cancelled, does not run', async () => {
    let release = () => {};
    work.set('en-4', () => new Promise((resolve) => (release = resolve)));
    await enqueue({ runId: 'en-4', attempt: 1 });
    engine.look();
    await until(() => isBegun('en-4'));
    // The user has one run at a time.
    await enqueue({ runId: 'en-5', attempt: 1 });
    await enqueue({ runId: 'en-6', attempt: 1 });
    await enqueue({ runId: 'en-7', attempt: 1 }, { user: 'en-bob' });
    await until(() => isBegun('en-7'));
    await engine.cancel([{ runId: 'en-5', attempt: 1 }]);
    release();
    await until(() => isBegun('en-6'));
    expect([isBegun('en-2'), isBegun('en-3'), isBegun('en-5')]).toEqual([false, false, false]);
  });
});

it('a process has one worker', async () => {
  await expect(startEngine(pool, testSealer, () => {}, options)).rejects.toMatchObject({
    code: 'second_worker',
    message: 'This process runs a worker already: one process has one worker.',
  });
  expect(lines).toEqual([]);
});

describe('an engine without a worker', () => {
  let other: Engine;
  beforeAll(async () => {
    other = await startEngine(pool, testSealer, () => {});
  });

  it('queues attempts for the others, and closes without them', async () => {
    const client = await pool.connect();
    await other.enqueue(client, { runId: 'en-8', attempt: 1 }, 'en-cid', GROUP);
    client.release();
    other.look();
    engine.look();
    await until(() => isBegun('en-8'));
    await other.close(0);
    await enqueue({ runId: 'en-9', attempt: 1 }, { user: 'en-dan' });
    engine.look();
    await until(() => isBegun('en-9'));
  });
});
