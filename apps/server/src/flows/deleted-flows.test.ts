import { emptyFlow } from '@croft/flow';
import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { type TestDatabase, useTestDatabase } from '../../../../tests/store/use-test-database.ts';
import { createFlow, usageOf } from './create-flow.ts';
import { deleteFlow, dropOldDeletedFlows, listDeletedFlows, restoreDeletedFlow } from './deleted-flows.ts';
import { FLOW_LIMITS } from './flow-limits.ts';

let opened: TestDatabase;
useTestDatabase((started) => void (opened = started), ['ada', 'ben', 'cai']);

const DAY_MS = 86_400_000;

describe('deleted flows', () => {
  const make = async (userId: string, name: string, bytes?: number): Promise<string> => {
    const { db } = opened.database;
    const { flow } = await createFlow(db, userId, emptyFlow(name));
    if (bytes !== undefined) await db.execute(sql`UPDATE flow SET stored_bytes = ${bytes} WHERE id = ${flow.id}`);
    return flow.id;
  };
  const names = async (userId: string) => (await listDeletedFlows(opened.database.db, userId)).map(({ name }) => name);

  it('do not count for their owner, and the oldest go where there are too many', async () => {
    const { db } = opened.database;
    const ids: string[] = [];
    for (let n = 0; n <= FLOW_LIMITS.deletedFlows; n++) ids.push(await make('ada', `${n}`));
    const gone: string[] = [];
    for (const id of ids) gone.push(...(await deleteFlow(db, 'ada', id)).gone);
    expect(gone).toEqual([ids[0]]);
    expect(await names('ada')).toHaveLength(FLOW_LIMITS.deletedFlows);
    expect((await names('ada'))[0]).toBe(`${FLOW_LIMITS.deletedFlows}`);
    expect(await usageOf(db, 'ada')).toMatchObject({ flows: 0 });
    await expect(restoreDeletedFlow(db, 'ada', ids[0] as string)).rejects.toMatchObject({ code: 'not_found' });
    await restoreDeletedFlow(db, 'ada', ids[1] as string);
    expect(await usageOf(db, 'ada')).toMatchObject({ flows: 1 });
  });

  it('go where they are too large together; one that is too large alone is not kept', async () => {
    const { db } = opened.database;
    const small = await make('ben', 'small', 1_000);
    await deleteFlow(db, 'ben', small);
    const large = await make('ben', 'large', FLOW_LIMITS.deletedBytes - 500);
    expect(await deleteFlow(db, 'ben', large)).toMatchObject({ isKept: true, gone: [small] });
    const tooLarge = await make('ben', 'too large', FLOW_LIMITS.deletedBytes + 1);
    const { isKept, gone } = await deleteFlow(db, 'ben', tooLarge);
    expect([isKept, gone.toSorted()]).toEqual([false, [large, tooLarge].toSorted()]);
    expect(await names('ben')).toEqual([]);
  });

  it('go for good after their time', async () => {
    const { db } = opened.database;
    const id = await make('cai', 'old');
    await deleteFlow(db, 'cai', id);
    const after = (days: number) => new Date(Date.now() + days * DAY_MS);
    await dropOldDeletedFlows(db, after(FLOW_LIMITS.deletedDays - 0.5));
    expect(await names('cai')).toEqual(['old']);
    await dropOldDeletedFlows(db, after(FLOW_LIMITS.deletedDays + 0.5));
    expect(await names('cai')).toEqual([]);
  });
});
