import { act } from 'react';
import { expect, it, vi } from 'vitest';
import { memoryStorage } from '../assistant/fake-assistant-server.ts';
import { refusal, useFakeApi } from '../testing/fake-api.ts';
import { usePage } from '../testing/page.ts';
import { useVisitorChat } from './use-visitor-chat.ts';

const server = useFakeApi();
const page = usePage();
const ROUTE = 'POST /api/v1/public/l/messages';
const KEY = 'croft.visitor.l';

async function open(kept?: string) {
  const storage = memoryStorage();
  if (kept !== undefined) storage.setItem(KEY, kept);
  vi.stubGlobal('sessionStorage', storage);
  const hook = await page.hook(() => useVisitorChat('l'));
  const answer = (...events: (readonly [kind: string, text: string])[]) =>
    server.answer(
      ROUTE,
      () =>
        new Response(events.map(([kind, text]) => `event: ${kind}\ndata: ${JSON.stringify({ text })}\n\n`).join('')),
    );
  const sendAndWait = async (text: string) => {
    await act(async () => hook.current.send(text));
    await vi.waitFor(() => expect(hook.current.isBusy).toBe(false));
  };
  const sent = (at: number) =>
    (JSON.parse((server.requests[at] ?? '').slice(ROUTE.length)) as { messages: { content: string }[] }).messages;
  return { hook, storage, answer, sendAndWait, sent };
}
const user = (content: string) => ({ role: 'user', content });
const assistant = (content: string) => ({ role: 'assistant', content });

it('shows the answer while it is written, and keeps the conversation in the tab', async () => {
  const { hook, storage, answer, sendAndWait } = await open();
  let release: () => void = () => undefined;
  const rest = new Promise<void>((resolve) => (release = resolve));
  const bytes = (kind: string, text: string) =>
    new TextEncoder().encode(`event: ${kind}\ndata: ${JSON.stringify({ text })}\n\n`);
  const body = new ReadableStream<Uint8Array>({
    async start(stream) {
      stream.enqueue(bytes('text', 'He'));
      stream.enqueue(bytes('text', 'llo'));
      await rest;
      stream.enqueue(bytes('done', 'Hello!'));
      stream.close();
    },
  });
  server.answer(ROUTE, () => new Response(body));
  await act(async () => hook.current.send('hi'));
  await vi.waitFor(() => expect(hook.current.draft).toBe('Hello'));
  expect(hook.current.isBusy).toBe(true);
  await act(async () => release());
  await vi.waitFor(() => expect(hook.current.isBusy).toBe(false));
  expect(hook.current).toMatchObject({ messages: [user('hi'), assistant('Hello!')], problem: undefined });
  expect(JSON.parse(storage.getItem(KEY) ?? '')).toEqual(hook.current.messages);
  answer(['done', 'Again']);
  await sendAndWait('more');
  expect(hook.current.messages).toHaveLength(4);
});

it.each([
  [[['failed', 'The flow failed.']], [], 'The flow failed.'],
  [[['text', 'half']], [assistant('half')], 'The connection was lost before the answer was complete.'],
  [[['done', '']], [], 'The flow gave no text.'],
] as const)('of the events %j keeps %j and says %s', async (events, more, problem) => {
  const { hook, answer, sendAndWait } = await open();
  answer(...events);
  await sendAndWait('hi');
  expect(hook.current).toMatchObject({ messages: [user('hi'), ...more], problem });
});

it('says why the server refused a message, and asks again for an answer to the last one', async () => {
  const { hook, answer, sendAndWait, sent } = await open(JSON.stringify([user('a'), assistant('b')]));
  server.answer(ROUTE, refusal(429, 'busy', 'Too many messages.'));
  await sendAndWait('hi');
  expect(hook.current.problem).toBe('Too many messages.');
  answer(['done', 'Hello']);
  await act(async () => hook.current.retry());
  await vi.waitFor(() => expect(hook.current.isBusy).toBe(false));
  expect(hook.current.messages.map(({ content }) => content)).toEqual(['a', 'b', 'hi', 'Hello']);
  await act(async () => hook.current.retry());
  await vi.waitFor(() => expect(server.requests).toHaveLength(3));
  expect(sent(2).map(({ content }) => content)).toEqual(['a', 'b', 'hi']);
});

it('stops without a problem, and forgets the conversation', async () => {
  const { hook, storage } = await open();
  server.answer(ROUTE, () => new Promise(() => undefined));
  await act(async () => hook.current.send('hi'));
  expect([hook.current.draft, hook.current.isBusy]).toEqual(['', true]);
  await act(async () => hook.current.clear());
  expect([hook.current.messages, hook.current.isBusy, storage.getItem(KEY)]).toEqual([[], false, '[]']);
});

it('sends the latest fifty messages, from one of the visitor on', async () => {
  const kept = Array.from({ length: 61 }, (_, at) => (at % 2 === 0 ? user(`u${at}`) : assistant(`a${at}`)));
  const { answer, sendAndWait, sent } = await open(JSON.stringify(kept.slice(0, -1)));
  answer(['done', 'x']);
  await sendAndWait('last');
  expect([sent(0).length, sent(0)[0], sent(0).at(-1)]).toEqual([49, user('u12'), user('last')]);
});

it.each(['{', '7', 'null'])('has no messages where the tab kept %s', async (kept) => {
  expect((await open(kept)).hook.current.messages).toEqual([]);
});

it('stops the request when the visitor stops it or leaves, without a problem', async () => {
  const { hook } = await open();
  server.answer(ROUTE, () => new Promise(() => undefined));
  const isStopped = () => vi.mocked(fetch).mock.lastCall?.[1]?.signal?.aborted;
  await act(async () => hook.current.send('hi'));
  expect(isStopped()).toBe(false);
  act(() => hook.current.stop());
  expect(isStopped()).toBe(true);
  await act(async () => hook.current.send('again'));
  expect([isStopped(), hook.current.problem]).toEqual([false, undefined]);
  hook.leave();
  expect(isStopped()).toBe(true);
});

it('keeps the latest 200 messages in the tab', async () => {
  const kept = Array.from({ length: 200 }, (_, at) => user(`u${at}`));
  const { hook, storage, answer, sendAndWait } = await open(JSON.stringify(kept));
  answer(['failed', 'No.']);
  await sendAndWait('last');
  const stored = JSON.parse(storage.getItem(KEY) ?? '') as object[];
  expect([hook.current.messages.length, stored.length, stored[0], stored.at(-1)]).toEqual([
    201,
    200,
    user('u1'),
    user('last'),
  ]);
});
