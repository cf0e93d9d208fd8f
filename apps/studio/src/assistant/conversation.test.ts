import type { AssistantEvent } from '@croft/assistant/events';
import { afterEach, expect, it, vi } from 'vitest';
import { ApiError } from '../api/request.ts';
import type { Chat, StoredTurn } from './chat.ts';
import { createConversation } from './conversation.ts';
import { createFakeAssistantServer } from './fake-assistant-server.ts';
import { added, begin } from './testing-events.ts';

afterEach(() => void vi.useRealTimers());

function open() {
  const fake = createFakeAssistantServer();
  const log: string[] = [];
  const conversation = createConversation({
    server: fake.server,
    sessionId: 's1',
    onRun: (id, version) => log.push(`run ${id} ${version}`),
    onComponent: () => log.push('component'),
    onFailure: (error) => log.push((error as Error).message),
  });
  const send = (key: string, id: string) => {
    conversation.dispatch({ kind: 'sent', key, message: `message ${key}` });
    conversation.follow(key, id);
  };
  return { fake, log, conversation, send };
}
const texts = ({ entries }: Chat) =>
  entries.map((entry) =>
    entry.kind === 'note' ? entry.text : [entry.message, ...entry.turns.map(({ text }) => text)].join('|'),
  );
const token = (chunk: string): AssistantEvent => ({ event: 'token', chunk });
const stored = (id: string, more: Partial<StoredTurn> = {}): StoredTurn => ({
  id,
  status: 'complete',
  message: `message ${id}`,
  reply: 'Done.',
  events: [begin(id)],
  can_rewind_canvas: false,
  ...more,
});

it('shows tokens together, 25 times a second, and other events at once', () => {
  vi.useFakeTimers();
  const { fake, conversation, send } = open();
  send('k', 't1');
  fake.emit('t1', begin());
  const listener = vi.fn();
  conversation.subscribe(listener);
  fake.emit('t1', token('a'), token('b'));
  expect(listener).not.toHaveBeenCalled();
  vi.advanceTimersByTime(40);
  expect([texts(conversation.get()), listener.mock.calls.length]).toEqual([['message k|ab'], 1]);
  fake.emit('t1', token('c'), added('T', 'a', 2));
  expect([texts(conversation.get()), listener.mock.calls.length]).toEqual([['message k|abc'], 2]);
  vi.advanceTimersByTime(400);
  expect(listener).toHaveBeenCalledTimes(2);
});

it('reports a run with the newest version that the assistant stored, and components', () => {
  const { fake, log, send } = open();
  send('k', 't1');
  fake.emit('t1', begin(), added('T', 'a', 5), added('T', 'b', 4), { event: 'run_started', run_id: 'r1' });
  fake.emit('t1', { event: 'component', class_name: 'C', label: 'C', code: '' } as never);
  expect(log).toEqual(['run r1 5', 'component']);
});

it('reads one turn at a time, and shows what it has when it stops', () => {
  const { fake, conversation, send } = open();
  send('k', 't1');
  fake.emit('t1', begin(), token('half'));
  conversation.follow('k', 't2');
  expect([fake.isFollowed('t1'), fake.isFollowed('t2')]).toEqual([false, true]);
  conversation.stopReading();
  expect([fake.isFollowed('t2'), texts(conversation.get())]).toEqual([false, ['message k|half']]);
});

it('reads a stored conversation, keeps newer turns, and follows a running turn', async () => {
  const { fake, conversation } = open();
  fake.stored.set('s1', [stored('t1'), stored('t2', { status: 'running', events: [] })]);
  const loading = conversation.load('s1');
  conversation.dispatch({ kind: 'noted', key: 'n', text: 'a note' });
  let isRead = false;
  const waiting = conversation.whenRead().then(() => (isRead = true));
  expect(isRead).toBe(false);
  await loading;
  await waiting;
  expect(texts(conversation.get())).toEqual(['message t1|Done.', 'message t2|', 'a note']);
  expect(fake.isFollowed('t2')).toBe(true);
});

it('drops a conversation that was left while it was read', async () => {
  const { fake, conversation } = open();
  fake.stored.set('s1', [stored('t1')]);
  const loading = conversation.load('s1');
  conversation.show('s2');
  await loading;
  expect(conversation.get()).toEqual({ sessionId: 's2', entries: [] });
  await conversation.whenRead();
});

it('shows the answer that it asked for last', async () => {
  const { fake, conversation } = open();
  const answers: ((turns: readonly StoredTurn[]) => void)[] = [];
  fake.server.readSession = () => new Promise((resolve) => answers.push(resolve));
  const both = [conversation.load('s1'), conversation.load('s1')];
  answers[1]?.([stored('new')]);
  answers[0]?.([stored('old')]);
  await Promise.all(both);
  expect(texts(conversation.get())).toEqual(['message new|Done.']);
});

it('reads the conversation again after a failure that passes, until it is left', async () => {
  vi.useFakeTimers();
  const { fake, log, send, conversation } = open();
  send('k', 't1');
  let count = 0;
  fake.server.readSession = async () => {
    count += 1;
    if (count < 3) throw new ApiError('bad_gateway', 'away', 502);
    return [stored('t1', { status: 'interrupted' })];
  };
  fake.gone('t1');
  await vi.advanceTimersByTimeAsync(2_999);
  expect(count).toBe(1);
  await vi.advanceTimersByTimeAsync(3_001);
  expect([count, texts(conversation.get()), log]).toEqual([3, ['message t1|Done.'], []]);
  count = 0;
  conversation.follow('t1', 't1');
  fake.gone('t1');
  await vi.advanceTimersByTimeAsync(0);
  conversation.stopReading();
  await vi.advanceTimersByTimeAsync(9_000);
  expect(count).toBe(1);
});

it('reads the conversation where the events of a turn are gone, or says that it cannot', async () => {
  const { fake, log, send, conversation } = open();
  send('k', 't1');
  fake.stored.set('s1', [stored('t1', { status: 'interrupted' })]);
  fake.gone('t1');
  await vi.waitFor(() => expect(texts(conversation.get())).toEqual(['message t1|Done.']));
  fake.server.readSession = () => Promise.reject(new Error('away'));
  conversation.follow('t1', 't1');
  fake.gone('t1');
  await vi.waitFor(() => expect(log).toEqual(['away']));
});
