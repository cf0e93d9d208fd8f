import { emptyFlow } from '@croft/flow';
import { eq, sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { useSharedDatabase } from '../../../../tests/store/use-shared-database.ts';
import type { Db } from '../store/database.ts';
import { flow } from '../store/flow-schema.ts';
import { createFlow } from './create-flow.ts';
import { deleteFlow, restoreDeletedFlow } from './deleted-flows.ts';
import { editFlow } from './edit-flow.ts';
import {
  listPublishedTools,
  publishTool,
  readPublishedTool,
  readShape,
  storeShape,
  unpublishTool,
} from './published-tools.ts';
import { shareFlow } from './share-flow.ts';

let db: Db;
useSharedDatabase((database) => void (db = database.db), ['pt-ann', 'pt-bob', 'pt-cid']);

const SHAPE = { version: 1, json: '{}' };
const make = async (userId = 'pt-ann') => (await createFlow(db, userId, emptyFlow())).flow.id;
const publish = (flowId: string, name: string, userId = 'pt-ann', shape = SHAPE) =>
  publishTool(db, userId, { flowId, name, description: `About ${name}` }, shape);

it('offers a flow as a tool of its owner, under a name that no other flow has', async () => {
  const [one, two] = [await make(), await make()];
  const tool = await publish(one, 'b_tool');
  expect(tool).toEqual({ flowId: one, name: 'b_tool', description: 'About b_tool' });
  expect(await readPublishedTool(db, 'pt-ann', one)).toEqual(tool);
  expect([await readPublishedTool(db, 'pt-bob', one), await readPublishedTool(db, 'pt-ann', two)]).toEqual([
    null,
    null,
  ]);
  await expect(publish(two, 'b_tool')).rejects.toMatchObject({
    status: 409,
    code: 'exists',
    message: 'name: another flow of yours is the tool b_tool. Choose another name.',
  });
  await publish(one, 'b_tool', 'pt-ann', { version: 2, json: '[]' });
  await publish(two, 'a_tool');
  expect((await listPublishedTools(db, 'pt-ann')).map(({ name }) => name)).toEqual(['a_tool', 'b_tool']);
  expect((await listPublishedTools(db, 'pt-ann', 'b_tool')).map(({ flowId, shape }) => [flowId, shape])).toEqual([
    [one, { version: 2, json: '[]' }],
  ]);
  await publish(await make('pt-bob'), 'b_tool', 'pt-bob');
  expect(await listPublishedTools(db, 'pt-bob')).toHaveLength(1);
  for (const id of [one, two]) await unpublishTool(db, 'pt-ann', id);
});

it('lets only the owner publish and take back', async () => {
  const id = await make();
  await shareFlow(db, { userId: 'pt-ann', flowId: id, email: 'pt-bob@example.test', access: 'edit' });
  await expect(publish(id, 'mine', 'pt-bob')).rejects.toMatchObject({ code: 'forbidden' });
  await expect(publish(id, 'mine', 'pt-cid')).rejects.toMatchObject({ code: 'not_found' });
  expect(await unpublishTool(db, 'pt-ann', id)).toBe(false);
  await publish(id, 'own');
  await expect(unpublishTool(db, 'pt-bob', id)).rejects.toMatchObject({ code: 'forbidden' });
  expect(await unpublishTool(db, 'pt-ann', id)).toBe(true);
  expect(await listPublishedTools(db, 'pt-ann')).toEqual([]);
});

it('says whether the owner has accepted the version of the flow, and lists no deleted flow', async () => {
  const id = await make();
  await publish(id, 'shown');
  await shareFlow(db, { userId: 'pt-ann', flowId: id, email: 'pt-bob@example.test', access: 'edit' });
  expect(await listPublishedTools(db, 'pt-ann')).toMatchObject([
    { name: 'shown', version: 1, isAccepted: true, shape: SHAPE },
  ]);
  await editFlow(db, { userId: 'pt-bob', flowId: id, base: 1, edits: [{ kind: 'set_details', name: 'Other' }] });
  expect(await listPublishedTools(db, 'pt-ann')).toMatchObject([{ version: 2, isAccepted: false }]);
  await db.update(flow).set({ deletedAt: new Date() }).where(eq(flow.id, id));
  expect(await listPublishedTools(db, 'pt-ann')).toEqual([]);
});

it('stores the shape of a tool, unless a later one is stored', async () => {
  const id = await make();
  expect(await readShape(db, id)).toBeUndefined();
  await publish(id, 'shaped', 'pt-ann', { version: 5, json: '5' });
  await storeShape(db, id, { version: 4, json: '4' });
  expect(await readShape(db, id)).toEqual({ version: 5, json: '5' });
  await storeShape(db, id, { version: 6, json: '6' });
  expect(await readShape(db, id)).toEqual({ version: 6, json: '6' });
  await db.execute(sql`UPDATE published_tool SET shape = NULL, shape_version = NULL WHERE flow_id = ${id}`);
  expect(await readShape(db, id)).toBeUndefined();
  await storeShape(db, id, { version: 1, json: '1' });
  expect(await readShape(db, id)).toEqual({ version: 1, json: '1' });
});

it('offers a bounded number of flows', async () => {
  const ids: string[] = [];
  for (let count = 0; count < 51; count++) ids.push(await make('pt-cid'));
  for (const [at, id] of ids.slice(0, 50).entries()) await publish(id, `tool_${at}`, 'pt-cid');
  await publish(ids[0] ?? '', 'renamed', 'pt-cid');
  const last = ids[50] ?? '';
  const tooMany = { status: 507, code: 'quota_exceeded', message: '50 of your flows are tools, which is the limit.' };
  await expect(publish(last, 'tool_50', 'pt-cid')).rejects.toMatchObject(tooMany);

  // The tool of a deleted flow does not count until the flow is restored.
  const deleted = ids[1] ?? '';
  await deleteFlow(db, 'pt-cid', deleted);
  await publish(last, 'tool_50', 'pt-cid');
  await expect(restoreDeletedFlow(db, 'pt-cid', deleted)).rejects.toMatchObject(tooMany);
  await unpublishTool(db, 'pt-cid', last);
  await unpublishTool(db, 'pt-cid', ids[2] ?? '');
  await restoreDeletedFlow(db, 'pt-cid', deleted);
  expect(await listPublishedTools(db, 'pt-cid', 'tool_1')).toMatchObject([{ flowId: deleted }]);
  expect(await listPublishedTools(db, 'pt-cid')).toHaveLength(49);

  // Both requests have counted the tools before one of them adds its own.
  let both: ReturnType<typeof publish>[] = [];
  const another = await make('pt-cid');
  await db.transaction(async (tx) => {
    await tx.execute(sql`LOCK TABLE published_tool IN SHARE MODE`);
    both = [last, another].map((id) => publish(id, `of ${id}`, 'pt-cid'));
    const own = sql`(SELECT oid FROM pg_database WHERE datname = current_database())`;
    const waiting = sql`SELECT FROM pg_locks WHERE NOT granted AND database = ${own}`;
    await expect.poll(async () => (await tx.execute(waiting)).rowCount).toBe(2);
  });
  expect((await Promise.allSettled(both)).map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
});

it('frees the name of a deleted flow, which is restored without the tool where another flow took its name', async () => {
  const [one, two, three] = [await make('pt-bob'), await make('pt-bob'), await make('pt-ann')];
  await publish(one, 'freed', 'pt-bob');
  await publish(three, 'freed', 'pt-ann');
  await deleteFlow(db, 'pt-bob', one);
  await deleteFlow(db, 'pt-ann', three);
  await publish(two, 'freed', 'pt-bob');
  expect(await listPublishedTools(db, 'pt-bob', 'freed')).toMatchObject([{ flowId: two }]);
  await restoreDeletedFlow(db, 'pt-bob', one);
  expect(await readPublishedTool(db, 'pt-bob', one)).toBeNull();
  await restoreDeletedFlow(db, 'pt-ann', three);
  expect(await readPublishedTool(db, 'pt-ann', three)).toMatchObject({ name: 'freed' });
  await unpublishTool(db, 'pt-bob', two);
  await unpublishTool(db, 'pt-ann', three);
});

it('gives one of two flows that are published under one name at once', async () => {
  const [one, two] = [await make('pt-bob'), await make('pt-bob')];
  const both = await Promise.allSettled([publish(one, 'same', 'pt-bob'), publish(two, 'same', 'pt-bob')]);
  const refused = both.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
  expect(refused).toMatchObject([{ status: 409, code: 'exists' }]);
  for (const id of [one, two]) await unpublishTool(db, 'pt-bob', id);
});

it('lists a tool with the size of its flow, also where its shape is not known', async () => {
  const id = await make();
  await publish(id, 'listed');
  await publish(id, 'listed again');
  await db.execute(sql`UPDATE published_tool SET shape_version = NULL WHERE flow_id = ${id}`);
  const [row] = await db.select().from(flow).where(eq(flow.id, id));
  expect(await listPublishedTools(db, 'pt-ann', 'listed again')).toEqual([
    {
      flowId: id,
      name: 'listed again',
      description: 'About listed again',
      shape: undefined,
      version: 1,
      documentBytes: row?.documentBytes,
      isAccepted: true,
    },
  ]);
  expect(await listPublishedTools(db, 'pt-ann', 'listed')).toEqual([]);
  await unpublishTool(db, 'pt-ann', id);
});
