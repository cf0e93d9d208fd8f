import type { LanguageModelV3, LanguageModelV3StreamPart } from '@ai-sdk/provider';
import { expect, it } from 'vitest';
import { type Fallback, isModelUnavailable, MODEL_UNAVAILABLE_MARKERS, withFallback } from './fallback.ts';
import { failureOf } from './testing.ts';

type Part = LanguageModelV3StreamPart;
const text = (delta: string) => ({ type: 'text-delta', id: '1', delta }) as Part;
const begin = { type: 'stream-start', warnings: [] } as Part;
const failing = (message: string) => ({ type: 'error', error: new Error(message) }) as Part;
const GONE = 'model_not_found';

/** Models by name: the parts of their replies, or an error for the request. */
function startModels(replies: Readonly<Record<string, readonly Part[] | Error>>) {
  const asked: string[] = [];
  const fallbacks: Fallback[] = [];
  const open = (name: string) => {
    const reply = replies[name] ?? [];
    const doStream = async () => {
      asked.push(name);
      if (reply instanceof Error) throw reply;
      const stream = new ReadableStream<Part>({
        start(controller) {
          for (const part of reply) controller.enqueue(part);
          controller.close();
        },
      });
      return { stream };
    };
    return { doStream } as unknown as LanguageModelV3;
  };
  const candidates = Object.keys(replies);
  const model = withFallback({ provider: 'Acme', candidates, open, onFallback: (each) => fallbacks.push(each) });
  const ask = async () => {
    const parts: Part[] = [];
    const { stream } = await model.doStream({ prompt: [] });
    for await (const part of stream as unknown as AsyncIterable<Part>) parts.push(part);
    return parts;
  };
  return { model, ask, asked, fallbacks };
}

it.each(MODEL_UNAVAILABLE_MARKERS)('takes "%s" for a model that is not available', (marker) => {
  expect(isModelUnavailable(new Error(`400: ${marker.toUpperCase()} (gpt)`))).toBe(true);
});

it('knows the wording of Anthropic, Google and Ollama, and no other failure', () => {
  expect(isModelUnavailable(new Error('{"type":"not_found_error","message":"model: claude-9"}'))).toBe(true);
  expect(isModelUnavailable(new Error('models/gemini-9 is not found for API version v1beta'))).toBe(true);
  expect(isModelUnavailable(new Error('"all-minilm:latest" does not support chat'))).toBe(true);
  for (const other of ['invalid api key', 'rate limit reached', 'not found', 'fetch failed'])
    expect([other, isModelUnavailable(new Error(other))]).toEqual([other, false]);
});

it('asks the next model where one is not available, says so, and stays with the one that answered', async () => {
  const { model, ask, asked, fallbacks } = startModels({
    first: new Error(GONE),
    second: [begin, failing(GONE)],
    third: [begin, text('hi'), text(' there')],
  });
  expect(model).toMatchObject({ provider: 'Acme', modelId: 'first' });
  expect(model.current()).toBe('first');
  expect(await ask()).toEqual([begin, text('hi'), text(' there')]);
  expect(fallbacks).toEqual([
    { from: 'first', to: 'second' },
    { from: 'second', to: 'third' },
  ]);
  expect(model.current()).toBe('third');
  await ask();
  expect(asked).toEqual(['first', 'second', 'third', 'third']);
});

it('names all models that were tried after the last one', async () => {
  const { ask } = startModels({ a: new Error(GONE), b: new Error(GONE) });
  const { code, message } = await failureOf(ask());
  expect(code).toBe('models_exhausted');
  expect(message).toMatch(/^No accessible model on Acme\. Tried: a, b\. .* your Acme account/);
});

it('does not change the model for another failure, or once its reply has begun', async () => {
  const denied = startModels({ a: new Error('invalid api key'), b: [text('no')] });
  await expect(denied.ask()).rejects.toThrow('invalid api key');
  const begun = startModels({ a: [begin, text('half'), failing(GONE)], b: [text('no')] });
  expect(await begun.ask()).toHaveLength(3);
  expect([denied.asked, begun.asked]).toEqual([['a'], ['a']]);
});

it('asks the next model also where an error follows parts without content', async () => {
  const parts = [begin, { type: 'response-metadata', id: '1' } as Part, { type: 'raw', rawValue: {} } as Part];
  const { ask, fallbacks } = startModels({ a: [...parts, failing(GONE)], b: [text('hi')] });
  expect(await ask()).toEqual([text('hi')]);
  expect(fallbacks).toEqual([{ from: 'a', to: 'b' }]);
});

it('gives an empty reply as it is', async () => {
  expect(await startModels({ a: [begin] }).ask()).toEqual([begin]);
});
