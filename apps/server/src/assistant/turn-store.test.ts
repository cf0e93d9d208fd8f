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
