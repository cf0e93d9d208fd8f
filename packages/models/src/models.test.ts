import { afterEach, describe, expect, it, vi } from 'vitest';
import { collectGarbage } from '../../../tests/support/collect-garbage.ts';
import { createModels, type ModelsOptions } from './models.ts';
import { modelsExhaustedMessage } from './fallback.ts';
import { detectOllama } from './list-models.ts';
import type { ModelEvent, ModelRequest, ModelResult } from './request.ts';
import { failureOf, type ScriptedProvider, type ScriptedReply, startScriptedProvider } from './testing.ts';

let provider: ScriptedProvider | undefined;

afterEach(async () => {
  await provider?.close();
  provider = undefined;
});

interface Asked {
  readonly events: readonly ModelEvent[];
  readonly result: ModelResult;
}

async function start(
  replies: Parameters<typeof startScriptedProvider>[0],
  models?: readonly string[],
): Promise<ScriptedProvider> {
  provider = await startScriptedProvider(replies, models);
  return provider;
}

async function ask(
  name: string,
  request: Partial<ModelRequest> = {},
  more: Partial<ModelsOptions> = {},
): Promise<Asked> {
  const [by, model = ''] = name.split('/');
  const models = createModels({ variables: provider?.variables ?? {}, retries: 0, ...more });
  const running = models.stream({
    model: { provider: by as string, name: model },
    messages: [{ role: 'user', text: 'Hi' }],
    ...request,
  });
  const events: ModelEvent[] = [];
  for (;;) {
    const { done, value } = await running.next();
    if (done === true) return { events, result: value };
    events.push(value);
  }
}

const textIn = (events: readonly ModelEvent[]) =>
  events.map((event) => (event.kind === 'text' ? event.text : '')).join('');

/** The keys of a scripted provider. */
const KEYS = ['sk-ant-canary-1111', 'sk-canary-2222', 'AIza-canary-3333333', 'gsk_canary_4444', 'canary-key-5555'];
const PROVIDERS = ['Anthropic', 'OpenAI', 'Google Generative AI', 'Groq', 'Ollama', 'OpenAI compatible'];
const WEATHER = {
  name: 'get_weather',
  description: 'Gives the weather of a city.',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};

describe.each(PROVIDERS)('%s', (name) => {
  it('streams text in parts and reports usage', async () => {
    await start([{ text: 'Hello there' }]);
    const { events, result } = await ask(name, { system: 'Be brief.' });
    expect(textIn(events)).toBe('Hello there');
    expect(events.length).toBeGreaterThan(1);
    expect(result).toMatchObject({
      text: 'Hello there',
      finish: 'stop',
      usage: { inputTokens: 10, outputTokens: 5, totalTokens: 15 },
    });
    expect(provider?.requests[0]?.body).toContain('Be brief.');
  });

  it('runs the tool that the model calls and sums the usage of both steps', async () => {
    await start([
      { text: 'Let me look.', calls: [{ name: 'get_weather', arguments: { city: 'Oslo' } }] },
      { text: 'It is 4 degrees.' },
    ]);
    const asked: unknown[] = [];
    const run = (args: unknown) => {
      asked.push(args);
      return Promise.resolve({ degrees: 4 });
    };
    const { events, result } = await ask(name, { tools: [{ ...WEATHER, run }] });
    expect(asked).toEqual([{ city: 'Oslo' }]);
    expect(events.filter(({ kind }) => kind !== 'text')).toMatchObject([
      { kind: 'tool-call', name: 'get_weather', input: { city: 'Oslo' } },
      { kind: 'tool-result', name: 'get_weather', output: { degrees: 4 }, isError: false },
    ]);
    expect(result).toMatchObject({ text: 'It is 4 degrees.', usage: { inputTokens: 20, outputTokens: 10 } });
    expect(provider?.requests[1]?.body).toMatch(/degrees\\*":\s*4/);
  });

  it.each<[string, ScriptedReply]>([
    [
      'authentication',
      { status: 401, body: '{"error":{"type":"authentication_error","message":"invalid x-api-key"}}' },
    ],
    ['rate_limit', { status: 429, body: '{"error":{"message":"slow down"}}' }],
    ['quota', { status: 429, body: '{"error":{"code":"insufficient_quota","message":"insufficient_quota"}}' }],
    ['server_error', { status: 503, body: '<html>bad gateway</html>' }],
    ['bad_request', { status: 400, body: `{"error":{"message":"too long, key ${KEYS.join(' ')}"}}` }],
    ['bad_reply', { raw: '<html>Welcome to the login page</html>' }],
    ['bad_reply', { raw: 'data: {"not json\n\n' }],
    ['unreachable', { text: 'Hello there', stall: 'cut' }],
  ])('explains %s with advice and without a key', async (code, reply) => {
    await start([reply]);
    const error = await failureOf(ask(name));
    expect(error.code).toBe(code);
    expect(error.message).toContain(name);
    expect(error.fix).toMatch(/\.$/);
    if (code === 'authentication')
      expect(error.fix).toMatch(name === 'Ollama' ? /^Use a server of Ollama / : /^Set \w+_API_KEY to a valid key of /);
    const own = provider?.requests[0]?.headers ?? {};
    const sent = KEYS.filter((key) => JSON.stringify(own).includes(key));
    for (const key of sent)
      expect(JSON.stringify([error.message, error.fix, error.stack, error.cause, error])).not.toContain(key);
    if (name !== 'Ollama') expect(sent).toHaveLength(1);
  });

  it('sends its key to no other server, whatever a redirect says', async () => {
    const other = await startScriptedProvider([{ text: 'Thank you for the key' }]);
    await start([{ status: 307, headers: { location: `${other.url}/v1/messages` } }]);
    expect((await failureOf(ask(name))).code).toBe('unreachable');
    expect(other.requests).toHaveLength(0);
    await other.close();
  });

  it('sends every request through the given fetch', async () => {
    const { requests } = await start([{ text: 'x' }]);
    const urls: string[] = [];
    const fetch = (input: unknown) => {
      urls.push(String(input));
      return Promise.reject(new TypeError('fetch failed'));
    };
    expect((await failureOf(ask(name, {}, { fetch: fetch as typeof globalThis.fetch }))).code).toBe('unreachable');
    expect([urls.length > 0, requests.length]).toEqual([true, 0]);
  });

  it.each(['before', 'during'] as const)('gives up on a provider that stalls %s its reply', async (stall) => {
    const { clientLeft, requests } = await start([{ text: 'Hello there', stall }]);
    let error: unknown;
    // On a busy machine, the time may pass before the request is sent.
    for (let silenceMs = 100; requests.length === 0; silenceMs *= 2)
      error = await failureOf(ask(name, {}, { silenceMs }));
    expect(error).toMatchObject({ code: 'timeout', message: expect.stringContaining(name) as string });
    await clientLeft;
  });

  it('aborts the request on a signal', async () => {
    const abort = new AbortController();
    const { clientLeft } = await start([{ text: 'Hello there', stall: 'during' }]);
    const models = createModels({ variables: provider?.variables ?? {} });
    const running = models.stream({
      model: { provider: name, name: '' },
      messages: [{ role: 'user', text: 'Hi' }],
      signal: abort.signal,
    });
    await running.next();
    // The request must still follow its signal after its first objects are gone.
    collectGarbage();
    abort.abort();
    expect((await failureOf(drain(running))).code).toBe('cancelled');
    await clientLeft;
  });

  it('falls back to the next model when one is not available', async () => {
    const missing = (model: string) => ({
      status: 404,
      body: JSON.stringify({ error: { code: 'model_not_found', message: `The model ${model} does not exist` } }),
    });
    await start((_, count) => (count === 0 ? missing('first') : { text: 'From the second' }), ['a:cloud', 'b']);
    const { events, result } = await ask(`${name}/wanted`);
    expect(events[0]).toMatchObject({ kind: 'fallback', provider: name, from: 'wanted', to: result.model.name });
    expect(result.text).toBe('From the second');
  });
});

async function drain(running: AsyncGenerator<unknown>): Promise<void> {
  for await (const each of running) void each;
}

describe('fallback', () => {
  it('names every model it tried when none is available', async () => {
    await start([{ status: 404, body: '{"error":{"message":"model_not_found"}}' }], ['b', 'x:cloud', 'c']);
    const error = await failureOf(ask('Ollama/a'));
    expect(error).toMatchObject({
      code: 'models_exhausted',
      message: modelsExhaustedMessage('Ollama', ['a', 'b', 'c', 'x:cloud']),
    });
    expect(provider?.requests).toHaveLength(4);
  });

  it.each([401, 429, 500])('does not try another model after status %i', async (status) => {
    await start([{ status, body: '{"error":{"message":"no"}}' }]);
    await failureOf(ask('OpenAI'));
    expect(provider?.requests).toHaveLength(1);
  });

  it('keeps the model that answered for later steps, and repeats no tool call', async () => {
    await start((request, count) =>
      request.body.includes('"gpt-5.4"')
        ? { status: 404, body: '{"error":{"message":"model_not_found"}}' }
        : count === 1
          ? { calls: [{ name: 'get_weather', arguments: { city: 'Rome' } }] }
          : { text: 'Sunny.' },
    );
    let calls = 0;
    const run = () => Promise.resolve(++calls);
    const { result } = await ask('OpenAI', { tools: [{ ...WEATHER, run }] });
    expect([calls, result.model.name, provider?.requests.length]).toEqual([1, 'gpt-5.2', 3]);
  });

  it('tries a rate-limited provider again', async () => {
    await start((_, count) =>
      count === 0 ? { status: 429, headers: { 'retry-after-ms': '1' }, body: '{}' } : { text: 'Now.' },
    );
    expect((await ask('OpenAI', {}, { retries: 2 })).result.text).toBe('Now.');
  });
});

describe('tools', () => {
  it('gives the error of a tool to the model', async () => {
    await start([{ calls: [{ name: 'get_weather', arguments: { city: '?' } }] }, { text: 'There is no such city.' }]);
    const run = () => Promise.reject(new Error('unknown city'));
    const { events } = await ask('OpenAI', { tools: [{ ...WEATHER, run }] });
    expect(events).toContainEqual(
      expect.objectContaining({ kind: 'tool-result', output: 'unknown city', isError: true }),
    );
    expect(provider?.requests[1]?.body).toContain('unknown city');
  });

  it('tells the model about a tool that does not exist', async () => {
    await start([{ calls: [{ name: 'launch', arguments: {} }] }, { text: 'Sorry.' }]);
    const { result } = await ask('OpenAI', { tools: [{ ...WEATHER, run: () => Promise.resolve(1) }] });
    expect(result.text).toBe('Sorry.');
    expect(provider?.requests[1]?.body).toContain('launch');
  });

  it('stops after the allowed steps and says so', async () => {
    await start([{ calls: [{ name: 'get_weather', arguments: { city: 'Rome' } }] }]);
    const run = () => Promise.resolve('sunny');
    const { result } = await ask('OpenAI', { tools: [{ ...WEATHER, run }], maxSteps: 3 });
    expect([result.finish, provider?.requests.length]).toEqual(['steps', 3]);
  });
});

describe('structured output', () => {
  const schema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };

  it('gives the object and sends the schema', async () => {
    await start([{ text: '```json\n{"name":"Ada"}\n```' }]);
    expect((await ask('OpenAI', { schema })).result.object).toEqual({ name: 'Ada' });
    expect(provider?.requests[0]?.body).toContain('"json_schema"');
  });

  it('explains a reply that is not JSON', async () => {
    await start([{ text: 'Her name is Ada.' }]);
    expect(await failureOf(ask('OpenAI', { schema }))).toMatchObject({
      code: 'bad_reply',
      message: expect.stringContaining("didn't match the expected schema") as string,
    });
  });
});

describe('configuration', () => {
  it('enables a provider when all its variables have a value', () => {
    const states = createModels({ variables: { OPENAI_API_KEY: 'k', GROQ_API_KEY: ' ' } }).providers;
    expect(states.filter(({ isEnabled }) => isEnabled).map(({ name }) => name)).toEqual(['OpenAI', 'croft']);
    expect(states.find(({ name }) => name === 'Groq')?.missing).toEqual(['GROQ_API_KEY']);
  });

  it('names the variables that a provider needs and can have, until they have a value', () => {
    const statesOf = (variables: Record<string, string>) =>
      createModels({ variables }).providers.map(({ name, missing, optional, exampleUrl }) =>
        [name, ...missing, '|', ...optional, exampleUrl ?? ''].join(' ').trim(),
      );
    expect(statesOf({})).toEqual([
      'Anthropic ANTHROPIC_API_KEY |',
      'OpenAI OPENAI_API_KEY |',
      'Google Generative AI GOOGLE_GENERATIVE_AI_API_KEY |',
      'Groq GROQ_API_KEY |',
      'Ollama OLLAMA_BASE_URL | http://127.0.0.1:11434',
      'OpenAI compatible OPENAI_COMPATIBLE_BASE_URL | OPENAI_COMPATIBLE_API_KEY http://127.0.0.1:1234/v1',
      'croft |',
    ]);
    expect(statesOf({ OPENAI_COMPATIBLE_BASE_URL: 'http://h/v1', OPENAI_COMPATIBLE_API_KEY: 'k' })[5]).toBe(
      'OpenAI compatible | http://127.0.0.1:1234/v1',
    );
  });

  it('prefers Anthropic, then OpenAI, then Google, then Groq, and the offline model without a key', () => {
    const order = ['ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY', 'GROQ_API_KEY'];
    const preferred = order.map(
      (_, at) => createModels({ variables: Object.fromEntries(order.slice(at).map((name) => [name, 'k'])) }).preferred,
    );
    expect(preferred.map((each) => each.provider)).toEqual(['Anthropic', 'OpenAI', 'Google Generative AI', 'Groq']);
    expect(createModels({ variables: {} }).preferred).toEqual({ provider: 'croft', name: 'offline' });
  });

  it('lists the keys and passwords that no event may show, and no empty one', () => {
    const variables = {
      OPENAI_API_KEY: 'secret-1',
      OPENAI_COMPATIBLE_BASE_URL: 'http://ada:secret-2@127.0.0.1/v1',
      OPENAI_COMPATIBLE_API_KEY: '',
    };
    expect(createModels({ variables }).secrets).toEqual(['secret-1', 'ada', 'secret-2']);
  });

  it('names the variable that a provider needs, and the providers that there are', async () => {
    expect(await failureOf(ask('OpenAI/gpt-4o'))).toMatchObject({
      code: 'not_configured',
      message: 'OpenAI is not configured.',
      fix: 'Set OPENAI_API_KEY, or use croft/offline, which needs no key.',
    });
    expect(await failureOf(ask('x'.repeat(101)))).toMatchObject({
      code: 'unknown_model',
      message: `There is no provider '${'x'.repeat(100)}'.`,
      fix: 'Use one of these: Anthropic, OpenAI, Google Generative AI, Groq, Ollama, OpenAI compatible, croft.',
    });
  });

  it('prefers the configured model, or the first of the configured provider', () => {
    const preferred = (provider: string, name: string) =>
      createModels({ variables: {}, preferred: { provider, name } }).preferred;
    expect([preferred('openai', 'x'), preferred('openai', ''), preferred('Ollama', ''), preferred('none', '')]).toEqual(
      [
        { provider: 'openai', name: 'x' },
        { provider: 'openai', name: 'gpt-5.4' },
        { provider: 'Ollama', name: '' },
        { provider: 'none', name: '' },
      ],
    );
  });

  it('says of each provider what is missing, and which models it has', () => {
    const { providers } = createModels({ variables: { OPENAI_API_KEY: 'k' } });
    expect(providers.filter(({ name }) => ['OpenAI', 'Groq', 'croft'].includes(name))).toEqual([
      {
        name: 'OpenAI',
        isEnabled: true,
        missing: [],
        optional: [],
        models: expect.arrayContaining(['gpt-4o']),
        embeddingModels: expect.arrayContaining(['text-embedding-3-small']),
      },
      {
        name: 'Groq',
        isEnabled: false,
        missing: ['GROQ_API_KEY'],
        optional: [],
        models: expect.arrayContaining(['llama-3.3-70b-versatile']),
        embeddingModels: undefined,
      },
      { name: 'croft', isEnabled: true, missing: [], optional: [], models: ['offline'], embeddingModels: undefined },
    ]);
  });

  it('asks a server without a list for the model that is named, and for no other', async () => {
    const variables = { OPENAI_COMPATIBLE_BASE_URL: 'http://h.example/v1' };
    const asked: string[] = [];
    const fetch = (async (input: unknown) => {
      asked.push(String(input));
      return new Response('{}', { status: 404 });
    }) as typeof globalThis.fetch;
    await failureOf(ask('compatible/mine', {}, { variables, fetch }));
    expect(asked).toEqual(['http://h.example/v1/models', 'http://h.example/v1/chat/completions']);
    await failureOf(ask('compatible', {}, { variables, fetch }));
    expect(asked.slice(2)).toEqual(['http://h.example/v1/models']);
  });

  it.each([
    ['OpenAI', 'OPENAI', 'https://api.openai.com/v1/'],
    ['Anthropic', 'ANTHROPIC', 'https://api.anthropic.com/v1/'],
    ['Google Generative AI', 'GOOGLE_GENERATIVE_AI', 'https://generativelanguage.googleapis.com/v1beta/'],
    ['Groq', 'GROQ', 'https://api.groq.com/openai/v1/'],
  ])('reads neither key nor address of %s from the environment', async (name, prefix, address) => {
    const requests: { url: string; headers: string }[] = [];
    const fetch = (input: unknown, init?: RequestInit) => {
      requests.push({ url: String(input), headers: JSON.stringify([...new Headers(init?.headers)]) });
      return Promise.reject(new TypeError('fetch failed'));
    };
    vi.stubEnv(`${prefix}_BASE_URL`, 'http://127.0.0.1:1');
    vi.stubEnv(`${prefix}_API_KEY`, 'from-the-environment');
    try {
      const variables = { [`${prefix}_API_KEY`]: 'given' };
      await failureOf(ask(name, {}, { variables, fetch: fetch as typeof globalThis.fetch }));
      expect(requests[0]?.url.startsWith(address)).toBe(true);
      expect(requests[0]?.headers).toContain('given');
      expect((await failureOf(ask(name, {}, { variables: {} }))).code).toBe('not_configured');
    } finally {
      vi.unstubAllEnvs();
    }
  });

  it('finds Ollama where it has a model, and nothing where no server answers', async () => {
    const { url } = await start([]);
    expect(await detectOllama(url)).toBe(url);
    const empty = await startScriptedProvider([], []);
    expect(await detectOllama(empty.url)).toBeUndefined();
    await empty.close();
    await provider?.close();
    expect(await detectOllama(url)).toBeUndefined();
  });

  it('says that a server is not reachable', async () => {
    const { variables } = await start([]);
    await provider?.close();
    expect(await failureOf(ask('Ollama', {}, { variables }))).toMatchObject({ code: 'unreachable' });
  });
});
