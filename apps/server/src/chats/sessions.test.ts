import { emptyFlow } from '@croft/flow';
import { and, eq } from 'drizzle-orm';
import { beforeEach, expect, it } from 'vitest';
import { useSharedDatabase } from '../../../../tests/store/use-shared-database.ts';
import { createFlow } from '../flows/create-flow.ts';
import { chatSession } from '../store/chat-schema.ts';
import type { Db } from '../store/database.ts';
import { addMessage } from './add-message.ts';
import { deleteMessages, deleteSession, listMessages, listSessions, renameSession } from './sessions.ts';

let db: Db;
let flowId: string;
let count = 0;
useSharedDatabase((database) => void (db = database.db), ['cs-ann', 'cs-bob']);
beforeEach(async () => {
  flowId = (await createFlow(db, 'cs-ann', emptyFlow())).flow.id;
});

const key = (sessionId: string, userId = 'cs-ann') => ({ userId, flowId, sessionId });
const add = (sessionId: string, text: string, more: object = {}) =>
  addMessage(db, key(sessionId), {
    id: `cs-${count++}`,
    runId: `run-${count}`,
    isOfRun: true,
    sender: 'User',
    senderName: 'Ann',
    text,
    ...more,
  });
const texts = async (sessionId: string, page: object = {}) =>
  (await listMessages(db, key(sessionId), { limit: 10, ...page })).messages.map(({ text }) => text);
const sessions = async (page: object = {}) => listSessions(db, { userId: 'cs-ann', flowId }, { limit: 10, ...page });
const missing = { status: 404, code: 'not_found', message: 'The flow has no such session.' };

it('lists messages newest first, in pages, with their tokens', async () => {
  for (const text of ['a', 'b', 'c']) await add('s', text);
  await add('s', 'd', { sender: 'Machine', tokens: { input: 1, output: 2 } });
  const first = await listMessages(db, key('s'), { limit: 3 });
  expect(first.messages.map(({ text }) => text)).toEqual(['d', 'c', 'b']);
  expect(first.messages[0]).toMatchObject({
    sender: 'Machine',
    senderName: 'Ann',
    isCut: false,
    tokens: { input: 1, output: 2 },
  });
  expect(first.messages[1]?.tokens).toBeNull();
  const rest = await listMessages(db, key('s'), { limit: 3, cursor: first.nextCursor ?? '' });
  expect([rest.messages.map(({ text }) => text), rest.nextCursor]).toEqual([['a'], null]);
  await expect(listMessages(db, key('s'), { limit: 3, cursor: 'x' })).rejects.toMatchObject({ code: 'invalid' });
});

it('lists sessions, the latest message first, in pages', async () => {
  for (const [at, id] of ['one', 'two', 'three'].entries()) {
    await add(id, id);
    await db
      .update(chatSession)
      .set({ updatedAt: new Date(at * 1_000) })
      .where(eq(chatSession.id, id));
  }
  const first = await sessions({ limit: 2 });
  expect(first.sessions.map(({ id, messages }) => [id, messages])).toEqual([
    ['three', 1],
    ['two', 1],
  ]);
  const rest = await sessions({ limit: 2, cursor: first.nextCursor ?? '' });
  expect([rest.sessions.map(({ id }) => id), rest.nextCursor]).toEqual([['one'], null]);
  for (const cursor of ['x', '1', '_a']) await expect(sessions({ cursor })).rejects.toMatchObject({ code: 'invalid' });
});

it('reaches only sessions of the user', async () => {
  await add('s', 'a');
  const other = key('s', 'cs-bob');
  await expect(listMessages(db, other, { limit: 1 })).rejects.toMatchObject(missing);
  await expect(renameSession(db, other, 'x')).rejects.toMatchObject(missing);
  await expect(deleteSession(db, other)).rejects.toMatchObject(missing);
  await expect(deleteMessages(db, other)).rejects.toMatchObject(missing);
  expect((await listSessions(db, { userId: 'cs-bob', flowId }, { limit: 10 })).sessions).toEqual([]);
  expect(await texts('s')).toEqual(['a']);
});

it('names and deletes a session', async () => {
  await add('s', 'a');
  await add('t', 'b');
  expect(await renameSession(db, key('s'), 'New')).toMatchObject({ id: 's', name: 'New', messages: 1 });
  await deleteSession(db, key('s'));
  expect((await sessions()).sessions.map(({ id }) => id)).toEqual(['t']);
  await expect(listMessages(db, key('s'), { limit: 1 })).rejects.toMatchObject(missing);
});

it('deletes one message or all, and counts what is left', async () => {
  for (const text of ['aa', 'bb', 'cc']) await add('s', text);
  await add('t', 'other');
  const [newest] = (await listMessages(db, key('s'), { limit: 1 })).messages;
  expect(await deleteMessages(db, key('s'), newest?.id)).toBe(1);
  await expect(deleteMessages(db, key('s'), newest?.id)).rejects.toMatchObject({ status: 404, code: 'not_found' });
  const stateOf = async () =>
    (
      await db
        .select({ messages: chatSession.messages, bytes: chatSession.bytes })
        .from(chatSession)
        .where(and(eq(chatSession.id, 's'), eq(chatSession.flowId, flowId)))
    )[0];
  expect([await texts('s'), await stateOf()]).toEqual([['bb', 'aa'], { messages: 2, bytes: 4 }]);
  expect(await deleteMessages(db, key('s'))).toBe(2);
  expect([await texts('s'), await stateOf(), await texts('t')]).toEqual([[], { messages: 0, bytes: 0 }, ['other']]);
  expect(await deleteMessages(db, key('s'))).toBe(0);
});

it('deletes messages of the own session only, and counts what is left', async () => {
  await add('s', 'ab', { id: `one-${flowId}` });
  await add('s', 'cde', { id: `two-${flowId}` });
  await add('t', 'other', { id: `three-${flowId}` });
  const noMessage = { status: 404, code: 'not_found', message: 'The session has no such message.' };
  await expect(deleteMessages(db, key('s'), `three-${flowId}`)).rejects.toMatchObject(noMessage);
  await expect(deleteMessages(db, key('none'))).rejects.toMatchObject(missing);
  await expect(deleteMessages(db, key('s', 'cs-bob'))).rejects.toMatchObject(missing);
  await expect(listMessages(db, key('none'), { limit: 1 })).rejects.toMatchObject(missing);
  await expect(deleteSession(db, key('none'))).rejects.toMatchObject(missing);
  await expect(renameSession(db, key('none'), 'x')).rejects.toMatchObject(missing);
  const bytes = async () =>
    (
      await db
        .select({ bytes: chatSession.bytes })
        .from(chatSession)
        .where(and(eq(chatSession.flowId, flowId), eq(chatSession.id, 's')))
    )[0]?.bytes ?? -1;
  const before = await bytes();
  expect(await deleteMessages(db, key('s'), `one-${flowId}`)).toBe(1);
  expect([await texts('s'), await texts('t')]).toEqual([['cde'], ['other']]);
  expect(await bytes()).toBeLessThan(before);
  expect(await bytes()).toBeGreaterThan(0);
  expect((await sessions()).sessions.map(({ id, messages }) => [id, messages]).sort()).toEqual([
    ['s', 1],
    ['t', 1],
  ]);
  expect(await deleteMessages(db, key('s'))).toBe(1);
  expect([await bytes(), await texts('s'), await deleteMessages(db, key('s'))]).toEqual([0, [], 0]);
});

it('refuses cursors of other lists', async () => {
  await add('s', 'a');
  const wrong = { status: 400, code: 'invalid', message: 'cursor: use `nextCursor` of the page before.' };
  for (const cursor of ['', 'x', '1_', '_s', `${'1'.repeat(15)}_s`])
    await expect(sessions({ cursor })).rejects.toMatchObject(wrong);
  for (const cursor of ['', 'x', '-1', '1.5', '1'.repeat(16)])
    await expect(listMessages(db, key('s'), { limit: 1, cursor })).rejects.toMatchObject(wrong);
  expect(await texts('s', { cursor: '9'.repeat(15) })).toEqual(['a']);
});

it('pages sessions whose latest messages came at the same time', async () => {
  for (const id of ['a', 'b_c', 'd']) await add(id, 'x');
  await db
    .update(chatSession)
    .set({ updatedAt: new Date(1_000) })
    .where(eq(chatSession.flowId, flowId));
  const first = await sessions({ limit: 2 });
  expect([first.sessions.map(({ id }) => id), first.nextCursor]).toEqual([['d', 'b_c'], '1000_b_c']);
  const rest = await sessions({ limit: 2, cursor: first.nextCursor });
  expect([rest.sessions.map(({ id }) => id), rest.nextCursor]).toEqual([['a'], null]);
  expect((await sessions({ limit: 3 })).nextCursor).toBeNull();
});
