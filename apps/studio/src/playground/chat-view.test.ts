import { createRegistry, emptyFlow } from '@croft/flow';
import { createElement } from 'react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { memoryStorage } from '../assistant/fake-assistant-server.ts';
import { refusal, useFakeApi } from '../testing/fake-api.ts';
import { useFakeEvents } from '../testing/fake-events.ts';
import { outline } from '../testing/outline.ts';
import { fire, named, type, usePage } from '../testing/page.ts';
import { inClient, signedInClient, testClient } from '../testing/queries.ts';
import { dismissToasts, Toaster } from '../ui/toast.tsx';
import { ChatView } from './chat-view.tsx';
import { inputOf } from './testing-inputs.ts';

const server = useFakeApi();
const sources = useFakeEvents();
const page = usePage();
beforeEach(dismissToasts);
const MESSAGES = 'GET /api/v1/flows/f1/sessions/s1/messages';
const START = 'POST /api/v1/flows/f1/run/stream';

const registry = createRegistry([{ descriptor: inputOf('ChatInput') }, { descriptor: inputOf('TextInput') }]);
const node = (id: string, kind: string, values = {}) => ({ id, type: kind, position: { x: 0, y: 0 }, values });
const message = (id: string, sender: string, text: string, runId = 'r0') => ({
  id,
  runId,
  node: 'A',
  sender,
  senderName: sender,
  text,
  files: [],
  createdAt: '2026-01-01T00:00:00Z',
});

async function show({
  isStored = false,
  isNew = true,
  session = 's1',
  client = testClient(),
  nodes = [node('A', 'ChatInput', { input_value: 'Try me' })],
} = {}) {
  const [onStored, onNew] = [vi.fn(), vi.fn()];
  const open = { flow: { id: 'f1', name: 'Daily', version: 1 }, document: { ...emptyFlow('Daily'), nodes }, registry };
  const props = { open, session, isNew, isStored, onStored, onNew };
  server.answer(START, () => new Response('', { headers: { 'Croft-Run-Id': 'r1' } }));
  const box = await page.show(
    inClient(client)(createElement(ChatView, props as unknown as Parameters<typeof ChatView>[0])),
  );
  const send = async (text: string) => {
    await type(box.querySelector('textarea') as Element, text);
    await fire(box.querySelector('textarea') as Element, 'keydown', {
      key: 'Enter',
      shiftKey: false,
      isComposing: false,
    });
  };
  return { box, onStored, onNew, send };
}

describe('a new chat', () => {
  it('asks the server for no messages, and offers the sample of the flow', async () => {
    const { box } = await show();
    await expect
      .poll(() => outline(box).slice(0, 9))
      .toEqual([
        'section[aria-label=Chat]',
        'div[tabindex=0][aria-label=Messages][role=region]',
        'span[aria-hidden=true]',
        'icon message-square 22',
        'p Chat with Daily',
        'p Write a message. The flow remembers the earlier messages of a chat where one of its components reads them.',
        'button[type=button]',
        'span Try me',
        'textarea[placeholder=Write a message][rows=1][aria-label=Message]',
      ]);
    expect(server.requests).toEqual([]);
    expect(box.querySelector('section')?.getAttribute('aria-label')).toBe('Chat');
    expect(box.textContent).toContain('Try me');
  });

  it('is stored with its first message', async () => {
    const { box, onStored, send } = await show();
    await send('Hello');
    await vi.waitFor(() => expect(onStored).toHaveBeenCalledOnce());
    expect(server.requests[0]).toContain('"message":"Hello"');
    expect(box.textContent).toContain('Hello');
    expect(sources).toHaveLength(1);
  });

  it('is not stored where the message was not sent', async () => {
    const { onStored, send } = await show();
    server.answer(START, refusal(409, 'busy', 'It is busy.'));
    await send('Hello');
    await vi.waitFor(() => expect(server.requests).toHaveLength(1));
    expect(onStored).not.toHaveBeenCalled();
  });

  it('has fields for the other inputs of the flow', async () => {
    const fields = async (...nodes: ReturnType<typeof node>[]) =>
      (await show({ nodes })).box.querySelectorAll('input').length;
    expect(await fields(node('A', 'ChatInput'))).toBe(0);
    expect(await fields(node('A', 'ChatInput'), node('B', 'TextInput'))).toBeGreaterThan(0);
  });
});

it('sends the other inputs of the flow with a message', async () => {
  const { box, send } = await show({ nodes: [node('A', 'ChatInput'), node('B', 'TextInput')] });
  await type(box.querySelector('input') as Element, 'Graz');
  await send('Hello');
  await vi.waitFor(() => expect(server.requests).not.toHaveLength(0));
  expect(server.requests[0]).toContain('"B":{"input_value":"Graz"}');
});

describe('a stored chat', () => {
  it('loads', async () => {
    server.answer(MESSAGES, () => new Promise(() => undefined));
    const { box } = await show({ isStored: true });
    expect(box.textContent).toContain('Loading the messages');
    expect(box.textContent).not.toContain('Try me');
  });

  it('shows its messages', async () => {
    const messages = [message('1', 'User', 'Hi?'), message('2', 'AI', 'Hello.')];
    server.answer(MESSAGES, { messages, nextCursor: null });
    const { box, onStored, send } = await show({ isStored: true });
    await vi.waitFor(() => expect(box.textContent).toContain('Hi?'));
    expect(box.textContent).not.toContain('Try me');
    await send('More');
    await vi.waitFor(() => expect(sources).toHaveLength(1));
    expect(onStored).not.toHaveBeenCalled();
  });

  it('follows the run of its last message while that is under way', async () => {
    server.answer(MESSAGES, { messages: [message('1', 'User', 'Hi?', 'r9')], nextCursor: null });
    server.answer('GET /api/v1/runs/r9', { run: { id: 'r9', status: 'running', questions: [], timeline: [] } });
    await show({ isStored: true });
    await vi.waitFor(() => expect(sources.at(-1)?.url).toContain('r9'));
  });

  it('does not follow a run that has ended', async () => {
    server.answer(MESSAGES, { messages: [message('1', 'User', 'Hi?', 'r9')], nextCursor: null });
    server.answer('GET /api/v1/runs/r9', { run: { id: 'r9', status: 'failed', questions: [], timeline: [] } });
    await show({ isStored: true });
    await vi.waitFor(() => expect(server.requests).toContain('GET /api/v1/runs/r9'));
    expect(sources).toHaveLength(0);
  });

  it('says why it cannot be shown, and leads to a new one', async () => {
    server.answer(MESSAGES, refusal(404, 'not_found', 'There is no such chat.'));
    const { box, onNew } = await show({ isStored: true });
    await vi.waitFor(() => expect(box.textContent).toContain('This chat cannot be shown'));
    expect(box.textContent).toBe('This chat cannot be shownThere is no such chat.Try again New chat');
    await fire(named(box, 'New chat'), 'click');
    expect(onNew).toHaveBeenCalledOnce();
    server.answer(MESSAGES, { messages: [message('1', 'AI', 'Hello.')], nextCursor: null });
    await fire(named(box, 'Try again'), 'click');
    await vi.waitFor(() => expect(box.textContent).toContain('Hello.'));
  });
});

describe('a message that is sent again', () => {
  const messages = [message('2', 'AI', 'Hello.'), message('1', 'User', 'Hi?')];

  it.each([
    [true, 0],
    [false, 1],
  ])('begins a run, stored %s', async (isStored, count) => {
    server.answer(MESSAGES, { messages, nextCursor: null });
    for (const id of ['1', '2']) server.answer(`DELETE /api/v1/flows/f1/sessions/s1/messages/${id}`, {});
    const { box, onStored, send } = await show({ isStored });
    if (!isStored) {
      server.answer(START, refusal(409, 'busy', 'It is busy.'));
      await send('Hi?');
      await vi.waitFor(() => expect(box.textContent).toContain('It is busy.'));
      server.answer(START, () => new Response('', { headers: { 'Croft-Run-Id': 'r1' } }));
    }
    const again = isStored ? 'Answer again' : 'Try again';
    await vi.waitFor(() => expect(named(box, again)).toBeDefined());
    await fire(named(box, again), 'click');
    await vi.waitFor(() => expect(sources).toHaveLength(1));
    await vi.waitFor(() => expect(onStored).toHaveBeenCalledTimes(count));
  });

  it('stays as it is where it cannot be deleted', async () => {
    server.answer(MESSAGES, { messages, nextCursor: null });
    server.answer('DELETE /api/v1/flows/f1/sessions/s1/messages/1', refusal(403, 'forbidden', 'It is shared.'));
    const { box } = await show({ isStored: true });
    const toasts = await page.show(createElement(Toaster));
    await vi.waitFor(() => expect(named(box, 'Answer again')).toBeDefined());
    await fire(named(box, 'Answer again'), 'click');
    await vi.waitFor(() => expect(toasts.textContent).toBe('The message was not sent again. It is shared.'));
    expect(sources).toHaveLength(0);
  });
});

it('keeps the message that was not sent: of each conversation, and one for the next new one', async () => {
  vi.stubGlobal('sessionStorage', memoryStorage());
  server.answer('GET /api/v1/flows/f1/chats/s2/messages', { messages: [], nextCursor: null });
  const client = signedInClient();
  const open = async (session: string, isNew: boolean) =>
    (await show({ client, session, isNew })).box.querySelector('textarea') as HTMLTextAreaElement;
  await type(await open('s1', true), 'new');
  await type(await open('s2', false), 'later');
  const fields = [await open('s3', true), await open('s2', false), await open('s4', false)];
  // Linkedom does not take the first value of a textarea from it.
  expect(fields.map(({ defaultValue }) => defaultValue)).toEqual(['new', 'later', '']);
});
