import { createRegistry } from '@croft/flow';
import { expect, it } from 'vitest';
import { type TestRuns, useRunStore } from '../../../tests/runs/use-run-store.ts';
import { ActiveAttempt, type StopReason } from './active-attempt.ts';
import { type ExecuteOptions, executeRun, type RunContext, type RunServices } from './execute-run.ts';
import { eventStore } from './event-store.ts';
import { RunStore } from './run-store.ts';
import { createSealer } from './sealer.ts';

let runs: TestRuns;
useRunStore((opened) => void (runs = opened));

interface Over extends Partial<Omit<ExecuteOptions<object>, 'services'>> {
  readonly attempt?: number;
  readonly services?: (context: RunContext, active: ActiveAttempt) => Partial<RunServices<object>> | Promise<never>;
}

/** Runs an attempt of a stored run; the lines of the log, and the context that its services got. */
async function execute(runId: string, { attempt = 1, services = () => ({}), ...over }: Over = {}) {
  const active = new ActiveAttempt({ runId, attempt });
  const lines: string[] = [];
  const contexts: RunContext[] = [];
  const options: ExecuteOptions<object> = {
    executor: 'worker',
    store: runs.store,
    engine: { ...runs.engine, steps: async () => new Map() },
    registry: createRegistry([]),
    policy: () => 'safe',
    log: (line) => lines.push(line),
    ...over,
    services: async (context) => {
      contexts.push(context);
      return { services: {}, ...(await services(context, active)) };
    },
  };
  await executeRun(options, active, (_, work) => work());
  return { lines, contexts };
}
const stopping = (reason: StopReason) => (_: RunContext, active: ActiveAttempt) => {
  active.stop(reason);
  return {};
};
async function kinds(runId: string) {
  const found = await eventStore(runs.store.pool, runs.store.sealer).read(runId, 0, 100);
  return found === 'gone' ? [] : found.entries.map(({ data }) => (JSON.parse(data) as { kind: string }).kind);
}

it('runs a claimed run to its end, and stores events and result', async () => {
  await runs.add('er-1', { userId: 'er-ann', flowId: 'f', source: 'webhook', key: 'agent', inputs: { A: { a: 1 } } });
  const did: string[] = [];
  const { contexts, lines } = await execute('er-1', {
    services: () => ({
      finished: async ({ status }) => void did.push(status),
      close: () => void did.push('closed'),
    }),
  });
  expect(contexts[0]).toMatchObject({
    runId: 'er-1',
    userId: 'er-ann',
    flowId: 'f',
    source: 'webhook',
    key: 'agent',
    inputs: { A: { a: 1 } },
    flow: { name: 'Flow' },
  });
  expect([did, lines]).toEqual([['completed', 'closed'], []]);
  expect(await runs.row('er-1')).toMatchObject({ status: 'completed', finished_at: expect.any(Date) });
  const events = await kinds('er-1');
  expect([events[0], events.at(-1)]).toEqual(['run_started', 'run_finished']);
});

it('does nothing for an attempt that it cannot claim', async () => {
  await runs.add('er-2');
  const { contexts } = await execute('er-2', { attempt: 2 });
  expect([contexts, (await runs.row('er-2'))?.['status']]).toEqual([[], 'queued']);
});

it('leaves a run that it cannot read to another worker, and notes why', async () => {
  await runs.add('er-3');
  const store = new RunStore(runs.store.pool, createSealer([{ id: 'k9', key: Buffer.alloc(32, 9) }]), '');
  const { contexts, lines } = await execute('er-3', { store });
  expect(contexts).toEqual([]);
  expect(lines[0]).toMatch(/^Run er-3 cannot be read: .*'k1'/);
  expect(await runs.row('er-3')).toMatchObject({ status: 'running', failure: expect.any(String) });
});

it('ends a run whose services cannot be opened as failed, and keeps the reason for the operator', async () => {
  await runs.add('er-4');
  const { lines } = await execute('er-4', { services: () => Promise.reject(new Error('secret detail')) });
  expect(lines).toEqual(['Run er-4 stopped: secret detail']);
  const row = await runs.row('er-4');
  expect(row).toMatchObject({ status: 'failed' });
  expect(runs.store.sealer.open(String(row?.['failure']))).toContain('See the log of the server.');
});

it('hands a run over where the worker closes', async () => {
  await runs.add('er-5', { userId: 'er-bob' });
  await execute('er-5', { services: stopping('moved') });
  expect(await runs.row('er-5')).toMatchObject({ status: 'queued', attempt: 2, executor: null });
  expect(runs.asked).toContain('queue er-5.2 of er-bob for ');
});

it('leaves a run that waits, and goes on at once where the answer came meanwhile', async () => {
  await runs.add('er-6');
  await execute('er-6', { services: stopping('waiting') });
  expect(await runs.row('er-6')).toMatchObject({ status: 'waiting', attempt: 1, executor: null });
  expect((await kinds('er-6')).at(-1)).toBe('run_waiting');
  await runs.add('er-7');
  await execute('er-7', {
    async services(context, active) {
      const asking = context.ask({ key: 'q', node: 'A', text: '?', options: ['yes'] });
      asking.catch(() => {});
      await runs.store.pool.query(
        "INSERT INTO croft_runs.question (run_id, key, node, asked, answer) VALUES ('er-7', 'late', 'A', '', '')",
      );
      active.stop('waiting');
      return {} as never;
    },
  });
  expect(await runs.row('er-7')).toMatchObject({ status: 'queued', attempt: 2 });
});

it('leaves a run to the worker that has taken it over', async () => {
  await runs.add('er-8');
  const { lines } = await execute('er-8', {
    async services() {
      await runs.store.continueRun(runs.engine, 'er-8', 'running');
      return {} as never;
    },
  });
  expect([lines, (await runs.row('er-8'))?.['status']]).toEqual([[], 'queued']);
});

it('leaves a run to the reaper where the database was away', async () => {
  await runs.add('er-9');
  const away = Object.assign(new Error('Connection terminated'), { code: 'ECONNRESET' });
  const { lines } = await execute('er-9', { services: () => Promise.reject(away) });
  expect(lines).toEqual(['Run er-9 was interrupted: the database was away.']);
  expect(await runs.row('er-9')).toMatchObject({ status: 'running' });
});

it('says in a later attempt that the run goes on', async () => {
  await runs.add('er-10');
  await runs.store.continueRun(runs.engine, 'er-10', 'queued');
  await execute('er-10', { attempt: 2 });
  expect(await kinds('er-10')).toContain('run_resumed');
  expect(await runs.row('er-10')).toMatchObject({ status: 'completed', attempt: 2 });
});
