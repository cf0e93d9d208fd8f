import type pg from 'pg';
import { expect, it } from 'vitest';
import { type TestRuns, useRunStore } from '../../../tests/runs/use-run-store.ts';
import { ActiveAttempt } from './active-attempt.ts';
import { announceWorker, startReaper, stopLost } from './reaper.ts';
import { RunStore } from './run-store.ts';
import { createSealer } from './sealer.ts';

let runs: TestRuns;
useRunStore((opened) => void (runs = opened));

it('does not stop an attempt that starts while the heartbeat reads the state of the others', async () => {
  const takenOver = new ActiveAttempt({ runId: 'a', attempt: 1 });
  const late = new ActiveAttempt({ runId: 'b', attempt: 1 });
  const active = new Map([['a', takenOver]]);
  const query = (_: string, [ids]: readonly [readonly string[]]) => {
    const rows = ids.map((id) => ({ id, attempt: 2, executor: 'other', cancelled: false }));
    active.set('b', late);
    return Promise.resolve({ rows });
  };
  const sealer = createSealer([{ id: 'k1', key: Buffer.alloc(32, 7) }]);
  await stopLost({ store: new RunStore({ query } as unknown as pg.Pool, sealer, ''), executor: 'here', active });
  expect([takenOver.reason, late.reason]).toEqual(['lost', undefined]);
});

const attemptOf = (runId: string) => [runId, new ActiveAttempt({ runId, attempt: 1 })] as const;

it('stops attempts that were taken over, deleted or cancelled, and asks nothing without attempts', async () => {
  const active = new Map(['same', 'cancelled', 'other', 'next', 'deleted'].map(attemptOf));
  const row = { attempt: 1, executor: 'here', cancelled: false };
  const rows = [
    { ...row, id: 'same' },
    { ...row, id: 'cancelled', cancelled: true },
    { ...row, id: 'other', executor: 'there', cancelled: true },
    { ...row, id: 'next', attempt: 2, cancelled: true },
  ];
  const asked: unknown[] = [];
  const store = { pool: { query: async (...query: unknown[]) => (asked.push(query), { rows }) } } as never;
  await stopLost({ store, executor: 'here', active });
  expect([...active].map(([id, { reason }]) => `${id} ${reason}`)).toEqual([
    'same undefined',
    'cancelled cancelled',
    'other undefined',
    'next lost',
    'deleted lost',
  ]);
  expect(asked).toMatchObject([[expect.stringMatching(/^SELECT id, attempt, executor/), [[...active.keys()]]]]);
  await stopLost({ store, executor: 'here', active: new Map() });
  expect(asked).toHaveLength(1);
});

it('ends the earlier processes of its name, and then announces itself', async () => {
  const asked: [string, unknown[]][] = [];
  await announceWorker(
    { query: async (text: string, values: unknown[]) => asked.push([text, values]) } as never,
    'id',
    'worker',
  );
  expect(asked.map(([text, values]) => [text.split(' ').slice(0, 2).join(' '), values])).toEqual([
    ['DELETE FROM', ['worker', 'id']],
    ['INSERT INTO', ['id', 'worker']],
  ]);
});

it('forgets workers that were killed a day ago, unless a run still names them', async () => {
  const { pool } = runs.store;
  await runs.add('re-1');
  await runs.store.claim({ runId: 're-1', attempt: 1 }, 're-busy');
  await pool.query(
    `INSERT INTO croft_runs.executor (id, name, beat_at) SELECT id, id, now() - age FROM (VALUES
       ('re-old', interval '25 hours'), ('re-busy', interval '25 hours'), ('re-recent', interval '23 hours')) AS known (id, age)`,
  );
  await announceWorker(pool, 're-new', 're-new');
  const { rows } = await pool.query<{ id: string }>(
    "DELETE FROM croft_runs.executor WHERE id LIKE 're-%' RETURNING id",
  );
  expect(rows.map(({ id }) => id).sort()).toEqual(['re-busy', 're-new', 're-recent']);
});

interface Lost {
  readonly runId: string;
  readonly attempt: number;
  readonly userId: string;
  readonly takeovers: number;
  readonly cancelled: boolean;
}

/** Throws for a statement with fewer or more values than parameters, as PostgreSQL does. */
function requireValues(text: string, values: readonly unknown[]): void {
  const parameters = Math.max(0, ...Array.from(text.matchAll(/\$(\d+)/g), ([, number]) => Number(number)));
  if (parameters !== values.length) throw new Error(`${values.length} values for ${parameters} parameters`);
}

/** One round of a reaper whose database has these runs of dead workers and these answered runs. */
async function oneRound(
  lost: readonly Lost[],
  parts: { active?: string[]; answered?: string[]; fails?: boolean } = {},
) {
  const calls: unknown[] = [];
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const pool = {
    async query(text: string, values: unknown[] = []) {
      try {
        requireValues(text, values);
        if (text.startsWith('INSERT') && parts.fails === true) throw new Error('down');
      } catch (error) {
        end();
        throw error;
      }
      if (text.startsWith('DELETE')) calls.push(['removed', ...values]);
      if (/SELECT id FROM \S+run r WHERE status = 'waiting'/.test(text))
        return { rows: (parts.answered ?? []).map((id) => ({ id })) };
      if (!text.endsWith('LIMIT 1')) return { rows: [] };
      if (text.includes("r.status = 'queued'")) end();
      return { rowCount: text.includes('NOT IN') && text.includes("'running'") ? lost.length : 0 };
    },
  };
  const client = {
    async query(text: string, values: unknown[]) {
      requireValues(text, values);
      if (text.startsWith('SELECT r.id')) return { rows: lost };
      calls.push([/SET status = '?(\w+|\$2)/.exec(text)?.[1] ?? text, ...values]);
      return { rows: [] };
    },
  };
  const store = {
    pool,
    group: 'g',
    transaction: (work: (each: unknown) => unknown) => work(client),
    sealFailure: ({ message }: { message: string }) => message,
    continueRun: async (_: unknown, id: string, from: string) => calls.push(['continued', id, from]),
  };
  const engine = {
    look: () => calls.push('looked'),
    cancel: async (given: Lost[]) => calls.push(['stopped', ...given.map(({ runId }) => runId)]),
    enqueue: async (_: unknown, attempt: object, ...more: unknown[]) => calls.push(['enqueued', attempt, ...more]),
  };
  const active = new Map((parts.active ?? []).map(attemptOf));
  const log = (line: string) => calls.push(line);
  const options = { store, engine, executor: 'here', name: 'w', beatMs: 1_000_000, deadAfterMs: 9, active, log };
  const reaper = startReaper(options as never);
  await ended;
  await reaper.stop();
  return calls;
}
const run = { runId: 'a', attempt: 3, userId: 'ada', takeovers: 9, cancelled: false };

it('queues the next attempt of runs whose worker is dead, except those of this process', async () => {
  expect(await oneRound([run, { ...run, runId: 'own' }], { active: ['own'], answered: ['q'] })).toEqual([
    'looked',
    ['stopped', 'a'],
    ['queued', 'a'],
    ['enqueued', { runId: 'a', attempt: 4 }, 'ada', 'g'],
    'Continuing 1 runs of a worker that ended.',
    ['continued', 'q', 'waiting'],
    ['removed', 'here'],
  ]);
});

it('ends runs that were cancelled, or interrupted ten times', async () => {
  const failure = 'The run was interrupted 10 times. Check its nodes for what uses up memory.';
  const calls = await oneRound([
    { ...run, takeovers: 10 },
    { ...run, runId: 'b', cancelled: true },
  ]);
  expect(calls.slice(1, 6)).toEqual([
    ['stopped', 'a', 'b'],
    ['$2', 'a', 'failed', failure],
    ['SELECT pg_notify($1, $2)', expect.any(String), 'a'],
    ['$2', 'b', 'cancelled', failure],
    ['SELECT pg_notify($1, $2)', expect.any(String), 'b'],
  ]);
});

it('takes over nothing where this process runs all of them, and goes on after a failure', async () => {
  expect(await oneRound([run], { active: ['a'] })).toEqual(['looked', ['removed', 'here']]);
  expect(await oneRound([], { fails: true })).toEqual([
    'The state of runs could not be checked: down',
    ['removed', 'here'],
  ]);
});
