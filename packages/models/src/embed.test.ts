import { afterEach, describe, expect, it } from 'vitest';
import { readEmbeddingRef } from './embed.ts';
import { ModelError } from './errors.ts';
import { createModels, type ModelsOptions } from './models.ts';
import { failureOf, type ScriptedProvider, startScriptedProvider } from './testing.ts';

let provider: ScriptedProvider | undefined;
afterEach(async () => {
  await provider?.close();
  provider = undefined;
});

const KEYS = ['sk-canary-2222', 'AIza-canary-3333333', 'canary-key-5555'];
const TEXTS = ['a sheep', 'a wall of stone'];

async function start(...replies: Parameters<typeof startScriptedProvider>): Promise<void> {
  provider = await startScriptedProvider(...replies);
}

const embed = (by: string, texts: readonly string[] = TEXTS, signal?: AbortSignal, more: Partial<ModelsOptions> = {}) =>
  createModels({ variables: provider?.variables ?? {}, retries: 0, ...more }).embed({
    model: { provider: by, name: 'embed-model' },
    texts,
    signal,
  });

describe.each([
  ['OpenAI', 'authorization', 'Bearer sk-canary-2222', 6],
  ['Google Generative AI', 'x-goog-api-key', 'AIza-canary-3333333', 0],
  ['Ollama', 'authorization', undefined, 6],
  ['OpenAI compatible', 'authorization', 'Bearer canary-key-5555', 6],
])('%s', (name, header, key, tokens) => {
  it('embeds texts in their order, with its key and usage', async () => {
    await start([{}]);
    const { vectors, inputTokens } = await embed(name);
    expect(vectors.map((each) => [...each])).toEqual([
      [3, 4, 2, 2],
      [4, 3, 2, 4],
    ]);
    expect(inputTokens).toBe(tokens);
    expect(provider?.requests[0]?.headers[header]).toBe(key);
    expect(provider?.requests[0]?.body).toContain('a wall of stone');
  });

  it('gives many texts in requests that the provider takes', async () => {
    await start([{}]);
    const { vectors } = await embed(
      name,
      Array.from({ length: 150 }, (_, at) => `${'a'.repeat(at)}`),
    );
    expect(vectors.map(([first]) => first)).toEqual(Array.from({ length: 150 }, (_, at) => at + 2));
    expect(provider?.requests).toHaveLength(name === 'Google Generative AI' ? 2 : 1);
  });

  it('explains failures, without keys', async () => {
    await start([{ status: 401, body: JSON.stringify({ error: { message: `bad key ${KEYS.join(' ')}` } }) }]);
    const failure = await failureOf(embed(name));
    expect(failure.code).toBe('authentication');
    for (const each of KEYS) expect(JSON.stringify([failure.message, failure.fix])).not.toContain(each);
  });

  it('closes the connection of a cancelled request, and ends one without an answer', async () => {
    await start([{ stall: 'before' }]);
    const abort = new AbortController();
    const embedding = failureOf(embed(name, TEXTS, abort.signal));
    await expect.poll(() => provider?.requests.length).toBe(1);
    abort.abort();
    expect((await embedding).code).toBe('cancelled');
    await provider?.clientLeft;
    expect((await failureOf(embed(name, TEXTS, undefined, { silenceMs: 50 }))).code).toBe('timeout');
  });

  it('refuses replies that are not vectors of one length, one for each text', async () => {
    const openai = [[[1, 2]], [[1, 2], [3]], [[], []]].map((data) => ({
      data: data.map((embedding) => ({ embedding })),
    }));
    const google = [[[1, 2]], [[1, 2], [3]], [[], []]].map((data) => ({
      embeddings: data.map((values) => ({ values })),
    }));
    for (const each of name === 'Google Generative AI' ? google : openai) {
      await start([{ raw: JSON.stringify(each) }]);
      expect((await failureOf(embed(name))).code).toBe('bad_reply');
      await provider?.close();
    }
  });
});

it('tries again after a rate limit', async () => {
  await start([{ status: 429, headers: { 'retry-after-ms': '1' } }, {}]);
  expect((await embed('OpenAI', TEXTS, undefined, { retries: 1 })).vectors).toHaveLength(2);
});

it('sends nothing for no texts, and nothing to a provider without a key', async () => {
  await start([{}]);
  expect(await embed('OpenAI', [])).toEqual({ vectors: [], inputTokens: 0 });
  const failure = await failureOf(embed('OpenAI', TEXTS, undefined, { variables: {} }));
  expect([failure.code, failure.fix]).toEqual(['not_configured', expect.stringContaining('or use croft/lexical')]);
  expect(provider?.requests).toEqual([]);
});

it.each([
  ['text-embedding-3-large', { provider: 'OpenAI', name: 'text-embedding-3-large' }],
  ['openai', { provider: 'OpenAI', name: 'text-embedding-3-small' }],
  ['google', { provider: 'Google Generative AI', name: 'gemini-embedding-001' }],
  ['Ollama/bge-m3', { provider: 'Ollama', name: 'bge-m3' }],
  [[{ provider: 'OpenAI', name: 'text-embedding-3-small' }], { provider: 'OpenAI', name: 'text-embedding-3-small' }],
])('reads the embedding model %j', (value, ref) => {
  expect(readEmbeddingRef(value)).toEqual(ref);
});

it.each(['', 'Anthropic/claude-opus-4-6', 'compatible', 'unheard-of'])('refuses the embedding model "%s"', (value) => {
  expect(() => readEmbeddingRef(value)).toThrow(ModelError);
});
