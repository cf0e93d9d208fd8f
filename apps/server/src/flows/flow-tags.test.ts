import { emptyFlow } from '@croft/flow';
import { eq } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { useSharedDatabase } from '../../../../tests/store/use-shared-database.ts';
import type { Db } from '../store/database.ts';
import { flow } from '../store/flow-schema.ts';
import { createFlow } from './create-flow.ts';
import { listTags, setTags } from './flow-tags.ts';
import { shareFlow } from './share-flow.ts';

let db: Db;
useSharedDatabase((database) => void (db = database.db), ['ft-ann', 'ft-bob']);

const make = async (userId: string) => (await createFlow(db, userId, emptyFlow())).flow.id;
const set = (userId: string, flowId: string, ...tags: string[]) => setTags(db, { userId, flowId, tags });

it('replaces tags, of which those that differ in case only are one', async () => {
  const id = await make('ft-ann');
  const { tags, notice } = await set('ft-ann', id, 'Red', 'blue', 'RED', 'Blue');
  expect([tags, notice]).toEqual([['Red', 'blue'], { id, version: 1, userIds: ['ft-ann'] }]);
  await set('ft-ann', id, 'green');
  expect((await db.select({ tags: flow.tags }).from(flow).where(eq(flow.id, id)))[0]?.tags).toEqual(['green']);
  await set('ft-ann', id);
});

it('lets a user who may only read change no tags', async () => {
  const id = await make('ft-ann');
  await expect(set('ft-bob', id, 'x')).rejects.toMatchObject({ code: 'not_found' });
  await shareFlow(db, { userId: 'ft-ann', flowId: id, email: 'ft-bob@example.test', access: 'read' });
  await expect(set('ft-bob', id, 'x')).rejects.toMatchObject({ code: 'read_only' });
});

it('counts the tags of all flows that a user can read', async () => {
  const [one, two, gone] = [await make('ft-ann'), await make('ft-ann'), await make('ft-ann')];
  await set('ft-ann', one, 'b', 'A');
  await set('ft-ann', two, 'b');
  await set('ft-ann', gone, 'gone');
  await db.update(flow).set({ deletedAt: new Date() }).where(eq(flow.id, gone));
  expect(await listTags(db, 'ft-ann')).toEqual([
    { name: 'A', flows: 1 },
    { name: 'b', flows: 2 },
  ]);
  expect(await listTags(db, 'ft-bob')).toEqual([]);
  await shareFlow(db, { userId: 'ft-ann', flowId: two, email: 'ft-bob@example.test', access: 'read' });
  expect(await listTags(db, 'ft-bob')).toEqual([{ name: 'b', flows: 1 }]);
});
