import { eq, like, sql } from 'drizzle-orm';
import { createApiKey, findKeyOwner, hashApiKey, revokeApiKey } from '../../apps/server/src/store/api-keys.ts';
import type { Db } from '../../apps/server/src/store/database.ts';
import { createGatewayStore } from '../../apps/server/src/store/gateway-store.ts';
import { setting, user } from '../../apps/server/src/store/schema.ts';

const USERS = 5;

/**
 * For tests: workers that concurrently write, read, count under a lock, roll back, pair machines and create keys on the same rows,
 * and checks afterwards. Returns the errors; there should be none.
 */
export async function runMixedTransactions(db: Db, workers: number, each: number): Promise<{ errors: unknown[] }> {
  await db
    .insert(user)
    .values(
      Array.from({ length: USERS }, (_, n) => ({ id: `mixed-${n}`, name: 'Mixed', email: `mixed-${n}@example.com` })),
    )
    .onConflictDoNothing();
  await db.insert(setting).values({ key: 'counter', value: 0 });
  const errors: unknown[] = [];
  let counted = 0;
  const kinds = [addAndRead, count, rollBack, scan, pair, useKey];
  const worker = async (lane: number) => {
    for (let n = 0; n < each; n++) {
      const kind = kinds[(n * 7 + lane) % kinds.length] as (typeof kinds)[number];
      try {
        await kind(db, `${lane}-${n}`, `mixed-${(lane + n) % USERS}`);
        if (kind === count) counted++;
      } catch (error) {
        errors.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: workers }, (_, lane) => worker(lane)));
  const [counter] = await db.select().from(setting).where(eq(setting.key, 'counter'));
  if (counter?.value !== counted) errors.push(new Error(`counted ${counted} times, stored ${String(counter?.value)}`));
  const ghosts = await db.select().from(setting).where(like(setting.key, 'ghost-%'));
  if (ghosts.length > 0) errors.push(new Error(`${ghosts.length} rows of transactions that were rolled back`));
  return { errors };
}

type Kind = (db: Db, name: string, userId: string) => Promise<void>;

const addAndRead: Kind = async (db, name) => {
  await db.transaction(async (tx) => {
    for (let n = 0; n < 3; n++) await tx.insert(setting).values({ key: `row-${name}-${n}`, value: { n } });
    const rows = await tx
      .select()
      .from(setting)
      .where(like(setting.key, `row-${name}-%`));
    if (rows.length !== 3) throw new Error(`wrote 3 rows, read ${rows.length}`);
    await tx.delete(setting).where(eq(setting.key, `row-${name}-0`));
  });
};

const count: Kind = async (db) => {
  await db.transaction(async (tx) => {
    const [row] = await tx.select().from(setting).where(eq(setting.key, 'counter')).for('update');
    await tx
      .update(setting)
      .set({ value: Number(row?.value) + 1 })
      .where(eq(setting.key, 'counter'));
  });
};

const rollBack: Kind = async (db, name) => {
  const undone = new Error('undone');
  await db
    .transaction(async (tx) => {
      await tx.insert(setting).values({ key: `ghost-${name}`, value: 1 });
      throw undone;
    })
    .catch((error: unknown) => {
      if (error !== undone) throw error;
    });
};

const scan: Kind = async (db) => {
  await db.select({ rows: sql<number>`count(*)`, last: sql<string>`max(${setting.key})` }).from(setting);
};

const pair: Kind = async (db, name, userId) => {
  const store = createGatewayStore(db);
  const now = new Date();
  await store.savePairing({ tokenHash: `token-${name}`, userId, expiresAt: now });
  // Another worker may have paired the same user since; then the token is invalid.
  await store.takePairing(`token-${name}`, now);
  await store.saveSession({
    keyHash: `key-${name}`,
    userId,
    createdAt: now,
    lastSeenAt: now,
    host: null,
    directory: null,
  });
  await store.touchSessions([`key-${name}`], new Date());
};

const useKey: Kind = async (db, name, userId) => {
  const { key, secret } = await createApiKey(db, { userId, name });
  if ((await findKeyOwner(db, hashApiKey(secret)))?.userId !== userId) throw new Error('the key is refused');
  if (!(await revokeApiKey(db, userId, key.id))) throw new Error('the key cannot be revoked');
};
