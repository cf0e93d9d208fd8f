import { emptyFlow } from '@croft/flow';
import { eq } from 'drizzle-orm';
import { beforeEach, expect, it } from 'vitest';
import { useSharedDatabase } from '../../../../tests/store/use-shared-database.ts';
import { isApproved } from '../flows/approve-flow.ts';
import { createFlow } from '../flows/create-flow.ts';
import { editFlow } from '../flows/edit-flow.ts';
import { shareFlow } from '../flows/share-flow.ts';
import type { Db } from '../store/database.ts';
import { flow } from '../store/flow-schema.ts';
import { user } from '../store/schema.ts';
import { documentOf } from '../testing.ts';
import { addLink, findLink, openLink, removeLink } from './public-links.ts';

let db: Db;
let flowId: string;
useSharedDatabase((database) => void (db = database.db), ['pl-ann', 'pl-bob']);
const setUser = (fields: Partial<typeof user.$inferInsert>) => db.update(user).set(fields).where(eq(user.id, 'pl-ann'));
beforeEach(async () => {
  await setUser({ role: 'admin', banned: false });
  flowId = (
    await createFlow(
      db,
      'pl-ann',
      documentOf('name: F\nnodes:\n  A: ChatInput', (_, id) => id),
    )
  ).flow.id;
});

const open = (id: string, autoLogin = false) => openLink(db, id, { autoLogin });
const add = (userId = 'pl-ann', seen?: number) => addLink(db, { userId, via: 'session' }, flowId, seen);

it('makes one link of a flow, whose id cannot be guessed', async () => {
  expect(await findLink(db, 'pl-ann', flowId)).toBeUndefined();
  const link = await add();
  expect(link.id).toMatch(/^[\w-]{22}$/);
  expect([await add(), await findLink(db, 'pl-ann', flowId)]).toMatchObject([{ id: link.id }, { id: link.id }]);
});

it('opens the flow of a link as its owner, while the flow is there and the owner may sign in', async () => {
  const { id } = await add();
  expect(await open(id)).toEqual({ flowId, ownerId: 'pl-ann' });
  expect(await open('other')).toBeUndefined();
  await setUser({ banned: true });
  expect(await open(id)).toBeUndefined();
  await setUser({ banned: false });
  await db.update(flow).set({ deletedAt: new Date() }).where(eq(flow.id, flowId));
  expect(await open(id)).toBeUndefined();
});

it('opens nothing while the owner is not an admin, who could not make the link', async () => {
  const { id } = await add();
  await setUser({ role: 'user' });
  expect(await open(id)).toBeUndefined();
  await setUser({ role: 'admin' });
  expect(await open(id)).toBeDefined();
});

it('opens nothing of an account without accounts, where its runs would have the files of the local user', async () => {
  const { id } = await add();
  expect(await open(id, true)).toBeUndefined();
});

it('stops a link that was removed', async () => {
  const { id } = await add();
  await removeLink(db, 'pl-ann', flowId);
  await removeLink(db, 'pl-ann', flowId);
  expect([await open(id), await findLink(db, 'pl-ann', flowId)]).toEqual([undefined, undefined]);
});

it('lets only the owner see, make and remove a link', async () => {
  await shareFlow(db, { userId: 'pl-ann', flowId, email: 'pl-bob@example.test', access: 'edit' });
  await add();
  const forbidden = { code: 'forbidden' };
  await expect(findLink(db, 'pl-bob', flowId)).rejects.toMatchObject(forbidden);
  await expect(add('pl-bob')).rejects.toMatchObject(forbidden);
  await expect(removeLink(db, 'pl-bob', flowId)).rejects.toMatchObject(forbidden);
  expect(await findLink(db, 'pl-ann', flowId)).toBeDefined();
});

it('needs a flow that takes messages', async () => {
  flowId = (await createFlow(db, 'pl-ann', emptyFlow())).flow.id;
  await expect(add()).rejects.toMatchObject({ code: 'invalid' });
});

it('accepts the version that the owner has seen', async () => {
  await shareFlow(db, { userId: 'pl-ann', flowId, email: 'pl-bob@example.test', access: 'edit' });
  await editFlow(db, { userId: 'pl-bob', flowId, base: 1, edits: [{ kind: 'set_details', name: 'Other' }] });
  await expect(add('pl-ann', 1)).rejects.toMatchObject({ code: 'changed' });
  expect(await findLink(db, 'pl-ann', flowId)).toBeUndefined();
  await add('pl-ann', 2);
  expect(await isApproved(db, 'pl-ann', { id: flowId, version: 2 })).toBe(true);
});
