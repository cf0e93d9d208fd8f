import { createRegistry, emptyFlow } from '@croft/flow';
import { act, type ReactNode } from 'react';
import { expect, it } from 'vitest';
import { messagesQuery, sessionsQuery } from '../api/chats.ts';
import { refusal, useFakeApi } from '../testing/fake-api.ts';
import { useFakeEvents } from '../testing/fake-events.ts';
import { hidable, usePage } from '../testing/page.ts';
import { inClient, isInvalid, testClient } from '../testing/queries.ts';
import { useChat } from './use-chat.ts';

const server = useFakeApi();
const sources = useFakeEvents();
const page = usePage();
const flow = { id: 'f', document: emptyFlow('f'), registry: createRegistry([]) };
const START = 'POST /api/v1/flows/f/run/stream';

async function open(host = (node: ReactNode): ReactNode => node) {
  const client = testClient();
  client.setQueryData(messagesQuery('f', 's').queryKey, { pages: [], pageParams: [] });
  client.setQueryData(sessionsQuery('f').queryKey, { pages: [], pageParams: [] });
  const hook = await page.hook(
    () => useChat(flow, 's'),
    (node) => inClient(client)(host(node)),
  );
  server.answer(START, () => new Response('', { headers: { 'Croft-Run-Id': 'r1' } }));
  const emit = (event: { kind: string }) => act(async () => sources.at(-1)?.send(event, '', event.kind));
  return { hook, client, emit };
}

it('counts a message when it is sent, and not again when its run begins', async () => {
  const { hook } = await open();
  let begin: (response: Response) => void = () => undefined;
  server.answer(START, () => new Promise((resolve) => (begin = resolve)));
  let sending: Promise<boolean> | undefined;
  await act(async () => void (sending = hook.current.send('hi', {})));
  expect([hook.current.sent, hook.current.live]).toEqual([1, { text: 'hi' }]);
  begin(new Response('', { headers: { 'Croft-Run-Id': 'r1' } }));
  await act(async () => void (await sending));
  expect([hook.current.sent, hook.current.live]).toEqual([1, { text: 'hi', runId: 'r1' }]);
});

it('sends a message in its conversation and follows the run to its end', async () => {
  const { hook, client, emit } = await open();
  let began: boolean | undefined;
  await act(async () => void (began = await hook.current.send('hi', { i: { text: 'x' } } as never)));
  expect([began, hook.current.live, hook.current.isBusy]).toEqual([true, { text: 'hi', runId: 'r1' }, true]);
  const [, body = ''] = (server.requests[0] ?? '').split(`${START} `);
  expect(JSON.parse(body)).toEqual({
    message: 'hi',
    session: 's',
    inputs: { i: { text: 'x' } },
    timeoutSeconds: 600,
    from: 'playground',
  });
  await emit({ kind: 'run_finished', status: 'completed', text: 'Hello', metrics: {} } as never);
  expect([hook.current.isBusy, hook.current.run.text]).toEqual([false, 'Hello']);
  expect([messagesQuery('f', 's'), sessionsQuery('f')].map(({ queryKey }) => isInvalid(client, queryKey))).toEqual([
    true,
    true,
  ]);
});

it('says why a message was not sent', async () => {
  const { hook } = await open();
  server.answer(START, refusal(429, 'busy', 'Too many runs.'));
  let began: boolean | undefined;
  await act(async () => void (began = await hook.current.send('hi', {})));
  expect([began, hook.current.isBusy, hook.current.run.failure]).toEqual([false, false, { message: 'Too many runs.' }]);
});

it('deletes the messages of a turn before it sends its text again', async () => {
  const { hook } = await open();
  const message = 'DELETE /api/v1/flows/f/sessions/s/messages/m1';
  server.answer(message, {});
  await act(async () => void (await hook.current.retry('again', { messages: [{ id: 'm1' }] } as never, {})));
  expect(server.requests.map((each) => each.split(' {')[0])).toEqual([message, START]);
  server.answer(message, refusal(403, 'forbidden'));
  await expect(hook.current.retry('again', { messages: [{ id: 'm1' }] } as never, {})).rejects.toMatchObject({
    code: 'forbidden',
  });
  expect(server.requests).toHaveLength(3);
});

it('sends a text again once when a person presses twice', async () => {
  const { hook } = await open();
  const message = 'DELETE /api/v1/flows/f/sessions/s/messages/m1';
  server.answer(message, {});
  const again = () => hook.current.retry('again', { messages: [{ id: 'm1' }] } as never, {});
  let began: boolean[] = [];
  await act(async () => void (began = await Promise.all([again(), again()])));
  expect([began, server.requests.map((each) => each.split(' {')[0])]).toEqual([
    [true, false],
    [message, START],
  ]);
});

it('leaves the run before when the next message is sent, and all when the page is left', async () => {
  const { hook } = await open();
  await act(async () => void (await hook.current.send('one', {})));
  await act(async () => void (await hook.current.send('two', {})));
  expect(sources.map(({ readyState }) => readyState)).toEqual([2, 1]);
  hook.leave();
  expect(sources.map(({ readyState }) => readyState)).toEqual([2, 2]);
});

it('follows its run again from the beginning when the page is shown after the user signed in again', async () => {
  const { host, hide, show } = hidable();
  const { hook, emit } = await open(host);
  await act(async () => void (await hook.current.send('hi', {})));
  await emit({ kind: 'run_started' });
  await hide();
  expect(sources.map(({ readyState }) => readyState)).toEqual([2]);
  await show();
  expect(sources.map(({ readyState }) => readyState)).toEqual([2, 1]);
  expect([hook.current.live, hook.current.sent]).toEqual([{ text: 'hi', runId: 'r1' }, 1]);
  await emit({ kind: 'run_finished', status: 'completed', text: 'Hello', metrics: {} } as never);
  expect([hook.current.isBusy, hook.current.run.text]).toEqual([false, 'Hello']);
});
