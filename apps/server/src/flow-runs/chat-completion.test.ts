import { createEventLog } from '@croft/event-log';
import type { FlowDocument } from '@croft/flow';
import { expect, it } from 'vitest';
import { TestResponse } from '../../../../tests/support/test-response.ts';
import { type Completion, completionOf, followAnswer, streamCompletion } from './chat-completion.ts';
import type { RunOutcome } from './execute-live-run.ts';
import type { LiveRun } from './live-runs.ts';

const metrics = { duration_seconds: 1, input_tokens: 3, output_tokens: 4, total_tokens: 7 };
const DONE = {
  status: 'completed',
  text: 'Hello',
  answer: 'Hello',
  outputs: {},
  metrics,
  failure: undefined,
} as RunOutcome;
const FAILED = { ...DONE, status: 'failed', failure: { node: 'A', message: 'no key', fix: 'Set one.' } } as RunOutcome;
const usage = { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 };
const edge = (from: string, to: string) => ({ from: { node: from, port: 'o' }, to: { node: to, port: 'i' } });
const FLOW = {
  nodes: [
    { id: 'A', type: 'Agent' },
    { id: 'O', type: 'ChatOutput' },
  ],
  edges: [edge('A', 'O')],
} as unknown as FlowDocument;

/** A completion of a run that the test ends. */
function startRun(flow = FLOW) {
  const log = createEventLog({ maxEvents: 100, maxBytes: 10_000 });
  let end: (outcome: RunOutcome) => void = () => {};
  let cancels = 0;
  const outcome = new Promise<RunOutcome>((resolve) => (end = resolve));
  const run = { id: 'r', log, outcome, cancel: () => void cancels++ } as unknown as LiveRun;
  const completion: Completion = { run, flow, model: 'my-flow', created: 12 };
  const token = (text: string, node = 'A') => log.append({ event: 'token', data: JSON.stringify({ node, text }) });
  return { completion, end, token, cancels: () => cancels, log };
}

it('gives the whole answer as OpenAI does', () => {
  expect(completionOf(startRun().completion, DONE)).toEqual({
    id: 'chatcmpl-r',
    object: 'chat.completion',
    created: 12,
    model: 'my-flow',
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: 'Hello', refusal: null },
        logprobs: null,
        finish_reason: 'stop',
      },
    ],
    usage,
  });
});

it('names the component of a failure, with a status that clients do not retry', () => {
  const fail = (outcome: RunOutcome) => () => completionOf(startRun().completion, outcome);
  expect(fail(FAILED)).toThrow(expect.objectContaining({ code: 'run_failed', message: 'A: no key Set one.' }));
  expect(fail({ ...DONE, status: 'cancelled', text: 'Cancelled.' } as RunOutcome)).toThrow(/^Cancelled\.$/);
  expect(fail({ ...FAILED, failure: { message: 'no input' } } as RunOutcome)).toThrow(/^no input$/);
});

/** Streams a run; the chunks after it ended. */
async function stream(
  outcome: RunOutcome,
  tokens: readonly (readonly [string, string?])[],
  includeUsage = false,
  flow = FLOW,
) {
  const started = startRun(flow);
  const client = new TestResponse();
  const streaming = streamCompletion(started.completion, client.response, { includeUsage });
  for (const [text, node] of tokens) started.token(text, node);
  started.end(outcome);
  await streaming;
  const chunks = client.frames().map(({ data = '' }) => (data === '[DONE]' ? data : JSON.parse(data)));
  const text = chunks.map((chunk) => chunk.choices?.[0]?.delta?.content ?? '').join('');
  return { ...started, client, chunks, text };
}

const CHUNK = { id: 'chatcmpl-r', object: 'chat.completion.chunk', created: 12, model: 'my-flow' };

it('sends tokens at once, then the rest of the answer, and the end', async () => {
  const { client, chunks, text } = await stream(DONE, [['He'], ['ll'], ['other', 'B']]);
  expect([client.status, client.headers, client.writableEnded]).toEqual([
    200,
    {
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-store, no-transform',
      'X-Accel-Buffering': 'no',
    },
    true,
  ]);
  expect(text).toBe('Hello');
  const chunk = (delta: object, finish_reason: string | null = null) => ({
    ...CHUNK,
    choices: [{ index: 0, delta, logprobs: null, finish_reason }],
  });
  expect(chunks).toEqual([
    chunk({ role: 'assistant', content: 'He' }),
    chunk({ content: 'll' }),
    chunk({ content: 'o' }),
    chunk({}, 'stop'),
    '[DONE]',
  ]);
});

it('sends an answer whole that differs from its tokens', async () => {
  expect((await stream(DONE, [['Draft']])).text).toBe('Draft\n\nHello');
});

it('gives the cost where it is asked for', async () => {
  expect((await stream(DONE, [], true)).chunks.at(-2)).toEqual({ ...CHUNK, choices: [], usage });
  expect(JSON.stringify((await stream(DONE, [])).chunks)).not.toContain('usage');
});

it('fails before its first chunk with an error, and after it with a chunk', async () => {
  await expect(stream(FAILED, [])).rejects.toMatchObject({ code: 'run_failed' });
  const { chunks, client } = await stream(FAILED, [['He']]);
  expect(chunks.at(-1)).toEqual({
    ...CHUNK,
    error: { code: 'run_failed', type: 'run_failed', message: 'A: no key Set one.' },
  });
  expect([chunks.includes('[DONE]'), client.writableEnded]).toEqual([false, true]);
});

it('cancels the run of a client that leaves, and not one that has ended', async () => {
  const { completion, end, token, cancels } = startRun();
  const client = new TestResponse();
  const streaming = streamCompletion(completion, client.response, { includeUsage: false });
  client.destroy();
  expect(cancels()).toBe(1);
  token('late');
  end(DONE);
  await streaming;
  client.destroy();
  expect([cancels(), client.text]).toEqual([1, '']);
  const over = await stream(DONE, []);
  over.client.destroy();
  over.token('late');
  expect([over.cancels(), over.chunks.length, over.client.frames().length]).toEqual([0, 3, 3]);
});

it('cancels the run of a client that left before its response began', async () => {
  const { completion, end, cancels } = startRun();
  const streaming = streamCompletion(completion, new TestResponse().destroy().response, { includeUsage: false });
  expect(cancels()).toBe(1);
  end(DONE);
  await streaming;
});

it('disconnects a client that does not read', async () => {
  const { completion, token, end } = startRun();
  const client = new TestResponse();
  const streaming = streamCompletion(completion, client.response, { includeUsage: false });
  client.writableLength = 1024 * 1024 + 1;
  token('a');
  end(DONE);
  await streaming;
  expect([client.closed, client.text]).toEqual([true, '']);
});

it('keeps a client that has 1 MiB to read', async () => {
  const { completion, token, end } = startRun();
  const client = new TestResponse();
  const streaming = streamCompletion(completion, client.response, { includeUsage: false });
  client.writableLength = 1024 * 1024;
  token('a');
  end({ ...DONE, answer: 'a' });
  await streaming;
  expect([client.closed, client.frames().length]).toEqual([false, 4]);
});

it('follows no tokens where several components answer', () => {
  const follow = (flow: object) => {
    const { completion, token, log } = startRun(flow as FlowDocument);
    const seen: string[] = [];
    const leave = followAnswer(completion.run, completion.flow, (text) => seen.push(text));
    token('a');
    log.append({ event: 'node_started', data: JSON.stringify({ node: 'A', text: 'not a token' }) });
    leave();
    token('b');
    return seen;
  };
  const output = (id: string) => ({ id, type: 'ChatOutput' });
  expect(follow(FLOW)).toEqual(['a']);
  expect(follow({ nodes: [output('O'), output('P')], edges: [edge('A', 'O')] })).toEqual([]);
  expect(follow({ nodes: [output('O')], edges: [edge('A', 'O'), edge('B', 'O')] })).toEqual([]);
  expect(follow({ nodes: [], edges: [] })).toEqual([]);
});
