import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { useTestDatabase, type TestDatabase } from '../../../../tests/store/use-test-database.ts';
import { announceChange, type ChangeListener, listenForChanges } from './changes.ts';

let opened: TestDatabase;
let listener: ChangeListener;
let changes: unknown[];
let missed: number;
let errors: unknown[];
useTestDatabase((started) => void (opened = started));
const db = () => opened.database.db;

beforeEach(async () => {
  [changes, missed, errors] = [[], 0, []];
  listener = listenForChanges(opened.database, {
    onChange: async (change) => void changes.push(change),
    onMissed: async () => void missed++,
    onError: (error) => void errors.push(error),
  });
  await expect.poll(() => listener.isFresh()).toBe(true);
});
afterEach(() => listener.close());

const revision = async () =>
  Number((await db().execute<{ value: string }>(sql`SELECT value FROM change_revision`)).rows[0]?.value ?? 0);
/** A change by another process, `skipped` revisions after the last one. */
async function announceElsewhere(change: object, skipped = 0): Promise<void> {
  const next = (await revision()) + 1 + skipped;
  await db().transaction(async (tx) => {
    await tx.execute(
      sql`INSERT INTO change_revision (id, value) VALUES (1, ${next}) ON CONFLICT (id) DO UPDATE SET value = ${next}`,
    );
    const text = JSON.stringify({ ...change, origin: 'other', revision: next });
    await tx.execute(sql`SELECT pg_notify('croft_changes', ${text})`);
  });
}

it('hears changes of other processes, and not its own', async () => {
  expect(missed).toBe(1);
  const before = await revision();
  await announceChange(db(), { kind: 'switch', userId: 'ann' });
  await announceElsewhere({ kind: 'flow', userId: 'ann', flow: { id: 'f', version: null, userIds: ['ann'] } });
  await expect
    .poll(() => changes)
    .toEqual([{ kind: 'flow', userId: 'ann', flow: { id: 'f', version: null, userIds: ['ann'] } }]);
  expect(await revision()).toBe(before + 2);
  expect([missed, errors]).toEqual([1, []]);
});

it('reads everything again where a change is missing', async () => {
  await announceElsewhere({ kind: 'cut', userId: 'ann' }, 1);
  await expect.poll(() => missed).toBe(2);
  expect(changes).toEqual([]);
});

it('reads everything again where a change came without a notice, as behind a pooler', async () => {
  await db().execute(sql`UPDATE change_revision SET value = value + 1`);
  await expect.poll(() => missed).toBe(2);
});

it('ignores what is not a change', async () => {
  await db().execute(sql`SELECT pg_notify('croft_changes', 'no JSON')`);
  await announceElsewhere({ kind: 'other', userId: 'ann' });
  await announceElsewhere({ kind: 'machine', userId: 'bob' });
  await expect.poll(() => missed + changes.length).toBeGreaterThan(1);
  expect(changes.filter((change) => (change as { kind: string }).kind === 'other')).toEqual([]);
});

it('connects again after a connection that broke, and reads everything again', async () => {
  await db().execute(
    sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'croft changes'`,
  );
  await expect.poll(() => missed).toBe(2);
  expect(errors).toHaveLength(1);
  await expect.poll(() => listener.isFresh()).toBe(true);
});

it('is not fresh after its end', async () => {
  await listener.close();
  expect(listener.isFresh()).toBe(false);
});
