import { and, desc, eq, isNull, sql } from 'drizzle-orm';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { Db } from './database.ts';
import { apiKey, user } from './schema.ts';
import { createTouches, type Touches } from './touches.ts';

const SECRET_BYTES = 32;
const PREFIX_LENGTH = 12;

/** A key as listed for its owner, without the secret. */
export interface ApiKey {
  readonly id: string;
  readonly name: string;
  readonly prefix: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
}

/** The user of a key. */
export interface KeyOwner {
  readonly keyId: string;
  readonly keyName: string;
  readonly userId: string;
  readonly name: string;
  readonly email: string;
  readonly role: 'admin' | 'user';
}

const SHOWN = {
  id: apiKey.id,
  name: apiKey.name,
  prefix: apiKey.prefix,
  createdAt: apiKey.createdAt,
  lastUsedAt: apiKey.lastUsedAt,
} as const;

/** The stored hash of a secret. A fast hash is enough, because the secret has 256 random bits. */
export function hashApiKey(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/**
 * Makes a key for a user. Only this result contains the secret. With `secret`, makes a key for a secret stored elsewhere, such as this
 * machine's token file.
 */
export async function createApiKey(
  db: Db,
  options: { userId: string; name: string; secret?: string },
): Promise<{ key: ApiKey; secret: string }> {
  const secret = options.secret ?? `croft_${randomBytes(SECRET_BYTES).toString('base64url')}`;
  const [key] = await db
    .insert(apiKey)
    .values({
      id: randomUUID(),
      userId: options.userId,
      name: options.name,
      prefix: secret.slice(0, PREFIX_LENGTH),
      keyHash: hashApiKey(secret),
      createdAt: new Date(),
    })
    .returning(SHOWN);
  return { key: key as ApiKey, secret };
}

/** Sees to it that a secret kept elsewhere lets its user in, revoked before or not; safe to repeat and by two at once. */
export async function ensureApiKey(db: Db, options: { userId: string; name: string; secret: string }): Promise<void> {
  const { userId, name, secret } = options;
  await db
    .insert(apiKey)
    .values({
      id: randomUUID(),
      userId,
      name,
      prefix: secret.slice(0, PREFIX_LENGTH),
      keyHash: hashApiKey(secret),
      createdAt: new Date(),
    })
    .onConflictDoUpdate({ target: apiKey.keyHash, set: { userId, name, revokedAt: null } });
}

/** Finds the user of the secret with this hash; `undefined` if the key is unknown or revoked, or its user is disabled. */
export async function findKeyOwner(db: Db, keyHash: string): Promise<KeyOwner | undefined> {
  const [row] = await db
    .select({
      keyId: apiKey.id,
      keyName: apiKey.name,
      userId: user.id,
      name: user.name,
      email: user.email,
      role: user.role,
    })
    .from(apiKey)
    .innerJoin(user, eq(user.id, apiKey.userId))
    .where(and(eq(apiKey.keyHash, keyHash), isNull(apiKey.revokedAt), eq(user.banned, false)));
  return row && { ...row, role: row.role === 'admin' ? 'admin' : 'user' };
}

/** Lists the valid keys of a user, newest first. */
export async function listApiKeys(db: Db, userId: string): Promise<ApiKey[]> {
  return await db
    .select(SHOWN)
    .from(apiKey)
    .where(and(eq(apiKey.userId, userId), isNull(apiKey.revokedAt)))
    .orderBy(desc(apiKey.createdAt), desc(apiKey.id));
}

/** Revokes a key of this user. Returns false if the user has no such key, also for the id of another user's key. */
export async function revokeApiKey(db: Db, userId: string, id: string): Promise<boolean> {
  const rows = await db
    .update(apiKey)
    .set({ revokedAt: new Date() })
    .where(and(eq(apiKey.id, id), eq(apiKey.userId, userId), isNull(apiKey.revokedAt)))
    .returning({ id: apiKey.id });
  return rows.length > 0;
}

/** Records when keys were used, in one statement every 10 s at most. On a failure it keeps the times for the next write. */
export const createKeyTouches = (
  db: Db,
  options: { everyMs?: number; onError?: (error: unknown) => void } = {},
): Touches => createTouches((touches) => writeTouches(db, touches), options);

async function writeTouches(db: Db, rows: readonly (readonly [string, Date])[]): Promise<void> {
  const ids = sql.param(rows.map(([id]) => id));
  const times = sql.param(rows.map(([, at]) => at.toISOString()));
  await db.execute(sql`
    UPDATE ${apiKey} SET last_used_at = greatest(${apiKey.lastUsedAt}, touched.at)
    FROM unnest(${ids}::text[], ${times}::timestamptz[]) AS touched (id, at) WHERE ${apiKey.id} = touched.id`);
}
