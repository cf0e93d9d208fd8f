import { afterAll, beforeAll, expect, it } from 'vitest';
import { withBoundedReplies } from './bounded-replies.ts';
import { listServedModels } from './list-models.ts';
import { createModels } from './models.ts';
import { type Provider, providerNamed } from './providers.ts';
import { failureOf, type ScriptedProvider, startScriptedProvider } from './testing.ts';

const OPENAI = providerNamed('OpenAI') as Provider;
const LIMITS = { reply: 20, failure: 10, line: 5 };
const STREAM = { headers: { 'content-type': 'text/event-stream; charset=utf-8' } };

const textOf = async (chunks: readonly string[], init?: ResponseInit): Promise<string> => {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk));
      controller.close();
    },
  });
  const fetch = withBoundedReplies(async () => new Response(body, init), LIMITS);
  return (await fetch('https://a.test')).text();
};

const tooLarge = (bytes: number) => ({ name: 'ReplyTooLargeError', message: `It has more than ${bytes} bytes.` });
const invalid = (provider: string, bytes: number) => ({
  code: 'bad_reply',
  message: `${provider}: The provider sent a reply that is not valid. It has more than ${bytes} bytes.`,
});

it('passes a response on, with its status and headers', async () => {
  const sent = new Response('hello', { status: 201, headers: { 'x-a': 'b' } });
  const response = await withBoundedReplies(async () => sent, LIMITS)('https://a.test');
  expect([response.status, response.headers.get('x-a'), await response.text()]).toEqual([201, 'b', 'hello']);
  const empty = new Response(null, { status: 204 });
  expect(await withBoundedReplies(async () => empty, LIMITS)('https://a.test')).toBe(empty);
});

it('ends a reply, and sooner an error, with more bytes than a provider sends', async () => {
  expect(await textOf(['a'.repeat(10), 'b'.repeat(10)])).toHaveLength(20);
  await expect(textOf(['a'.repeat(10), `\n${'b'.repeat(10)}`])).rejects.toMatchObject(tooLarge(20));
  expect(await textOf(['a'.repeat(10)], { status: 400 })).toHaveLength(10);
  await expect(textOf(['a'.repeat(11)], { status: 400 })).rejects.toMatchObject(tooLarge(10));
});

it('ends a stream with a line that does not end', async () => {
  expect(await textOf(['aaaaa\nbb', 'bbb\n', 'ccccc'], STREAM)).toHaveLength(17);
  await expect(textOf(['aaa', 'aaa'], STREAM)).rejects.toMatchObject(tooLarge(5));
  await expect(textOf(['a\nbbb', 'bbb'], STREAM)).rejects.toMatchObject(tooLarge(5));
});

it('limits the line of a stream only', async () => {
  expect(await textOf(['a'.repeat(15)])).toHaveLength(15);
});

let provider: ScriptedProvider;
beforeAll(async () => {
  provider = await startScriptedProvider([{ status: 400, body: 'a'.repeat(2 * 1024 * 1024) }]);
});
afterAll(() => provider.close());

it('says that an error of a provider is too large', async () => {
  const models = createModels({ variables: provider.variables, retries: 0 });
  const reply = models.stream({
    messages: [{ role: 'user', text: 'x' }],
    model: { provider: 'OpenAI', name: 'gpt-5' },
  });
  expect(await failureOf(reply.next())).toMatchObject(invalid('OpenAI', 1024 * 1024));
});

it('reads no list of models that is too large, and no long names of a list', async () => {
  const listed = (id: string) => {
    const body = JSON.stringify({ data: [{ id }, { id: 'm' }] });
    const fetch = withBoundedReplies(async () => new Response(body), { ...LIMITS, reply: 400 });
    return listServedModels(OPENAI, 'https://a.test', {}, { fetch });
  };
  await expect(listed('a'.repeat(400))).rejects.toMatchObject(tooLarge(400));
  expect(await listed('a'.repeat(256))).toEqual(['a'.repeat(256), 'm']);
  expect(await listed('a'.repeat(257))).toEqual(['m']);
});
