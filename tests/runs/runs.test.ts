import type { LoggedEvent } from '@croft/event-log';
import { createSealer, type DurableRunEvent, openRuns, type RunContext, type Runs, type Schedule } from '@croft/runs';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startDueRuns } from '../../packages/runs/src/triggers/scheduler.ts';
import { ScheduleStore } from '../../packages/runs/src/triggers/schedules.ts';
import { openTestDatabase, postmasterPid } from '../store/test-database.ts';
import { effectsFile, openTestRuns, testSealer } from './open-test-runs.ts';
import { chainOf, testFlow } from './test-components.ts';

let database: Awaited<ReturnType<typeof openTestDatabase>>;
let effects: ReturnType<typeof effectsFile>;
let runs: Runs;
let at: (point: 'before' | 'after', node: string, run: RunContext) => void | Promise<void> = () => {};

const open = async () => {
  runs = await openTestRuns(database.database.connection(), effects.path, {
    maxRunsPerUser: 3,
    at: (point, node, run) => at(point, node, run),
  });
};

beforeAll(async () => {
  database = await openTestDatabase();
  effects = effectsFile();
  await open();
});

afterEach(() => {
  at = () => {};
});

afterAll(async () => {
  await runs.close();
  effects.remove();
  await database.close();
});

const userId = 'ada';
const eventOf = ({ data }: LoggedEvent) => JSON.parse(data) as DurableRunEvent;
const effectsOf = (runId: string) => effects.lines().filter((line) => line.includes(runId));
const query = async (sql: string, values: unknown[] = []) => (await database.database.pool.query(sql, values)).rows;

async function eventsOf(runId: string, after?: string): Promise<LoggedEvent[]> {
  const found: LoggedEvent[] = [];
  for await (const events of runs.events(runId, userId, { after })) found.push(...events);
  return found;
}

/** Holds a node at a point until its run is stopped; the promise resolves when the node is there. */
function holdAt(place: string): Promise<void> {
  return new Promise((arrived) => {
    at = (point, node, run) => {
      if (`${point} ${node}` !== place) return;
      arrived();
      return new Promise((_, reject) => run.signal.addEventListener('abort', () => reject(new Error('aborted'))));
    };
  });
}

describe('a durable run', () => {
  it('shows its end to readers when it has ended', async () => {
    let release = () => {};
    const arrived = new Promise<void>((arrive) => {
      at = (_, node) => {
        if (node !== 'end') return;
        arrive();
        return new Promise((resolve) => (release = resolve));
      };
    });
    const id = await runs.enqueue({ userId, flow: chainOf(['Pure']) });
    await arrived;
    const seen: [string, string][] = [];
    const reading = (async () => {
      for await (const events of runs.events(id, userId)) {
        const { status } = await runs.get(id, userId);
        seen.push(...events.map((event): [string, string] => [eventOf(event).kind, status]));
      }
    })();
    await expect.poll(() => seen.map(([kind]) => kind)).toContain('node_finished');
    release();
    await reading;
    expect(seen.at(-1)).toEqual(['run_finished', 'completed']);
    expect(seen.map(([, status]) => status).filter((status) => status !== 'running')).toEqual(['completed']);
  });

  it('takes a queued flow, runs its nodes and keeps result, timeline and events', async () => {
    const id = await runs.enqueue({ userId, flow: chainOf(['Pure', 'Effect', 'Pure']), flowId: 'f1' });
    const run = await runs.wait(id, userId);
    expect(run).toMatchObject({ status: 'completed', attempt: 1, flowName: 'Test flow', flowId: 'f1' });
    expect(run.result).toEqual({ text: 'n0>n1>n2', outputs: { n2: { out: 'n0>n1>n2' } } });
    expect(effectsOf(id)).toEqual([`n1 ${id}/n1/`]);
    const { entries } = await runs.timeline(id, userId);
    expect(entries.map(({ node, status, starts }) => [node, status, starts])).toEqual(
      ['n0', 'n1', 'n2'].map((node) => [node, 'finished', 1]),
    );
    const events = await eventsOf(id);
    expect(events.map((event) => event.id)).toEqual(events.map((_, index) => `${id}.${index + 1}`));
    expect(events.map((event) => eventOf(event).kind)).toEqual([
      'run_started',
      ...['n0', 'n1', 'n2'].flatMap(() => ['node_started', 'node_finished']),
      'run_finished',
    ]);
    expect(await eventsOf(id, events[3]?.id)).toEqual(events.slice(4));
    expect(await runs.events(id, userId, { after: `${id}.99` }).next()).toEqual({ done: true, value: 'gone' });
  });

  it('fails with the node and message of a component that fails', async () => {
    const id = await runs.enqueue({ userId, flow: chainOf(['Pure', 'Fail']) });
    const run = await runs.wait(id, userId);
    expect(run).toMatchObject({ status: 'failed', failure: { node: 'n1', message: 'the disk is full: n0' } });
  });

  it('runs a node again in each attempt when its outputs are functions, and folds tokens into few events', async () => {
    const flow = testFlow({ h: 'Handle', w: 'Words', p: 'Pure' }, ['h>p', 'w>p']);
    const id = await runs.enqueue({ userId, flow });
    expect((await runs.wait(id, userId)).metrics).toMatchObject({ input_tokens: 3, output_tokens: 200 });
    const tokens = (await eventsOf(id)).map(eventOf).filter((event) => event.kind === 'token');
    expect(tokens.map((event) => event.text).join('')).toBe(Array.from({ length: 200 }, (_, n) => `${n} `).join(''));
    expect(tokens.length).toBeLessThan(50);
  });

  it('is one run for each trigger key, and the key of another user is refused', async () => {
    const request = { userId, flow: chainOf(['Pure']), triggerKey: 'hook:1' };
    const [first, second] = await Promise.all([runs.enqueue(request), runs.enqueue(request)]);
    expect(second).toBe(first);
    await expect(runs.enqueue({ ...request, userId: 'eve' })).rejects.toMatchObject({ code: 'invalid_request' });
  });

  it('is taken by a worker of its group only', async () => {
    const others = await openRuns({ database: database.database.connection(), sealer: testSealer, group: 'b' });
    const theirs = await others.enqueue({ userId, flow: chainOf(['Pure']) });
    const own = await runs.enqueue({ userId, flow: chainOf(['Pure']) });
    await runs.wait(own, userId);
    expect((await runs.get(theirs, userId)).status).toBe('queued');
    await others.cancel(theirs, userId);
    await others.close();
  });

  it('does not exist for another user', async () => {
    const id = await runs.enqueue({ userId, flow: chainOf(['Pure']) });
    const refused = { code: 'unknown_run' };
    await expect(runs.get(id, 'eve')).rejects.toMatchObject(refused);
    await expect(runs.timeline(id, 'eve')).rejects.toMatchObject(refused);
    await expect(runs.events(id, 'eve').next()).rejects.toMatchObject(refused);
    await expect(runs.cancel(id, 'eve')).rejects.toMatchObject(refused);
    await expect(runs.answer(id, 'eve', 'k', { choice: 'a', comment: '', by: 'eve' })).rejects.toMatchObject(refused);
    await expect(runs.decide(id, 'eve', 'k', 'skip')).rejects.toMatchObject(refused);
  });
});

describe('the history of runs', () => {
  it('has pages that neither skip nor repeat a run', async () => {
    const ids = [];
    for (let n = 0; n < 5; n++) ids.push(await runs.enqueue({ userId: 'pages', flow: chainOf(['Pure']) }));
    const found: string[] = [];
    for (let after: string | undefined; ; ) {
      const page = await runs.list({ userId: 'pages', limit: 2, ...(after !== undefined && { after }) });
      found.push(...page.runs.map(({ id }) => id));
      after = page.next;
      if (after === undefined) break;
    }
    expect(found).toEqual(ids.toReversed());
    await expect(runs.list({ userId, after: 'x' })).rejects.toMatchObject({ code: 'invalid_request' });
    for (const id of ids) await runs.wait(id, 'pages');
  });

  it('is removed with the rows of the engine', async () => {
    const old = await runs.enqueue({ userId, flow: chainOf(['Effect', 'Paid']) });
    await runs.wait(old, userId);
    const isStored = async () =>
      query(
        `SELECT FROM croft_dbos.workflow_status WHERE workflow_uuid LIKE $1 || '.%'
       UNION ALL SELECT FROM croft_dbos.operation_outputs WHERE workflow_uuid LIKE $1 || '.%'
       UNION ALL SELECT FROM croft_runs.event WHERE run_id = $1 UNION ALL SELECT FROM croft_runs.intent WHERE run_id = $1`,
        [old],
      );
    expect((await isStored()).length).toBeGreaterThan(3);
    expect(await runs.prune(new Date(Date.now() - 86_400_000))).toBe(0);
    expect(await runs.prune(new Date(Date.now() + 60_000))).toBeGreaterThan(0);
    expect(await isStored()).toEqual([]);
    await expect(runs.get(old, userId)).rejects.toMatchObject({ code: 'unknown_run' });
  });

  it('removes the oldest runs of a user who stores too much, and counts those that wait', async () => {
    const [heavy, light] = ['heavy', 'light'];
    const large = { n0: { in: 'x'.repeat(100_000) } };
    const add = async (user: string, inputs: typeof large) => {
      const id = await runs.enqueue({ userId: user, flow: chainOf(['Pure', 'Effect']), inputs });
      await runs.wait(id, user);
      return id;
    };
    const ids: string[] = [];
    for (let count = 0; count < 3; count++) ids.push(await add(heavy, large));
    const other = await add(light, large);
    await runs.prune(new Date(0), 1e9);
    const [{ bytes }] = (await query(`SELECT max(bytes)::int AS bytes FROM croft_runs.run WHERE user_id = $1`, [
      heavy,
    ])) as [{ bytes: number }];
    expect(bytes).toBeGreaterThan(1_000);
    await runs.prune(new Date(0), Math.ceil(bytes * 2.5));
    const left = async (user: string) => (await runs.list({ userId: user })).runs.map(({ id }) => id);
    expect(await left(heavy)).toEqual([ids[2], ids[1]]);
    await runs.prune(new Date(0), 1);
    expect([await left(heavy), await left(light)]).toEqual([[ids[2]], [other]]);
    expect(
      await query(`SELECT FROM croft_dbos.operation_outputs WHERE workflow_uuid LIKE $1 || '.%'`, [ids[0]]),
    ).toEqual([]);
  });

  it('has no value of a run in plain text in the database', async () => {
    const canary = 'canary-5d1f';
    const failed = await runs.enqueue({ userId, flow: chainOf(['Fail']), inputs: { n0: { in: canary } } });
    expect((await runs.wait(failed, userId)).failure?.message).toContain(canary);
    const flow = {
      ...chainOf(['Pure', 'Effect']),
      nodes: chainOf(['Pure', 'Effect']).nodes.map((node) => ({ ...node, values: { canary } })),
    };
    const id = await runs.enqueue({ userId, flow, inputs: { n0: { in: canary } } });
    await runs.wait(id, userId);
    expect((await runs.get(id, userId)).result?.text).toContain(canary);
    const tables = await query(`SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.tables
      WHERE table_schema IN ('croft_runs', 'croft_dbos')`);
    expect(tables.length).toBeGreaterThan(10);
    for (const { name } of tables)
      expect([name, await query(`SELECT FROM ${name} t WHERE t::text LIKE '%canary%'`)]).toEqual([name, []]);
  });
});

describe('a queue of runs', () => {
  it('starts the run of another user while a user waits in it, and keeps the limit of each user', async () => {
    const flow = chainOf(['Slow']);
    const mine: string[] = [];
    for (let n = 0; n < 12; n++) mine.push(await runs.enqueue({ userId: 'many', flow }));
    const other = await runs.enqueue({ userId: 'other', flow: chainOf(['Pure']) });
    expect((await runs.wait(other, 'other')).status).toBe('completed');
    const started = await runs.list({ userId: 'many', status: 'running' });
    const queued = await runs.list({ userId: 'many', status: 'queued' });
    expect(started.runs.length).toBeLessThanOrEqual(3);
    expect(started.runs.length + queued.runs.length).toBe(12);
    for (const id of mine) await runs.cancel(id, 'many');
    for (const id of mine) expect((await runs.wait(id, 'many')).status).toBe('cancelled');
  });

  it('loses a cancelled run before its start, and stops one under way', async () => {
    const held = holdAt('before n0');
    const id = await runs.enqueue({ userId, flow: chainOf(['Effect', 'Pure']) });
    await held;
    await runs.cancel(id, userId);
    expect((await runs.wait(id, userId)).status).toBe('cancelled');
    expect(effectsOf(id)).toEqual([]);
    await runs.cancel(id, userId);
    expect((await runs.get(id, userId)).status).toBe('cancelled');
  });
});

describe('a run that waits for a person', () => {
  it('leaves its worker while other branches complete, and continues after a restart with the answer', async () => {
    const flow = testFlow({ a: 'Effect', q: 'Ask', z: 'Effect' }, ['q>z']);
    const id = await runs.enqueue({ userId, flow });
    const waiting = await runs.wait(id, userId, { statuses: ['waiting', 'failed'] });
    expect(waiting.questions).toMatchObject([{ node: 'q', text: 'Send it?', answer: null }]);
    expect(effectsOf(id)).toEqual([`a ${id}/a/`]);
    const stored = await runs.events(id, userId).next();
    expect(eventOf((stored.value as LoggedEvent[]).at(-1) as LoggedEvent)).toEqual({
      kind: 'run_waiting',
      keys: [`${id}/q/`],
    });
    await runs.close();
    await open();
    const key = waiting.questions[0]?.key as string;
    await expect(runs.answer(id, userId, key, { choice: 'maybe', comment: '', by: 'bob' })).rejects.toMatchObject({
      code: 'invalid_request',
    });
    await runs.answer(id, userId, key, { choice: 'approve', comment: '', by: 'bob' });
    await expect(runs.answer(id, userId, key, { choice: 'reject', comment: '', by: 'eve' })).rejects.toMatchObject({
      code: 'already_answered',
    });
    const run = await runs.wait(id, userId);
    expect(run).toMatchObject({ status: 'completed', attempt: 2 });
    expect(run.result?.text).toContain('approve by bob>z');
    expect(effectsOf(id)).toEqual([`a ${id}/a/`, `z ${id}/z/`]);
  });
});

describe('a run whose worker is closed', () => {
  it('continues at the interrupted node when the worker starts again, and reports the repeated model call', async () => {
    const held = holdAt('after n1');
    const id = await runs.enqueue({ userId, flow: chainOf(['Effect', 'Paid', 'Effect']) });
    await held;
    at = () => {};
    await runs.close();
    await open();
    expect(await runs.wait(id, userId)).toMatchObject({ status: 'completed', attempt: 2 });
    expect(effectsOf(id).map((line) => line.split(' ')[0])).toEqual(['n0', 'n1', 'n1', 'n2']);
    const repeated = (await eventsOf(id)).map(eventOf).filter(({ kind }) => kind === 'step_repeated');
    expect(repeated).toEqual([{ kind: 'step_repeated', node: 'n1', key: `${id}/n1/` }]);
  });

  it('remembers a fact of the first attempt in the next one', async () => {
    let made = 0;
    const found: number[] = [];
    const arrived = new Promise<void>((resolve) => {
      at = async (point, _, run) => {
        if (point !== 'before') return;
        found.push(await run.remember('size', () => ++made));
        if (found.length > 1) return;
        resolve();
        await new Promise((_, reject) => run.signal.addEventListener('abort', () => reject(new Error('aborted'))));
      };
    });
    const id = await runs.enqueue({ userId, flow: chainOf(['Effect']) });
    await arrived;
    await runs.close();
    await open();
    expect((await runs.wait(id, userId)).status).toBe('completed');
    expect(found.slice(0, 2)).toEqual([1, 1]);
  });

  it.each([
    ['repeat', ['n0', 'n1', 'n1', 'n2']],
    ['skip', ['n0', 'n1']],
  ] as const)(
    'needs attention at an effect that may have happened, and goes on with the decision to %s',
    async (decision, done) => {
      const held = holdAt('after n1');
      const id = await runs.enqueue({ userId, flow: chainOf(['Effect', 'Unsure', 'Effect']) });
      await held;
      at = () => {};
      await runs.close();
      await open();
      const stopped = await runs.wait(id, userId, { statuses: ['needs_attention', 'completed', 'failed'] });
      expect(stopped).toMatchObject({ status: 'needs_attention', undecided: [`${id}/n1/`] });
      expect(effectsOf(id)).toHaveLength(2);
      await expect(runs.decide(id, userId, 'other', decision)).rejects.toMatchObject({ code: 'not_open' });
      await runs.decide(id, userId, `${id}/n1/`, decision);
      expect((await runs.wait(id, userId)).status).toBe('completed');
      expect(effectsOf(id).map((line) => line.split(' ')[0])).toEqual(done);
    },
  );
});

describe('a worker', () => {
  it('stops a run that another worker has taken over, and stores nothing more of it', async () => {
    const held = holdAt('before n0');
    const id = await runs.enqueue({ userId, flow: chainOf(['Effect']) });
    await held;
    await query('UPDATE croft_runs.run SET attempt = attempt + 1, executor = NULL WHERE id = $1', [id]);
    await expect
      .poll(async () => query(`SELECT FROM croft_dbos.operation_outputs WHERE workflow_uuid = $1`, [`${id}.1`]))
      .toHaveLength(1);
    const stored = await query('SELECT status, result FROM croft_runs.run WHERE id = $1', [id]);
    expect(stored).toEqual([{ status: 'running', result: null }]);
    expect(effectsOf(id)).toEqual([]);
    await query('DELETE FROM croft_runs.run WHERE id = $1', [id]);
  });

  it('continues a run that it dropped', async () => {
    const id = await runs.enqueue({ userId, flow: chainOf(['Effect', 'Pure']) });
    await runs.wait(id, userId);
    await query(
      `UPDATE croft_runs.run SET status = 'running', finished_at = NULL, executor = (SELECT id FROM croft_runs.executor)
       WHERE id = $1`,
      [id],
    );
    expect(await runs.wait(id, userId)).toMatchObject({ status: 'completed', attempt: 2 });
    expect(effectsOf(id)).toHaveLength(1);
  });

  it('ends a run that it cannot read, with the reason, and others can cancel it before', async () => {
    const otherKey = createSealer([{ id: 'k9', key: Buffer.alloc(32, 9) }]);
    const other = await openRuns({ database: database.database.connection(), sealer: otherKey });
    const [failing, cancelled] = [
      await other.enqueue({ userId, flow: chainOf(['Effect']) }),
      await other.enqueue({ userId, flow: chainOf(['Effect']) }),
    ];
    await other.close();
    await query(
      'UPDATE croft_runs.run SET takeovers = CASE WHEN id = $1 THEN 7 ELSE -1000000 END WHERE id IN ($1, $2)',
      [failing, cancelled],
    );
    const { failure, status } = await runs.wait(failing, userId);
    expect([status, failure?.message]).toEqual(['failed', expect.stringContaining("with the key 'k9'") as string]);
    expect((await runs.get(cancelled, userId)).status).not.toBe('failed');
    await runs.cancel(cancelled, userId);
    expect((await runs.wait(cancelled, userId)).status).toBe('cancelled');
    expect([...effectsOf(failing), ...effectsOf(cancelled)]).toEqual([]);
  });

  it('does not continue a run that it dropped too often', async () => {
    const id = await runs.enqueue({ userId, flow: chainOf(['Effect']) });
    await runs.wait(id, userId);
    await query(
      `UPDATE croft_runs.run SET status = 'running', finished_at = NULL, takeovers = 10,
         executor = (SELECT id FROM croft_runs.executor) WHERE id = $1`,
      [id],
    );
    const { failure, status } = await runs.wait(id, userId);
    expect([status, failure?.message]).toEqual(['failed', expect.stringContaining('interrupted 10 times') as string]);
  });

  it('starts a queued run when the database announces it, and the next one of the user when that one ends', async () => {
    await runs.close();
    const never = 3_600_000;
    const quiet = { beatMs: never, deadAfterMs: never };
    runs = await openTestRuns(database.database.connection(), effects.path, { ...quiet, pollMs: never });
    for (let round = 0; round < 3; round++) {
      const id = await runs.enqueue({ userId, flow: chainOf(['Pure']) });
      expect((await runs.wait(id, userId)).status).toBe('completed');
    }
    await runs.close();
    runs = await openTestRuns(database.database.connection(), effects.path, { ...quiet, maxRunsPerUser: 1 });
    const both = [
      await runs.enqueue({ userId, flow: chainOf(['Effect']) }),
      await runs.enqueue({ userId, flow: chainOf(['Pure']) }),
    ];
    for (const id of both) expect((await runs.wait(id, userId)).status).toBe('completed');
    await runs.close();
    await open();
  });

  it('is the only one of its process', async () => {
    await expect(openTestRuns(database.database.connection(), effects.path)).rejects.toMatchObject({
      code: 'second_worker',
    });
  });

  it('completes a run during which the database is killed and starts again', async () => {
    let go: () => void = () => {};
    const held = new Promise<void>((arrived) => {
      at = (point, node) => {
        if (`${point} ${node}` !== 'after n1') return;
        arrived();
        return new Promise((resolve) => (go = resolve));
      };
    });
    const id = await runs.enqueue({ userId, flow: chainOf(['Effect', 'Effect', 'Effect']) });
    await held;
    process.kill(postmasterPid(database.baseDir), 'SIGKILL');
    go();
    at = () => {};
    await expect.poll(async () => (await runs.get(id, userId).catch(() => undefined))?.status).toBe('completed');
    const done = effectsOf(id).map((line) => line.split(' ')[0]);
    expect([...new Set(done)]).toEqual(['n0', 'n1', 'n2']);
    // The checkpoint of n1 meets the outage: it is retried, or its effect happens again with the same key.
    expect(done.filter((node) => node !== 'n1')).toEqual(['n0', 'n2']);
  });
});

describe('a schedule', () => {
  const base: Schedule = {
    id: 's1',
    userId,
    flowId: 'f1',
    cron: '0 * * * *',
    timeZone: 'UTC',
    isOn: true,
    missed: 'once',
    overlap: 'start',
  };
  const at9 = new Date('2026-05-01T09:00:05Z');
  const at12 = new Date('2026-05-01T12:30:00Z');
  const start = (now: Date, flow = chainOf(['Pure'])) =>
    startDueRuns({
      schedules: new ScheduleStore(database.database.pool, testSealer),
      flowOf: async () => ({ flow }),
      enqueue: (request) => runs.enqueue(request),
      now: () => now,
      log: () => {},
    });
  const setAt = (schedule: Schedule, now: string) =>
    new ScheduleStore(database.database.pool, testSealer).set(schedule, new Date(now));
  const startedBy = async (flowId: string) => (await runs.list({ userId, flowId })).runs;

  it('starts one run at its time, also with several workers, and one for all missed times', async () => {
    await setAt({ ...base, flowId: 'once' }, '2026-05-01T08:30:00Z');
    expect((await Promise.all([start(at9), start(at9), start(at9)])).reduce((a, b) => a + b)).toBe(1);
    await start(at9);
    const [run] = await startedBy('once');
    expect(run).toMatchObject({ source: 'schedule' });
    await start(at12);
    await start(at12);
    expect(await startedBy('once')).toHaveLength(2);
    const [state] = await runs.schedules.list(userId);
    expect(state).toMatchObject({ nextAt: new Date('2026-05-01T13:00:00Z'), lastAt: new Date('2026-05-01T10:00:00Z') });
    expect(await runs.schedules.list('eve')).toEqual([]);
    expect(await runs.schedules.remove('s1', 'eve')).toBe(false);
    await expect(runs.schedules.set({ ...base, userId: 'eve' })).rejects.toMatchObject({ code: 'invalid_request' });
    expect(await runs.schedules.remove('s1', userId)).toBe(true);
  });

  it('that fails keeps its reason and is tried again, and holds up no other schedule', async () => {
    const store = new ScheduleStore(database.database.pool, testSealer);
    for (const id of ['broken', 'unreadable', 'works'])
      await setAt({ ...base, id, flowId: id, userId: 'trouble' }, '2026-05-01T08:30:00Z');
    await query(`UPDATE croft_runs.schedule SET definition = 'k1.AAAA' WHERE id = 'unreadable'`);
    let isBroken = true;
    const lines: string[] = [];
    const look = (now: string) =>
      startDueRuns({
        schedules: store,
        flowOf: async ({ id }) => {
          if (id === 'broken' && isBroken) throw new Error('canary: the flow has no version');
          return { flow: chainOf(['Pure']) };
        },
        enqueue: (request) => runs.enqueue(request),
        now: () => new Date(now),
        log: (line) => lines.push(line),
      });
    expect(await look('2026-05-01T09:00:05Z')).toBe(3);
    const startedOf = async (flowId: string) => (await runs.list({ userId: 'trouble', flowId })).runs.length;
    expect([await startedOf('works'), await startedOf('broken')]).toEqual([1, 0]);
    expect(lines).toHaveLength(2);
    expect(await look('2026-05-01T09:00:10Z')).toBe(0);
    expect(await query(`SELECT FROM croft_runs.schedule t WHERE t::text LIKE '%canary%'`)).toEqual([]);
    const stateOf = async (id: string) => (await store.list('trouble')).find((state) => state.id === id);
    expect(await stateOf('unreadable')).toMatchObject({ schedule: null, failure: expect.stringMatching('incomplete') });
    await query(`DELETE FROM croft_runs.schedule WHERE id = 'unreadable'`);
    expect((await stateOf('broken'))?.failure).toContain('the flow has no version');
    isBroken = false;
    await look('2026-05-01T09:01:10Z');
    expect([await startedOf('broken'), (await stateOf('broken'))?.failure]).toEqual([1, null]);
    for (const id of ['broken', 'works']) await store.remove(id, 'trouble');
  });

  it('skips missed times and overlapping runs when it says so', async () => {
    await setAt({ ...base, id: 's2', flowId: 'skip', missed: 'skip', overlap: 'skip' }, '2026-05-01T08:30:00Z');
    await start(at12);
    expect(await startedBy('skip')).toEqual([]);
    await start(new Date('2026-05-01T13:00:01Z'), chainOf(['Slow']));
    await start(new Date('2026-05-01T14:00:01Z'));
    const started = await startedBy('skip');
    expect(started).toHaveLength(1);
    await runs.cancel(started[0]?.id as string, userId);
    await runs.wait(started[0]?.id as string, userId);
    await start(new Date('2026-05-01T15:00:01Z'));
    expect(await startedBy('skip')).toHaveLength(2);
    await runs.schedules.remove('s2', userId);
  });
});
