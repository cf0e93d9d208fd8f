import { expect, it } from 'vitest';
import { isEnabled, PROVIDERS, providerNamed } from './providers.ts';

const provider = (name: string) => {
  const found = providerNamed(name);
  if (found === undefined) throw new Error(`no ${name}`);
  return found;
};

/** The address and headers of a request of a model, with these variables. */
async function requestOf(name: string, variables: Record<string, string>) {
  let seen: { url: string; headers: Headers } | undefined;
  const fetch = async (input: unknown, init?: RequestInit) => {
    seen = { url: String(input), headers: new Headers(init?.headers) };
    return new Response('{}', { status: 500 });
  };
  const open = await provider(name).open(variables, fetch as typeof globalThis.fetch);
  const prompt = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'Hi' }] }];
  await Promise.resolve(open('m-1').doStream({ prompt })).catch(() => undefined);
  if (seen === undefined) throw new Error('no request');
  return { url: seen.url, header: (key: string) => seen?.headers.get(key) };
}

it('finds a provider by its name or alias, in any case', () => {
  expect(providerNamed(' anthropic ')?.name).toBe('Anthropic');
  expect(providerNamed('Claude')?.name).toBe('Anthropic');
  expect(providerNamed('gemini')?.name).toBe('Google Generative AI');
  expect(providerNamed('openai-compatible')?.name).toBe('OpenAI compatible');
  expect(providerNamed('other')).toBeUndefined();
});

it('prefers providers of keys, then servers of the user, and the offline model last', () => {
  expect(PROVIDERS.map(({ name }) => name)).toEqual([
    'Anthropic',
    'OpenAI',
    'Google Generative AI',
    'Groq',
    'Ollama',
    'OpenAI compatible',
    'croft',
  ]);
});

it('tries the newest model first, and lists none for a server that lists its own', () => {
  expect(PROVIDERS.map(({ models }) => models[0])).toEqual([
    'claude-opus-4-6',
    'gpt-5.4',
    'gemini-2.5-pro',
    'llama-3.3-70b-versatile',
    undefined,
    undefined,
    'offline',
  ]);
  const owners = (model: string) => PROVIDERS.filter(({ owns }) => owns?.test(model)).map(({ name }) => name);
  expect([owners('claude-9'), owners('gpt-9'), owners('o7'), owners('gemini-9'), owners('llama')]).toEqual([
    ['Anthropic'],
    ['OpenAI'],
    ['OpenAI'],
    ['Google Generative AI'],
    [],
  ]);
});

it('enables a provider whose variables all have a value', () => {
  const anthropic = provider('anthropic');
  expect(isEnabled(anthropic, {})).toBe(false);
  expect(isEnabled(anthropic, { ANTHROPIC_API_KEY: '  ' })).toBe(false);
  expect(isEnabled(anthropic, { ANTHROPIC_API_KEY: 'key' })).toBe(true);
  expect(isEnabled(provider('croft'), {})).toBe(true);
});

it('shows no variable with a key in an error', () => {
  for (const { name, required, secret } of PROVIDERS)
    expect([name, required.filter((each) => each.endsWith('_KEY') && !secret.includes(each))]).toEqual([name, []]);
  expect(provider('compatible').secret).toEqual(['OPENAI_COMPATIBLE_API_KEY']);
});

it('sends the key of a provider to the address of this provider', async () => {
  const anthropic = await requestOf('anthropic', { ANTHROPIC_API_KEY: 'k-a' });
  expect([anthropic.url, anthropic.header('x-api-key')]).toEqual(['https://api.anthropic.com/v1/messages', 'k-a']);
  const openai = await requestOf('openai', { OPENAI_API_KEY: 'k-o' });
  expect([openai.url, openai.header('authorization')]).toEqual(['https://api.openai.com/v1/responses', 'Bearer k-o']);
  const google = await requestOf('google', { GOOGLE_GENERATIVE_AI_API_KEY: 'k-g' });
  expect(google.url).toMatch(/^https:\/\/generativelanguage\.googleapis\.com\/v1beta\/models\/m-1:/);
  expect(google.header('x-goog-api-key')).toBe('k-g');
  const groq = await requestOf('groq', { GROQ_API_KEY: 'k-q' });
  expect([groq.url, groq.header('authorization')]).toEqual([
    'https://api.groq.com/openai/v1/chat/completions',
    'Bearer k-q',
  ]);
});

it('takes a configured address with and without the path of the API', async () => {
  const key = { ANTHROPIC_API_KEY: 'k', OPENAI_API_KEY: 'k', GOOGLE_GENERATIVE_AI_API_KEY: 'k', GROQ_API_KEY: 'k' };
  const urls = [
    await requestOf('anthropic', { ...key, ANTHROPIC_BASE_URL: 'https://proxy.test' }),
    await requestOf('anthropic', { ...key, ANTHROPIC_BASE_URL: 'https://proxy.test/v1/' }),
    await requestOf('google', { ...key, GOOGLE_GEMINI_BASE_URL: 'https://proxy.test/v1beta' }),
    await requestOf('openai', { ...key, OPENAI_BASE_URL: 'https://proxy.test/v1' }),
    await requestOf('groq', { ...key, GROQ_BASE_URL: 'https://proxy.test/' }),
    await requestOf('ollama', { OLLAMA_BASE_URL: 'http://127.0.0.1:11434' }),
    await requestOf('compatible', { OPENAI_COMPATIBLE_BASE_URL: 'http://local.test/v9/' }),
  ].map(({ url }) => url.replace(/models\/.*/, ''));
  expect(urls).toEqual([
    'https://proxy.test/v1/messages',
    'https://proxy.test/v1/messages',
    'https://proxy.test/v1beta/',
    'https://proxy.test/v1/responses',
    'https://proxy.test/openai/v1/chat/completions',
    'http://127.0.0.1:11434/v1/chat/completions',
    'http://local.test/v9/chat/completions',
  ]);
});

it('sends no key to a server that needs none', async () => {
  const ollama = await requestOf('ollama', { OLLAMA_BASE_URL: 'http://127.0.0.1:1', OPENAI_API_KEY: 'k' });
  const open = await requestOf('compatible', { OPENAI_COMPATIBLE_BASE_URL: 'http://127.0.0.1:1' });
  const keyed = await requestOf('compatible', {
    OPENAI_COMPATIBLE_BASE_URL: 'http://127.0.0.1:1',
    OPENAI_COMPATIBLE_API_KEY: 'k',
  });
  expect([ollama, open, keyed].map(({ header }) => header('authorization'))).toEqual([null, null, 'Bearer k']);
});

it('opens embedding models at the same address', async () => {
  const urls: string[] = [];
  const fetch = (async (input: unknown) => {
    urls.push(String(input));
    return new Response('{}', { status: 500 });
  }) as typeof globalThis.fetch;
  for (const name of ['openai', 'ollama', 'compatible']) {
    const variables = {
      OPENAI_API_KEY: 'k',
      OPENAI_BASE_URL: 'http://o.test/v1',
      OLLAMA_BASE_URL: 'http://l.test',
      OPENAI_COMPATIBLE_BASE_URL: 'http://c.test/v1',
    };
    const open = await provider(name).embeddings?.open(variables, fetch);
    await Promise.resolve(open?.('e-1').doEmbed({ values: ['a'] })).catch(() => undefined);
  }
  expect(urls).toEqual(['http://o.test/v1/embeddings', 'http://l.test/v1/embeddings', 'http://c.test/v1/embeddings']);
  expect(provider('anthropic').embeddings).toBeUndefined();
  expect(provider('openai').embeddings?.models[0]).toBe('text-embedding-3-small');
});

it('names the variables, models and aliases of each provider', () => {
  const lines = PROVIDERS.map(({ name, aliases, required, baseUrl, secret, models, embeddings }) =>
    [name, aliases, required, baseUrl, secret, models, embeddings?.models ?? 'none'].join(' | '),
  );
  expect(lines).toEqual([
    'Anthropic | claude | ANTHROPIC_API_KEY | ANTHROPIC_BASE_URL | ANTHROPIC_API_KEY | claude-opus-4-6,claude-sonnet-4-6,claude-opus-4-5-20251101 | none',
    'OpenAI |  | OPENAI_API_KEY | OPENAI_BASE_URL | OPENAI_API_KEY | gpt-5.4,gpt-5.2,gpt-5.1,gpt-5,gpt-4o,gpt-4o-mini | text-embedding-3-small,text-embedding-3-large,text-embedding-ada-002',
    'Google Generative AI | google,gemini | GOOGLE_GENERATIVE_AI_API_KEY | GOOGLE_GEMINI_BASE_URL | GOOGLE_GENERATIVE_AI_API_KEY | gemini-2.5-pro,gemini-1.5-pro | gemini-embedding-001',
    'Groq |  | GROQ_API_KEY | GROQ_BASE_URL | GROQ_API_KEY | llama-3.3-70b-versatile,openai/gpt-oss-120b,llama-3.1-8b-instant | none',
    'Ollama |  | OLLAMA_BASE_URL | OLLAMA_BASE_URL |  |  | nomic-embed-text',
    'OpenAI compatible | openai-compatible,openai_compatible,compatible | OPENAI_COMPATIBLE_BASE_URL | OPENAI_COMPATIBLE_BASE_URL | OPENAI_COMPATIBLE_API_KEY |  | ',
    'croft |  |  |  |  | offline | none',
  ]);
});
