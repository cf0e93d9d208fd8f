import { describe, expect, it } from 'vitest';
import { detectOllama, listServedModels } from './list-models.ts';
import type { Provider } from './providers.ts';

const provider = (name: string, secret: readonly string[] = []) => ({ name, secret }) as unknown as Provider;

/** Lists the models of a server with this answer; gives the request as well. */
async function list(of: Provider, baseUrl: string, answer: Response, variables = {}) {
  let asked: { url: string; headers: unknown } | undefined;
  const fetch = (async (url: string, init: RequestInit) => {
    asked = { url, headers: init.headers };
    return answer;
  }) as unknown as typeof globalThis.fetch;
  return { models: await listServedModels(of, baseUrl, variables, { fetch }), asked };
}
const models = (...data: unknown[]) => Response.json({ data });

describe('the models of a server', () => {
  it('are asked for below its address, with the key where there is one', async () => {
    expect((await list(provider('Ollama'), 'http://h:1//', models({ id: 'a' }))).asked).toEqual({
      url: 'http://h:1/v1/models',
      headers: {},
    });
    expect((await list(provider('Ollama'), 'http://h:1/v1/', models({ id: 'a' }))).asked?.url).toBe(
      'http://h:1/v1/models',
    );
    const keyed = await list(provider('Other', ['NONE', 'KEY']), 'http://h:1', models({ id: 'a' }), {
      NONE: '',
      KEY: 'k',
    });
    expect(keyed.asked).toEqual({ url: 'http://h:1/models', headers: { authorization: 'Bearer k' } });
  });

  it('come in the order of the server, those in the cloud and for embeddings last, and nothing that is not a name', async () => {
    const answer = models(
      { id: 'nomic-embed-text' },
      { id: 'x:cloud' },
      { id: 'mxbai-Embed:cloud' },
      { id: 'b' },
      { id: '' },
      {},
      null,
      'text',
      { id: 7 },
      { id: 'y-cloud' },
      { id: 'a' },
    );
    expect((await list(provider('Ollama'), 'http://h', answer)).models).toEqual([
      'b',
      'a',
      'x:cloud',
      'y-cloud',
      'nomic-embed-text',
      'mxbai-Embed:cloud',
    ]);
  });

  it('fail as the connection does while they arrive', async () => {
    for (const error of [new DOMException('Cancelled', 'AbortError'), new TypeError('terminated')]) {
      const body = new ReadableStream({ pull: (controller) => controller.error(error) });
      await expect(list(provider('Ollama'), 'http://h', new Response(body))).rejects.toBe(error);
    }
  });

  it('are 1,000 at most', async () => {
    const many = models(...Array.from({ length: 1_001 }, (_, at) => ({ id: `m${at}` })));
    expect((await list(provider('Other'), 'http://h', many)).models).toHaveLength(1_000);
  });

  it('that cannot be listed are an error with what to do', async () => {
    let isCancelled = false;
    const body = new ReadableStream({ cancel: () => void (isCancelled = true) });
    const failed = list(provider('Ollama'), 'http://h', new Response(body, { status: 401 }));
    await expect(failed).rejects.toMatchObject({ message: 'The list of models has status 401.', statusCode: 401 });
    expect(isCancelled).toBe(true);
    for (const answer of [models(), Response.json([]), new Response('no json')])
      await expect(list(provider('Ollama'), 'http://h', answer)).rejects.toMatchObject({
        code: 'bad_reply',
        message: 'Ollama: The server lists no models.',
        fix: 'Install one with: ollama pull MODEL.',
      });
    await expect(list(provider('Other'), 'http://h', models())).rejects.toMatchObject({
      fix: 'Name a model: provider/name.',
    });
  });
});

it('sends the signal of the caller, and one for its own limit', async () => {
  const seen: RequestInit[] = [];
  const fetch = (async (_: string, init: RequestInit) => {
    seen.push(init);
    return models({ id: 'a' });
  }) as unknown as typeof globalThis.fetch;
  const stop = new AbortController();
  await listServedModels(provider('Other'), 'http://h', {}, { fetch, signal: stop.signal });
  await listServedModels(provider('Other'), 'http://h', {}, { fetch });
  stop.abort();
  expect(seen.map(({ signal }) => signal?.aborted)).toEqual([true, false]);
});

it('asks an Ollama server on loopback unless another is named, and follows no redirect', async () => {
  const asked: unknown[] = [];
  const fetch = (async (url: string, { signal, ...init }: RequestInit) => {
    asked.push([url, signal instanceof AbortSignal, init]);
    return Response.json({ models: [{}] });
  }) as unknown as typeof globalThis.fetch;
  expect(await detectOllama(undefined, fetch)).toBe('http://127.0.0.1:11434');
  expect(asked).toEqual([['http://127.0.0.1:11434/api/tags', true, { redirect: 'manual' }]]);
});

it('detects an Ollama server that has a model, and nothing else', async () => {
  const detect = (answer: Response | Error) =>
    detectOllama('http://h', (async () => {
      if (answer instanceof Error) throw answer;
      return answer;
    }) as unknown as typeof globalThis.fetch);
  expect(await detect(Response.json({ models: [{}] }))).toBe('http://h');
  for (const answer of [
    Response.json({ models: [] }),
    Response.json({}),
    new Response('x'),
    Response.json({ models: [{}] }, { status: 404 }),
    new Error('refused'),
  ])
    expect(await detect(answer)).toBeUndefined();
});
