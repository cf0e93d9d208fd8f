import { eq } from 'drizzle-orm';
import type { Db } from './database.ts';
import { setting } from './schema.ts';

/** Reads the value stored under a key. The caller validates it. */
export async function readSetting(db: Db, key: string): Promise<unknown> {
  const [row] = await db.select({ value: setting.value }).from(setting).where(eq(setting.key, key));
  return row?.value;
}

/** Stores a JSON value under a key; `undefined` or `null` removes it. */
export async function writeSetting(db: Db, key: string, value: unknown): Promise<void> {
  if (value === undefined || value === null) {
    await db.delete(setting).where(eq(setting.key, key));
    return;
  }
  const updatedAt = new Date();
  await db
    .insert(setting)
    .values({ key, value, updatedAt })
    .onConflictDoUpdate({ target: setting.key, set: { value, updatedAt } });
}
