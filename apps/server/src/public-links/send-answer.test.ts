import { createEventLog } from '@croft/event-log';
import type { FlowDocument } from '@croft/flow';
import { expect, it } from 'vitest';
import { TestResponse } from '../../../../tests/support/test-response.ts';
import type { RunOutcome } from '../flow-runs/execute-live-run.ts';
import type { LiveRun } from '../flow-runs/live-runs.ts';
import { NO_ANSWER, sendAnswer } from './send-answer.ts';

const FLOW = {
  nodes: [{ id: 'O', type: 'ChatOutput' }],
  edges: [{ from: { node: 'A', port: 'o' }, to: { node: 'O', port: 'i' } }],
} as unknown as FlowDocument;

/** Sends the answer of a run that ends like this; `leaves`: the visitor has gone before. */
async function send(
  outcome: Promise<Partial<RunOutcome>>,
  { tokens = [] as string[], leaves = false, unread = 0 } = {},
) {
  const log = createEventLog({ maxEvents: 100, maxBytes: 10_000 });
  let cancels = 0;
  const run = { log, outcome, cancel: () => void cancels++ } as unknown as LiveRun;
  const client = new TestResponse();
  client.writableLength = unread;
  if (leaves) client.closed = true;
  const sending = sendAnswer(run, FLOW, client.response);
  for (const text of tokens) log.append({ event: 'token', data: JSON.stringify({ node: 'A', text }) });
  await sending;
  client.emit('close');
  return { client, cancels, frames: client.frames().map(({ event, data = '' }) => [event, JSON.parse(data).text]) };
}

it('sends the parts of an answer, and then the whole', async () => {
  const outcome = Promise.resolve({ status: 'completed', answer: 'Hello' } as RunOutcome);
  const { client, frames, cancels } = await send(outcome, { tokens: ['Hel', 'lo'] });
  expect(frames).toEqual([
    ['text', 'Hel'],
    ['text', 'lo'],
    ['done', 'Hello'],
  ]);
  expect([client.status, client.writableEnded, cancels]).toEqual([200, true, 0]);
  expect(client.headers['Content-Type']).toBe('text/event-stream; charset=utf-8');
});

it('tells a visitor nothing about a failure', async () => {
  const failed = { status: 'failed', answer: 'secret', failure: { message: 'secret' } } as RunOutcome;
  expect((await send(Promise.resolve(failed))).frames).toEqual([['failed', NO_ANSWER]]);
  expect((await send(Promise.reject(new Error('secret')))).frames).toEqual([['failed', NO_ANSWER]]);
});

it('cancels the run of a visitor that has left, and writes nothing', async () => {
  const { client, cancels } = await send(Promise.resolve({ status: 'cancelled' }), { leaves: true });
  expect([cancels, client.text, client.writableEnded]).toEqual([1, '', true]);
});

it('disconnects a visitor that does not read, which cancels the run', async () => {
  const { client, cancels } = await send(Promise.resolve({ status: 'completed', answer: 'x' }), {
    tokens: ['a'],
    unread: 1024 * 1024 + 1,
  });
  expect([client.closed, cancels, client.text]).toEqual([true, 1, '']);
});
