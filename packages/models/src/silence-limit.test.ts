import type { LanguageModelV3, LanguageModelV3CallOptions, LanguageModelV3StreamPart } from '@ai-sdk/provider';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { withSilenceLimit } from './silence-limit.ts';
import { failureOf } from './testing.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const PART = { type: 'text-delta', id: '1', delta: 'a' } as LanguageModelV3StreamPart;

/** A model whose reply the test sends. */
function startModel(limitMs = 5_000, beginsAfterMs = 0, abortSignal?: AbortSignal) {
  let controller: ReadableStreamDefaultController<LanguageModelV3StreamPart> | undefined;
  let signal: AbortSignal | undefined;
  let isCancelled = false;
  const stream = new ReadableStream<LanguageModelV3StreamPart>({
    start: (given) => void (controller = given),
    cancel: () => void (isCancelled = true),
  });
  const doStream = async (options: LanguageModelV3CallOptions) => {
    signal = options.abortSignal;
    if (beginsAfterMs > 0) await new Promise((done) => setTimeout(done, beginsAfterMs));
    return { stream };
  };
  const model = { modelId: 'slow-1', provider: 'p', supportedUrls: {}, doStream } as unknown as LanguageModelV3;
  const limited = withSilenceLimit(model, 'Provider', limitMs);
  const reply = Promise.resolve(limited.doStream({ prompt: [], ...(abortSignal && { abortSignal }) }));
  return {
    limited,
    reply,
    send: () => controller?.enqueue(PART),
    end: () => controller?.close(),
    signal: () => signal,
    isCancelled: () => isCancelled,
  };
}

it('ends a request whose reply does not begin, and closes its connection', async () => {
  const { reply, signal } = startModel(5_000, 60_000);
  const failed = failureOf(reply);
  await vi.advanceTimersByTimeAsync(4_999);
  expect(signal()?.aborted).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  const error = await failed;
  expect(error.code).toBe('timeout');
  expect(error.message).toContain('Provider: Request timed out. Please try again. slow-1 sent nothing for 5 s.');
  expect(signal()?.reason).toBe(error);
});

it('ends a reply that stops in the middle, but never one that keeps coming', async () => {
  const { reply, send, signal } = startModel();
  const reader = (await reply).stream.getReader();
  for (let count = 0; count < 4; count++) {
    const next = reader.read();
    await vi.advanceTimersByTimeAsync(4_000);
    send();
    expect(await next).toEqual({ done: false, value: PART });
  }
  const silent = failureOf(reader.read());
  await vi.advanceTimersByTimeAsync(5_000);
  expect((await silent).code).toBe('timeout');
  expect(signal()?.aborted).toBe(true);
});

it('passes the end of a reply on, and starts no timer after it', async () => {
  const { reply, end, signal } = startModel();
  const reader = (await reply).stream.getReader();
  end();
  expect(await reader.read()).toEqual({ done: true, value: undefined });
  await vi.advanceTimersByTimeAsync(60_000);
  expect([signal()?.aborted, vi.getTimerCount()]).toEqual([false, 0]);
});

it('passes on that the caller aborts or leaves', async () => {
  const stop = new AbortController();
  const { reply, signal, isCancelled } = startModel(5_000, 0, stop.signal);
  const { stream } = await reply;
  stop.abort();
  expect(signal()?.aborted).toBe(true);
  await stream.cancel();
  expect(isCancelled()).toBe(true);
});

it('keeps the names of the model', () => {
  expect(startModel().limited).toMatchObject({ specificationVersion: 'v3', provider: 'p', modelId: 'slow-1' });
});
