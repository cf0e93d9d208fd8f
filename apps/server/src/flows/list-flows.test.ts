import { emptyFlow } from '@croft/flow';
import { eq } from 'drizzle-orm';
import { beforeAll, expect, it } from 'vitest';
import { useSharedDatabase } from '../../../../tests/store/use-shared-database.ts';
import type { Db } from '../store/database.ts';
import { flow } from '../store/flow-schema.ts';
import { createFlow } from './create-flow.ts';
import { listFlows, listWholeFlows } from './list-flows.ts';
import { shareFlow } from './share-flow.ts';

let db: Db;
useSharedDatabase((database) => void (db = database.db), ['lf-ann', 'lf-bob']);

/** A flow that was changed at this second. */
async function make(userId: string, name: string, second: number, fields: Partial<typeof flow.$inferInsert> = {}) {
  const { id } = (await createFlow(db, userId, { ...emptyFlow(name), description: name })).flow;
  await db
    .update(flow)
    .set({ updatedAt: new Date(second * 1_000), ...fields })
    .where(eq(flow.id, id));
  return id;
}
beforeAll(async () => {
  await make('lf-ann', 'First', 10, { tags: ['Red'] });
  await make('lf-ann', '100%_done', 30);
  await make('lf-ann', '100 done', 20, { tags: ['red', 'Red'] });
  await make('lf-ann', 'Deleted', 50, { deletedAt: new Date() });
  const shared = await make('lf-bob', 'Shared', 25, { tags: ['Red'] });
  await shareFlow(db, { userId: 'lf-bob', flowId: shared, email: 'lf-ann@example.test', access: 'edit' });
  await make('lf-bob', 'Private', 40);
});

const names = async (options: Partial<Parameters<typeof listFlows>[2]> = {}, userId = 'lf-ann') =>
  (await listFlows(db, userId, { limit: 10, ...options })).flows.map(({ name }) => name);

it('lists own and shared flows, the latest change first, without deleted ones', async () => {
  expect(await names()).toEqual(['100%_done', 'Shared', '100 done', 'First']);
  expect(await names({}, 'lf-bob')).toEqual(['Private', 'Shared']);
  const [, shared] = (await listFlows(db, 'lf-ann', { limit: 10 })).flows;
  expect(shared).toMatchObject({ access: 'edit', ownerId: 'lf-bob', ownerName: 'lf-bob', tags: ['Red'] });
  expect(shared).not.toHaveProperty('document');
});

it('gives pages that follow on each other', async () => {
  const pages: string[][] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await listFlows(db, 'lf-ann', { limit: 2, cursor });
    pages.push(page.flows.map(({ name }) => name));
    if (page.nextCursor === null) break;
    cursor = page.nextCursor;
  }
  expect(pages).toEqual([
    ['100%_done', 'Shared'],
    ['100 done', 'First'],
  ]);
});

it('continues between flows of the same time', async () => {
  const before = await names();
  const ids: string[] = [];
  for (const name of ['a', 'b', 'c']) ids.push(await make('lf-bob', `same ${name}`, 60));
  const { flows, nextCursor } = await listFlows(db, 'lf-bob', { limit: 2, search: 'same' });
  const rest = await listFlows(db, 'lf-bob', { limit: 2, search: 'same', cursor: nextCursor ?? undefined });
  expect([...flows, ...rest.flows].map(({ id }) => id)).toEqual([...ids].sort().reverse());
  expect(await names()).toEqual(before);
});

it('searches parts of names, in which percent and underscore mean themselves', async () => {
  expect(await names({ search: 'FIRST' })).toEqual(['First']);
  expect(await names({ search: '100' })).toEqual(['100%_done', '100 done']);
  expect(await names({ search: '0%_d' })).toEqual(['100%_done']);
  expect(await names({ search: '' })).toHaveLength(4);
});

it('finds a tag as it is written', async () => {
  expect(await names({ tag: 'Red' })).toEqual(['Shared', '100 done', 'First']);
  expect(await names({ tag: 'red' })).toEqual(['100 done']);
});

it('refuses a cursor of another list', async () => {
  for (const cursor of [
    '',
    'abc',
    Buffer.from('1 ').toString('base64url'),
    Buffer.from(`${'9'.repeat(15)} id`).toString('base64url'),
  ])
    await expect(names({ cursor })).rejects.toMatchObject({ status: 400, code: 'invalid' });
});

it('ends a page of documents before they are too large, after at least one', async () => {
  const all = await listWholeFlows(db, 'lf-ann', { limit: 3, maxBytes: 1_000_000 });
  expect(all.flows.map(({ name, document }) => [name, document.description])).toEqual(
    ['100%_done', 'Shared', '100 done'].map((name) => [name, name]),
  );
  expect(all.nextCursor).not.toBeNull();
  const [first, second] = all.flows;
  const sizes = [first?.documentBytes ?? 0, second?.documentBytes ?? 0] as const;
  const two = await listWholeFlows(db, 'lf-ann', { limit: 3, maxBytes: sizes[0] + sizes[1] });
  expect(two.flows).toHaveLength(2);
  expect(await names({ cursor: two.nextCursor ?? undefined })).toEqual(['100 done', 'First']);
  const one = await listWholeFlows(db, 'lf-ann', { limit: 3, maxBytes: 1 });
  expect(one.flows.map(({ name }) => name)).toEqual(['100%_done']);
  expect(await listWholeFlows(db, 'lf-ann', { limit: 3, search: 'none', maxBytes: 1 })).toEqual({
    flows: [],
    nextCursor: null,
  });
});
