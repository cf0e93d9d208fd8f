import { expect, it } from 'vitest';
import { type TestDatabase, useTestDatabase } from '../../../../tests/store/use-test-database.ts';
import { chatMessage, chatSession } from '../store/chat-schema.ts';
import { flow } from '../store/flow-schema.ts';
import { addMessage, isInSession, isSession } from './add-message.ts';
import { CHAT_LIMITS } from './chat-limits.ts';
import { deleteMessages, listMessages, listSessions } from './sessions.ts';
import { storedHistory } from './stored-history.ts';

let opened: TestDatabase;
const page = { limit: 100 };
let count = 0;

useTestDatabase(
  async (started) => {
    opened = started;
    const rest = { userId: 'ada', description: '', document: '{}', version: 1, documentBytes: 2, storedBytes: 2 };
    await opened.database.db.insert(flow).values(['f', 'g', 'h', 'i'].map((id) => ({ id, name: id, ...rest })));
  },
  ['ada'],
);

const keyOf = (flowId: string, sessionId: string) => ({ userId: 'ada', flowId, sessionId });
const add = (flowId: string, sessionId: string, text: string, limits = {}) =>
  addMessage(
    opened.database.db,
    keyOf(flowId, sessionId),
    { id: `m${count++}`, runId: 'r', isOfRun: true, sender: 'User', senderName: 'User', text },
    { ...CHAT_LIMITS, ...limits },
  );
const texts = async (flowId: string, sessionId: string) =>
  (await listMessages(opened.database.db, keyOf(flowId, sessionId), page)).messages.map(({ text }) => text);
const sessions = async (flowId: string) =>
  (await listSessions(opened.database.db, { userId: 'ada', flowId }, page)).sessions.map(({ id }) => id);

it('drops the oldest messages of a session by number and by size, and keeps the newest', async () => {
  for (const text of ['1', '2', '3', '4']) await add('f', 's', text, { messagesOfSession: 3 });
  expect(await texts('f', 's')).toEqual(['4', '3', '2']);
  await add('f', 's', 'x'.repeat(8), { bytesOfSession: 9 });
  expect(await texts('f', 's')).toEqual(['xxxxxxxx', '4']);
  await add('f', 's', 'y'.repeat(20), { bytesOfSession: 9 });
  expect(await texts('f', 's')).toEqual(['y'.repeat(20)]);
  const [session] = (await listSessions(opened.database.db, { userId: 'ada', flowId: 'f' }, page)).sessions;
  expect(session).toMatchObject({ name: '1', messages: 1 });
  expect(await deleteMessages(opened.database.db, keyOf('f', 's'))).toBe(1);
  expect(await sessions('f')).toEqual(['s']);
});

it('drops the oldest sessions of a flow, and of a user', async () => {
  for (const id of ['a', 'b', 'c']) await add('g', id, id, { sessionsOfFlow: 2 });
  expect(await sessions('g')).toEqual(['c', 'b']);
  await add('g', 'b', 'again', { sessionsOfFlow: 2 });
  await add('g', 'd', 'd', { sessionsOfFlow: 2 });
  expect(await sessions('g')).toEqual(['d', 'b']);
  await add('h', 'a', 'a', { sessionsOfUser: 2 });
  expect([await sessions('g'), await sessions('h'), await sessions('f')]).toEqual([['d'], ['a'], []]);
  await add('h', 'b', '12345', { bytesOfUser: 6 });
  expect([await sessions('g'), await sessions('h')]).toEqual([[], ['b', 'a']]);
});

it('cuts a long message, replaces NUL, and adds at once from many runs', async () => {
  await add('h', 'cut', 'a\0bcdef', { messageChars: 4 });
  const { messages } = await listMessages(opened.database.db, keyOf('h', 'cut'), page);
  expect(messages).toMatchObject([{ text: 'a\uFFFDbc', isCut: true }]);
  await Promise.all(Array.from({ length: 20 }, (_, at) => add('h', 'many', `${at}`, { messagesOfSession: 5 })));
  expect(await texts('h', 'many')).toHaveLength(5);
});

it('stores a message of a step once, and the message that a component also stores once', async () => {
  const owner = { userId: 'ada', flowId: 'i', runId: 'run', secrets: new Set(['canary']) };
  const history = storedHistory(async () => opened.database.db, owner);
  const { signal } = new AbortController();
  const said = { text: 'the canary sings', sender: 'User', sender_name: 'Ada', session_id: 's', timestamp: '' };
  const own = { id: 'run.user', runId: 'run', isOfRun: true, sender: 'User', senderName: 'User' };
  await addMessage(opened.database.db, keyOf('i', 's'), { ...own, text: 'the *** sings' });
  expect(await history.list('s', 10, signal)).toEqual([]);
  for (const step of ['a', 'a', 'b']) await history.add('s', said, signal, step);
  expect(await texts('i', 's')).toEqual(['the *** sings', 'the *** sings']);
  expect((await history.list('s', 1, signal)).map(({ text }) => text)).toEqual(['the *** sings']);
  const answer = { ...said, text: 'yes', sender: 'Machine' };
  await history.add('s', answer, signal, 'c');
  await addMessage(opened.database.db, keyOf('i', 's'), { ...own, id: 'run.answer', sender: 'Machine', text: 'yes' });
  expect(await texts('i', 's')).toHaveLength(3);
  await expect(history.add('x'.repeat(201), answer, signal, 'd')).rejects.toThrow('at most 200 characters');
  await expect(
    storedHistory(async () => opened.database.db, { ...owner, flowId: 'gone' }).add('s', answer, signal, 'e'),
  ).rejects.toThrow('The flow was deleted');
});

it('names a session after the first line of its first message, with 80 characters', async () => {
  const named = async (text: string) => {
    const sessionId = `named-${count}`;
    await add('i', sessionId, text, { sessionsOfFlow: 1 });
    await add('i', sessionId, 'more');
    const { sessions: found } = await listSessions(opened.database.db, { userId: 'ada', flowId: 'i' }, page);
    return found.map(({ name, messages }) => [name, messages]);
  };
  expect(await named('\n first line \nsecond')).toEqual([['first line ', 2]]);
  expect(await named(' \n')).toEqual([['Chat', 2]]);
  expect(await named('x'.repeat(81))).toEqual([['x'.repeat(80), 2]]);
});

it('stores a message with its tokens, its bytes and its sender, without NUL', async () => {
  const { db } = opened.database;
  const message = {
    id: 'full',
    runId: 'run-full',
    isOfRun: false,
    sender: `\0${'s'.repeat(CHAT_LIMITS.senderLength)}`,
    senderName: `\0${'n'.repeat(CHAT_LIMITS.senderLength)}`,
    text: 'ä€',
    tokens: { input: 3, output: 4 },
  };
  await addMessage(db, keyOf('h', 'full'), message);
  await addMessage(db, keyOf('h', 'full'), { ...message, id: 'other', text: 'b', tokens: undefined });
  const cut = CHAT_LIMITS.senderLength - 1;
  const stored = {
    ...keyOf('h', 'full'),
    runId: 'run-full',
    isOfRun: false,
    isCut: false,
    sender: `\uFFFD${'s'.repeat(cut)}`,
    senderName: `\uFFFD${'n'.repeat(cut)}`,
  };
  expect(
    await db
      .select()
      .from(chatMessage)
      .where(isInSession(keyOf('h', 'full')))
      .orderBy(chatMessage.position),
  ).toMatchObject([
    { ...stored, id: 'full', text: 'ä€', bytes: 5, inputTokens: 3, outputTokens: 4 },
    { ...stored, id: 'other', text: 'b', bytes: 1, inputTokens: null, outputTokens: null },
  ]);
  expect(
    await db
      .select()
      .from(chatSession)
      .where(isSession(keyOf('h', 'full'))),
  ).toMatchObject([{ messages: 2, bytes: 6 }]);
});

it('stores the same id once, and the twin of a message only for its run, sender and text', async () => {
  const { db } = opened.database;
  const key = keyOf('h', 'twin');
  const own = { id: 'one', runId: 'r1', isOfRun: true, sender: 'User', senderName: 'User', text: 'hi' };
  await addMessage(db, key, own);
  await addMessage(db, key, { ...own, text: 'again' });
  expect(await texts('h', 'twin')).toEqual(['hi']);
  await addMessage(db, key, { ...own, id: 'step', isOfRun: false });
  const ids = async () =>
    (await db.select().from(chatMessage).where(isInSession(key)).orderBy(chatMessage.position)).map(
      ({ id, isOfRun }) => `${id} ${isOfRun}`,
    );
  expect(await ids()).toEqual(['step false']);
  await addMessage(db, key, { ...own, id: 'two' });
  expect(await ids()).toEqual(['step false']);
  await addMessage(db, key, { ...own, id: 'run', runId: 'r2' });
  await addMessage(db, key, { ...own, id: 'sender', sender: 'Machine' });
  await addMessage(db, key, { ...own, id: 'text', text: 'ho' });
  await addMessage(db, keyOf('h', 'twin-2'), { ...own, id: 'session' });
  expect(await ids()).toEqual(['step false', 'run true', 'sender true', 'text true']);
  expect(await texts('h', 'twin-2')).toEqual(['hi']);
});

it('counts the messages and bytes that a session keeps', async () => {
  const counts = async () => {
    const [found] = await opened.database.db
      .select()
      .from(chatSession)
      .where(isSession(keyOf('h', 'counts')));
    return [found?.messages, found?.bytes];
  };
  for (const text of ['aa', 'bbb', 'c']) await add('h', 'counts', text, { messagesOfSession: 2, bytesOfSession: 6 });
  expect([await counts(), await texts('h', 'counts')]).toEqual([
    [2, 4],
    ['c', 'bbb'],
  ]);
  await add('h', 'counts', 'dd', { bytesOfSession: 6 });
  expect(await counts()).toEqual([3, 6]);
  await add('h', 'counts', 'e', { bytesOfSession: 6 });
  expect([await counts(), await texts('h', 'counts')]).toEqual([
    [3, 4],
    ['e', 'dd', 'c'],
  ]);
});
