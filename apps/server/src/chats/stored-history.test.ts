import { emptyFlow } from '@croft/flow';
import { beforeEach, expect, it } from 'vitest';
import { useSharedDatabase } from '../../../../tests/store/use-shared-database.ts';
import { createFlow } from '../flows/create-flow.ts';
import { deleteForGood } from '../flows/deleted-flows.ts';
import type { Db } from '../store/database.ts';
import { addMessage } from './add-message.ts';
import { isMissingFlow, storedHistory } from './stored-history.ts';

let db: Db;
let flowId: string;
const userId = 'sh-ann';
useSharedDatabase((database) => void (db = database.db), [userId]);
beforeEach(async () => {
  flowId = (await createFlow(db, userId, emptyFlow())).flow.id;
});

const signal = new AbortController().signal;
const history = (runId = `one ${flowId}`, secrets: ReadonlySet<string> = new Set()) =>
  storedHistory(async () => db, { userId, flowId, runId, secrets });
const message = (text: string) => ({ text, sender: 'User', sender_name: 'Ann' }) as never;
const texts = async (runId?: string, limit = 10) =>
  (await history(runId).list('s', limit, signal)).map(({ text }) => text);

it('gives the newest messages in their order', async () => {
  for (const text of ['a', 'b', 'c']) await history().add('s', message(text), signal, text);
  expect([await texts(), await texts(undefined, 2)]).toEqual([
    ['a', 'b', 'c'],
    ['b', 'c'],
  ]);
  expect((await history().list('s', 1, signal))[0]).toEqual({
    text: 'c',
    sender: 'User',
    sender_name: 'Ann',
    session_id: 's',
    timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
  });
  expect(await history().list('t', 10, signal)).toEqual([]);
});

it('stores the message of a step once, also where the step is repeated', async () => {
  await history().add('s', message('a'), signal, 'step');
  await history().add('s', message('a again'), signal, 'step');
  await history(`two ${flowId}`).add('s', message('b'), signal, 'step');
  expect(await texts()).toEqual(['a', 'b']);
});

it('does not show a run its own message of the user', async () => {
  const own = { id: 'sh-own', runId: `one ${flowId}`, isOfRun: true, sender: 'User', senderName: 'Ann', text: 'own' };
  await addMessage(db, { userId, flowId, sessionId: 's' }, { ...own, id: `own-${flowId}` });
  await history().add('s', message('component'), signal, 'x');
  expect([await texts(), await texts(`two ${flowId}`)]).toEqual([['component'], ['own', 'component']]);
});

it('stores no secret', async () => {
  const kept = history(undefined, new Set(['sk-canary']));
  await kept.add('s', { text: 'key sk-canary', sender: 'User', sender_name: 'sk-canary' } as never, signal, 'x');
  expect(JSON.stringify(await kept.list('s', 1, signal))).not.toContain('sk-canary');
});

it('refuses a session that no list could show, and stops with its run', async () => {
  for (const session of ['x'.repeat(201), 'a\0b'])
    await expect(history().list(session, 1, signal)).rejects.toMatchObject({ name: 'ComponentError' });
  await history().list('x'.repeat(200), 1, signal);
  const gone = AbortSignal.abort();
  await expect(history().add('s', message('a'), gone, 'x')).rejects.toThrow();
  await expect(history().list('s', 1, gone)).rejects.toThrow();
});

it('says that the flow was deleted', async () => {
  await deleteForGood(db, userId, flowId);
  await expect(history().add('s', message('a'), signal, 'x')).rejects.toThrow('The flow was deleted');
  expect([
    isMissingFlow({ code: '23503' }),
    isMissingFlow({ cause: { code: '23503' } }),
    isMissingFlow({ code: '1' }),
    isMissingFlow(null),
  ]).toEqual([true, true, false, false]);
});
