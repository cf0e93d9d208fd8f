import { type Edit, emptyFlow, FlowError } from '@croft/flow';
import { and, eq, sql } from 'drizzle-orm';
import { beforeEach, describe, expect, it } from 'vitest';
import { type TestDatabase, useTestDatabase } from '../../../../tests/store/use-test-database.ts';
import { flow, flowEdit } from '../store/flow-schema.ts';
import { isApproved } from './approve-flow.ts';
import { createFlow, textOfDocument } from './create-flow.ts';
import { editFlow, editsAfter } from './edit-flow.ts';
import { FLOW_LIMITS } from './flow-limits.ts';
import { getFlow } from './get-flow.ts';
import { shareFlow } from './share-flow.ts';

let opened: TestDatabase;
useTestDatabase((started) => void (opened = started), ['ada', 'bob', 'cid', 'dan']);

/** A flow with earlier edits of this size, and then one edit. The versions of the edits that are kept. */
async function versionsAfterEdit(count: number, bytes: number): Promise<number[]> {
  const { db } = opened.database;
  const { flow } = await createFlow(db, 'ada', emptyFlow());
  await db.execute(sql`
    INSERT INTO flow_edit (flow_id, version, user_id, kind, edits, inverses, bytes)
    SELECT ${flow.id}, n + 1, 'ada', 'edit', '[]', '[]', ${bytes} FROM generate_series(1, ${count}::int) AS n`);
  await db.execute(
    sql`UPDATE flow SET version = ${count + 1}, edit_bytes = ${count * bytes}, stored_bytes = ${count * bytes} WHERE id = ${flow.id}`,
  );
  await editFlow(db, {
    userId: 'ada',
    flowId: flow.id,
    base: count + 1,
    edits: [{ kind: 'set_details', name: 'Named' }],
  });
  const { rows } = await db.execute<{ version: number; edit_bytes: string }>(
    sql`SELECT e.version, f.edit_bytes FROM flow_edit e JOIN flow f ON f.id = e.flow_id WHERE f.id = ${flow.id} ORDER BY 1`,
  );
  const { rows: sums } = await db.execute<{ bytes: string }>(
    sql`SELECT sum(bytes) AS bytes FROM flow_edit WHERE flow_id = ${flow.id}`,
  );
  expect(rows[0]?.edit_bytes).toBe(sums[0]?.bytes);
  return rows.map(({ version }) => version);
}

it('keeps the newest edits of a flow, by number and by size', async () => {
  const many = await versionsAfterEdit(FLOW_LIMITS.keptEdits + 98, 10);
  expect([many.length, many.at(-1)]).toEqual([FLOW_LIMITS.keptEdits, FLOW_LIMITS.keptEdits + 100]);
  const large = await versionsAfterEdit(20, Math.ceil(FLOW_LIMITS.keptEditBytes / 10));
  expect(large).toEqual([13, 14, 15, 16, 17, 18, 19, 20, 21, 22]);
});

describe('an edit', () => {
  let flowId: string;
  beforeEach(async () => {
    const { db } = opened.database;
    flowId = (await createFlow(db, 'ada', emptyFlow('Start'))).flow.id;
    await shareFlow(db, { userId: 'ada', flowId, email: 'bob@example.test', access: 'edit' });
    await shareFlow(db, { userId: 'ada', flowId, email: 'cid@example.test', access: 'read' });
  });
  const name = (text: string): Edit => ({ kind: 'set_details', name: text });
  const about = (text: string): Edit => ({ kind: 'set_details', description: text });
  const remove: Edit = { kind: 'remove_component', id: 'Z' };
  const edit = (base: number, edits: readonly Edit[], more: Partial<Parameters<typeof editFlow>[1]> = {}) =>
    editFlow(opened.database.db, { userId: 'ada', flowId, base, edits, ...more });
  const read = async () => (await getFlow(opened.database.db, 'ada', flowId))!;
  const rowOf = async () => (await opened.database.db.select().from(flow).where(eq(flow.id, flowId)))[0]!;

  it('changes the flow, and tells those who can open it', async () => {
    const before = await rowOf();
    const change = await edit(1, [name('Größe'), about('About')]);
    expect(change).toMatchObject({ version: 2, edits: [name('Größe'), about('About')], between: [] });
    expect({ ...change.notice, userIds: [...change.notice.userIds].sort() }).toEqual({
      id: flowId,
      version: 2,
      userIds: ['ada', 'bob', 'cid'],
    });
    const after = await read();
    expect(after).toMatchObject({ version: 2, name: 'Größe', description: 'About', updatedAt: change.updatedAt });
    const { text, bytes } = await textOfDocument(after.document);
    const row = await rowOf();
    expect([row.document, row.name, row.description]).toEqual([text, 'Größe', 'About']);
    expect(row.documentBytes).toBe(bytes);
    expect(row.editBytes).toBeGreaterThan(0);
    expect(row.storedBytes).toBe(before.storedBytes + bytes - before.documentBytes + row.editBytes);
    const entries = await editsAfter(opened.database.db, after, 1);
    expect(entries).toEqual([{ version: 2, userId: 'ada', kind: 'edit', edits: [name('Größe'), about('About')] }]);
    const [entry] = await opened.database.db.select().from(flowEdit).where(eq(flowEdit.flowId, flowId));
    expect(entry).toMatchObject({ reverts: null, requestKey: null, revertedBy: null });
    expect(entry?.bytes).toBe(Buffer.byteLength(entry?.edits ?? '') + Buffer.byteLength(entry?.inverses ?? ''));
    expect(JSON.parse(entry?.inverses ?? '')).toEqual([name('Start'), about('')]);
  });

  it('fits on top of what others changed, and gives the edits that the client does not have', async () => {
    await edit(1, [name('One')], { userId: 'bob' });
    const change = await edit(1, [about('Two')]);
    expect(change).toMatchObject({ version: 3, between: [{ version: 2, userId: 'bob', edits: [name('One')] }] });
    expect(await read()).toMatchObject({ name: 'One', description: 'Two' });
    expect((await edit(3, [name('Three')])).between).toEqual([]);
  });

  it('is applied once with the same key, by the same user', async () => {
    const first = await edit(1, [name('One')], { key: 'k' });
    await edit(2, [name('Two')]);
    const again = await edit(1, [name('Other')], { key: 'k' });
    expect(again).toMatchObject({ version: 2, edits: [name('One')], between: [] });
    expect(again.notice).toEqual({ id: flowId, version: 3, userIds: [] });
    expect(again.updatedAt).toEqual((await read()).updatedAt);
    expect((await read()).name).toBe('Two');
    expect(first.version).toBe(2);
    expect((await edit(3, [name('Bob')], { key: 'k', userId: 'bob' })).version).toBe(4);
    const third = await edit(2, [name('Last')], { key: 'l' });
    expect(third.version).toBe(5);
    expect((await edit(2, [], { key: 'l' })).between.map(({ version }) => version)).toEqual([3, 4]);
  });

  it('is refused for users who may not edit, and for versions that do not exist', async () => {
    await expect(edit(1, [name('x')], { userId: 'cid' })).rejects.toMatchObject({ code: 'read_only' });
    await expect(edit(1, [name('x')], { userId: 'dan' })).rejects.toMatchObject({ code: 'not_found' });
    await expect(edit(2, [name('x')])).rejects.toMatchObject({
      status: 400,
      code: 'invalid',
      message: 'The flow has version 1; 2 does not exist.',
    });
    expect(await read()).toMatchObject({ version: 1, name: 'Start' });
  });

  it('is refused where the client wants it on its own version or on parts that did not change', async () => {
    await edit(1, [name('One')], { userId: 'bob' });
    await expect(edit(1, [about('x')], { isExact: true })).rejects.toMatchObject({
      status: 409,
      code: 'changed',
      message: 'The flow has version 2 now. Load it again.',
    });
    await expect(edit(1, [name('Two')], { overwrite: false })).rejects.toMatchObject({
      status: 409,
      code: 'changed',
      message: 'The same parts of the flow were changed after version 1.',
    });
    expect((await edit(2, [name('Two')], { isExact: true, overwrite: false })).version).toBe(3);
    expect((await edit(2, [name('Three')], { overwrite: true })).version).toBe(4);
  });

  it('says that the flow changed where it does not fit any more, else what is wrong with it', async () => {
    const wrong = await edit(1, [remove]).catch((error: unknown) => error as Error);
    expect(wrong).toBeInstanceOf(FlowError);
    await edit(1, [name('One')], { userId: 'bob' });
    await expect(edit(1, [remove])).rejects.toMatchObject({
      status: 409,
      code: 'changed',
      message: `${(wrong as Error).message}. The flow changed since version 1: load it again and repeat your edit.`,
    });
  });

  it('is refused where edits after the version of the client are not kept any more', async () => {
    await edit(1, [name('One')]);
    await edit(2, [name('Two')]);
    const { db } = opened.database;
    await db.delete(flowEdit).where(and(eq(flowEdit.flowId, flowId), eq(flowEdit.version, 2)));
    await expect(edit(1, [name('Three')])).rejects.toMatchObject({
      status: 409,
      code: 'changed',
      message: 'The edits after version 1 are not kept any more. Load the flow again.',
    });
    expect((await editsAfter(db, { id: flowId, version: 3 }, 2)).map(({ version }) => version)).toEqual([3]);
    expect(await editsAfter(db, { id: flowId, version: 3 }, 3)).toEqual([]);
  });

  it('of another user notes that others edited, and takes the approval of the owner', async () => {
    const { db } = opened.database;
    await edit(1, [name('One')]);
    expect([(await rowOf()).othersEdited, await isApproved(db, 'ada', await read())]).toEqual([false, true]);
    await edit(2, [name('Two')], { userId: 'bob' });
    expect([(await rowOf()).othersEdited, await isApproved(db, 'ada', await read())]).toEqual([true, false]);
    await edit(3, [name('Three')]);
    expect((await rowOf()).othersEdited).toBe(true);
  });
});
