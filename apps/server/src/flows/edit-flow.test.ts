import { emptyFlow } from '@croft/flow';
import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { type TestDatabase, useTestDatabase } from '../../../../tests/store/use-test-database.ts';
import { createFlow } from './create-flow.ts';
import { editFlow } from './edit-flow.ts';
import { FLOW_LIMITS } from './flow-limits.ts';

let opened: TestDatabase;
useTestDatabase((started) => void (opened = started), ['ada']);

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
