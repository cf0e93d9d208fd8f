import { emptyFlow } from '@croft/flow';
import { expect, it } from 'vitest';
import { type TestRuns, useRunStore } from '../../../tests/runs/use-run-store.ts';
import { HAS_NEW_ANSWER } from './run-store.ts';

let runs: TestRuns;
useRunStore((opened) => void (runs = opened), 'files');

const OUTCOME = {
  status: 'completed' as const,
  result: { text: 'the answer', outputs: {} },
  failure: undefined,
  metrics: { duration_seconds: 1, input_tokens: 0, output_tokens: 0, total_tokens: 0 },
};
const first = (runId: string) => ({ runId, attempt: 1 });

it('stores a run without its texts in the open, and queues it for its user and group', async () => {
  await runs.add('rs-new', {
    input: 'hello canary',
    inputs: { A: { text: 'canary' } },
    flowId: 'f',
    source: 'webhook',
  });
  const row = await runs.row('rs-new');
  expect(row).toMatchObject({
    user_id: 'u',
    flow_id: 'f',
    flow_name: 'Flow',
    source: 'webhook',
    status: 'queued',
    attempt: 1,
    worker_group: 'files',
  });
  expect(JSON.stringify(row)).not.toContain('canary');
  expect(runs.store.sealer.open(String(row?.['input']))).toBe('hello canary');
  expect(runs.asked).toContain('queue rs-new.1 of u for files');
});

it('gives the first run for a trigger key that its user has used, and refuses that of another user', async () => {
  const request = { triggerKey: 'rs-key' };
  expect(await runs.add('rs-trigger', request)).toBe('rs-trigger');
  expect(await runs.add('rs-again', request)).toBe('rs-trigger');
  expect(await runs.row('rs-again')).toBeUndefined();
  expect(runs.asked.filter((line) => line.includes('rs-again'))).toEqual([]);
  await expect(runs.add('rs-other', { ...request, userId: 'v' })).rejects.toMatchObject({ code: 'invalid_request' });
});

it('stores nothing where the run could not be queued', async () => {
  const broken = { ...runs.engine, enqueue: () => Promise.reject(new Error('no queue')) };
  const adding = runs.store.add(broken, 'rs-broken', { userId: 'u', flow: emptyFlow() }, 1);
  await expect(adding).rejects.toThrow('no queue');
  expect(await runs.row('rs-broken')).toBeUndefined();
});

it('gives a queued attempt to one worker, with its inputs, and keeps the time of the first start', async () => {
  await runs.add('rs-claim', { inputs: { A: { text: 'x' } }, key: 'agent', flowId: 'f' });
  expect(await runs.store.claim({ runId: 'rs-claim', attempt: 2 }, 'worker')).toBeUndefined();
  const row = await runs.store.claim(first('rs-claim'), 'worker');
  expect(await runs.store.claim(first('rs-claim'), 'other')).toBeUndefined();
  expect(row && (await runs.store.read(row))).toMatchObject({
    userId: 'u',
    flowId: 'f',
    source: 'api',
    key: 'agent',
    inputs: { A: { text: 'x' } },
    timeoutMs: 1_000,
    flow: { name: 'Flow' },
  });
  expect(await runs.row('rs-claim')).toMatchObject({ status: 'running', executor: 'worker' });
  await runs.store.continueRun(runs.engine, 'rs-claim', 'running');
  const again = await runs.store.claim({ runId: 'rs-claim', attempt: 2 }, 'other');
  expect(again?.started_at).toEqual(row?.started_at);
});

it('ends a run once, with its encrypted result, and not for an attempt that another one has replaced', async () => {
  await runs.add('rs-end');
  expect(await runs.store.finish(first('rs-end'), OUTCOME)).toBe(false);
  await runs.store.claim(first('rs-end'), 'worker');
  await runs.store.noteFailure(first('rs-end'), { message: 'not yet' });
  expect(await runs.store.finish({ runId: 'rs-end', attempt: 2 }, OUTCOME)).toBe(false);
  expect(await runs.store.finish(first('rs-end'), { ...OUTCOME, failure: { message: 'canary' } })).toBe(true);
  expect(await runs.store.finish(first('rs-end'), OUTCOME)).toBe(false);
  const row = await runs.row('rs-end');
  expect(row).toMatchObject({ status: 'completed', executor: null, finished_at: expect.any(Date) });
  expect(JSON.parse(runs.store.sealer.open(String(row?.['result'])))).toEqual(OUTCOME.result);
  expect(JSON.parse(runs.store.sealer.open(String(row?.['failure'])))).toEqual({ message: 'canary' });
});

it('notes why an attempt ended, only while it runs', async () => {
  await runs.add('rs-note');
  await runs.store.noteFailure(first('rs-note'), { message: 'early' });
  expect(await runs.row('rs-note')).toMatchObject({ failure: null });
  await runs.store.claim(first('rs-note'), 'worker');
  await runs.store.noteFailure({ runId: 'rs-note', attempt: 2 }, { message: 'late' });
  expect(await runs.row('rs-note')).toMatchObject({ failure: null });
  await runs.store.noteFailure(first('rs-note'), { message: 'cannot be read' });
  expect((await runs.row('rs-note'))?.['failure']).toEqual(expect.any(String));
});

it('leaves a run that waits, and continues it with the next attempt where it still waits', async () => {
  await runs.add('rs-wait');
  await runs.store.claim(first('rs-wait'), 'worker');
  expect(await runs.store.leave({ runId: 'rs-wait', attempt: 2 }, 'waiting')).toBe(false);
  expect(await runs.store.leave(first('rs-wait'), 'needs_attention', 'step-1')).toBe(true);
  expect(await runs.row('rs-wait')).toMatchObject({ status: 'needs_attention', undecided: 'step-1', executor: null });
  expect(await runs.store.continueRun(runs.engine, 'rs-wait', 'waiting')).toBe(false);
  expect(await runs.store.continueRun(runs.engine, 'rs-wait', 'needs_attention', HAS_NEW_ANSWER)).toBe(false);
  expect(await runs.store.continueRun(runs.engine, 'rs-wait', 'needs_attention')).toBe(true);
  expect(await runs.row('rs-wait')).toMatchObject({ status: 'queued', attempt: 2, undecided: null });
  expect(runs.asked).toContain('queue rs-wait.2 of u for files');
});

it.each([
  ['waits', () => runs.store.leave(first('rs-late'), 'waiting')],
  ['needs a decision', () => runs.store.leave(first('rs-late'), 'needs_attention', 'step-1')],
  ['moves to another worker', () => runs.store.continueRun(runs.engine, 'rs-late', 'running')],
])('cancels a run that %s where that was asked for while it left its worker', async (_, leave) => {
  await runs.store.pool.query("DELETE FROM croft_runs.run WHERE id = 'rs-late'");
  await runs.add('rs-late');
  await runs.store.claim(first('rs-late'), 'worker');
  await runs.store.cancel('rs-late', 'u');
  runs.asked.length = 0;
  expect(await leave()).toBe(true);
  expect(await runs.row('rs-late')).toMatchObject({
    status: 'cancelled',
    finished_at: expect.any(Date),
    executor: null,
  });
  expect(runs.asked).toEqual([]);
});

it('cancels a run that no worker has, and asks the worker of another one', async () => {
  await runs.add('rs-cancel');
  await runs.add('rs-running');
  await runs.store.claim(first('rs-running'), 'worker');
  expect(await runs.store.cancel('rs-cancel', 'v')).toBeUndefined();
  expect(await runs.store.cancel('rs-cancel', 'u')).toMatchObject({ status: 'queued', attempt: 1 });
  expect(await runs.row('rs-cancel')).toMatchObject({ status: 'cancelled', finished_at: expect.any(Date) });
  expect(await runs.store.cancel('rs-running', 'u')).toMatchObject({ status: 'running' });
  expect(await runs.row('rs-running')).toMatchObject({ status: 'running', cancel_requested: true, finished_at: null });
  await runs.store.finish(first('rs-running'), OUTCOME);
  expect(await runs.store.cancel('rs-running', 'u')).toMatchObject({ status: 'completed' });
  expect(await runs.row('rs-running')).toMatchObject({ status: 'completed' });
});

it('gives a connection back after a transaction that failed', async () => {
  const failing = () =>
    runs.store.transaction(async (client) => {
      await client.query("UPDATE croft_runs.run SET flow_name = 'changed' WHERE id = 'rs-new'");
      throw new Error('no');
    });
  for (let count = 0; count < 12; count++) await expect(failing()).rejects.toThrow('no');
  expect(await runs.row('rs-new')).toMatchObject({ flow_name: 'Flow' });
});
