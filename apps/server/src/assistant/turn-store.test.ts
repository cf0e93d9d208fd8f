import type { AssistantEvent } from '@croft/assistant';
import { emptyFlow } from '@croft/flow';
import { expect, it } from 'vitest';
import { type TestDatabase, useTestDatabase } from '../../../../tests/store/use-test-database.ts';
import { createFlow } from '../flows/create-flow.ts';
import { createTurnStore, MEMORY, type TurnStore } from './turn-store.ts';

let opened: TestDatabase;
let store: TurnStore;
let count = 0;

useTestDatabase(
  (started) => {
    opened = started;
    store = createTurnStore(async () => opened.database.db);
  },
  ['ada', 'bo'],
);

const makeFlow = async (userId: string) => (await createFlow(opened.database.db, userId, emptyFlow())).flow.id;
/** Turns of the same millisecond have no order. */
async function begin(userId: string, flowId: string, sessionId: string): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 2));
  await store.begin({ id: `turn-${count++}`, userId, flowId, sessionId, message: 'hello' });
}
const turnsOf = async (userId: string, flowId: string, sessionId: string) =>
  (await store.turns({ userId, flowId, sessionId })).length;

it('Conversation buffer cross-session LRU eviction', async () => {
  const [hers, his] = [await makeFlow('ada'), await makeFlow('bo')];
  await begin('bo', his, 'session-0');
  for (let at = 0; at < MEMORY.sessionsOfUser; at++) await begin('ada', hers, `session-${at}`);
  // The oldest conversation is used again, so that the next one is the oldest.
  await begin('ada', hers, 'session-0');
  await begin('ada', hers, 'one more');
  expect(await turnsOf('ada', hers, 'session-1')).toBe(0);
  for (const kept of ['session-0', 'session-2', 'one more'])
    expect(await turnsOf('ada', hers, kept)).toBeGreaterThan(0);
  expect(await turnsOf('bo', his, 'session-0')).toBe(1);
});

it('an old conversation makes room without those of the same name about other flows', async () => {
  const [first, second] = [await makeFlow('ada'), await makeFlow('ada')];
  await begin('ada', first, 'same name');
  for (let at = 0; at < MEMORY.sessionsOfUser - 1; at++) await begin('ada', second, `filler-${at}`);
  await begin('ada', second, 'same name');
  expect(await turnsOf('ada', first, 'same name')).toBe(0);
  expect(await turnsOf('ada', second, 'same name')).toBe(1);
});

const complete = (result: string, more = {}) =>
  ({ event: 'complete', data: { result, restore_point_id: 'point', ...more } }) as unknown as AssistantEvent;
const token = { event: 'token', chunk: 'x' } as AssistantEvent;

it('stores a turn with its end, without tokens and NUL, for its user only', async () => {
  const flowId = await makeFlow('ada');
  const conversation = { userId: 'ada', flowId, sessionId: 'whole' };
  await store.begin({ id: 'whole', ...conversation, message: `a\0${'b'.repeat(20_000)}` });
  const begun = {
    id: 'whole',
    ...conversation,
    status: 'running',
    message: `a${'b'.repeat(19_999)}`,
    reply: '',
    events: [],
  };
  expect(await store.find('ada', 'whole')).toEqual({
    ...begun,
    restorePointId: null,
    startedAt: expect.any(Date),
    endedAt: null,
  });
  expect([await store.find('bo', 'whole'), await store.find('ada', 'gone')]).toEqual([undefined, undefined]);
  const end = complete('Done\0.');
  const decided = { event: 'proposal_decided', id: 'p', choice: 'add' } as AssistantEvent;
  await store.end('whole', [token, end, decided]);
  await store.add('whole', decided);
  await store.add('gone', decided);
  const [turn, ...others] = await store.turns(conversation);
  expect([turn, others]).toMatchObject([
    { status: 'complete', reply: 'Done.', restorePointId: 'point', endedAt: expect.any(Date) },
    [],
  ]);
  expect(turn?.events).toEqual([end, decided, decided]);
});

it('stores how a turn ended, and that one without an end failed', async () => {
  const flowId = await makeFlow('ada');
  const ended = async (...events: object[]) => {
    const id = `end-${count++}`;
    await store.begin({ id, userId: 'ada', flowId, sessionId: 'ends', message: 'hi' });
    await store.end(id, events as AssistantEvent[]);
    const turn = await store.find('ada', id);
    return [turn?.status, turn?.reply, turn?.restorePointId];
  };
  expect(await ended({ event: 'error', message: 'no', restore_point_id: 'p' })).toEqual(['error', '', 'p']);
  expect(await ended({ event: 'cancelled', message: 'no' })).toEqual(['cancelled', '', null]);
  expect(await ended(token)).toEqual(['error', '', null]);
  expect(await ended(complete('ok', { restore_point_id: undefined }))).toEqual(['complete', 'ok', null]);
});

it('leaves large events out where all are too large', async () => {
  const flowId = await makeFlow('ada');
  await store.begin({ id: 'large', userId: 'ada', flowId, sessionId: 'large', message: 'hi' });
  const notice = (length: number) => ({ event: 'notice', type: 't', message: 'x'.repeat(length) }) as AssistantEvent;
  const most = 20_000 - JSON.stringify(notice(0)).length;
  const events = async (given: AssistantEvent[]) => {
    await store.end('large', given);
    return (await store.find('ada', 'large'))?.events ?? [];
  };
  const room = 512 * 1024 - JSON.stringify([notice(0)]).length;
  expect(await events([notice(room)])).toHaveLength(1);
  expect(await events([notice(room + 1), notice(most), notice(most - 1)])).toEqual([notice(most - 1)]);
  const file = { event: 'file_written', action: 'write_file', path: 'a.md', size: 9 } as const;
  const written = { ...file, content: 'x'.repeat(20_000) };
  expect(await events([notice(room), written])).toEqual([file]);
  const many = await events([notice(room), ...Array<AssistantEvent>(501).fill(notice(1))]);
  expect(many).toHaveLength(500);
});

it('remembers completed turns with a reply, the newest ones, oldest first', async () => {
  const flowId = await makeFlow('ada');
  const conversation = { userId: 'ada', flowId, sessionId: 'memory' };
  const turn = async (message: string, event: object) => {
    await new Promise((resolve) => setTimeout(resolve, 2));
    const id = `memory-${count++}`;
    await store.begin({ id, ...conversation, message });
    await store.end(id, [event as AssistantEvent]);
  };
  await turn('one', complete('1'));
  await turn('two', complete('2'));
  await turn('failed', { event: 'error', message: 'no' });
  await turn('silent', complete(''));
  await turn('three', complete('3'));
  const messages = async (most: number) =>
    (await store.memory(conversation, most)).map(({ user, assistant }) => user + assistant);
  expect(await messages(2)).toEqual(['two2', 'three3']);
  expect(await messages(9)).toEqual(['one1', 'two2', 'three3']);
  const { startedAt } = (await store.turns(conversation))[3] ?? {};
  expect(await store.remove(conversation, startedAt)).toBe(2);
  expect(await messages(9)).toEqual(['one1', 'two2']);
  expect([await store.remove(conversation), await store.remove(conversation)]).toEqual([3, 0]);
});

it('keeps ten turns of a session, and lists ten sessions with the beginning of their first message', async () => {
  const flowId = await makeFlow('bo');
  const add = async (sessionId: string, message: string) => {
    await new Promise((resolve) => setTimeout(resolve, 2));
    await store.begin({ id: `list-${count++}`, userId: 'bo', flowId, sessionId, message });
  };
  for (let at = 0; at < 11; at++) await add(`s${at}`, `${at}${'m'.repeat(90)}`);
  for (let at = 0; at < 11; at++) await add('s5', 'again');
  const sessions = await store.sessions('bo', flowId);
  expect(sessions.map(({ sessionId }) => sessionId)).toEqual([
    's5',
    's10',
    's9',
    's8',
    's7',
    's6',
    's4',
    's3',
    's2',
    's1',
  ]);
  expect(sessions.slice(0, 2).map(({ preview, turns }) => [preview, turns])).toEqual([
    ['again', 10],
    [`10${'m'.repeat(78)}`, 1],
  ]);
  expect(sessions[1]?.updatedAt).toEqual((await store.turns({ userId: 'bo', flowId, sessionId: 's10' }))[0]?.startedAt);
  expect(await store.sessions('ada', flowId)).toEqual([]);
});

it('keeps the flow that waits for the user where all events are too large', async () => {
  const flowId = await makeFlow('ada');
  await store.begin({ id: 'built', userId: 'ada', flowId, sessionId: 'built', message: 'hi' });
  const flow = (note: number, length: number) =>
    ({
      event: 'flow_update',
      action: 'set_flow',
      id: 'built-1',
      auto_apply: false,
      flow: { description: `${note}${'x'.repeat(length)}` },
    }) as unknown as AssistantEvent;
  const edits = Array.from({ length: 20 }, (_, at) => flow(at, 40_000));
  const file = { event: 'file_written', action: 'write_file', path: 'a.md', size: 9, content: 'x'.repeat(9) } as const;
  await store.end('built', [...edits, file, complete('Built.')]);
  const { content: _, ...written } = file;
  expect((await store.find('ada', 'built'))?.events).toEqual([edits[19], written, complete('Built.')]);
});
