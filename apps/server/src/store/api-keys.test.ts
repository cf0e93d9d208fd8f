import { beforeEach, describe, expect, test } from 'vitest';
import { useTestDatabase } from '../../../../tests/store/use-test-database.ts';
import {
  createApiKey,
  createKeyTouches,
  ensureApiKey,
  findKeyOwner,
  hashApiKey,
  listApiKeys,
  revokeApiKey,
} from './api-keys.ts';
import type { Db } from './database.ts';
import { apiKey, user } from './schema.ts';
import { updateUser } from './users.ts';

let db: Db;
useTestDatabase(({ database }) => void ({ db } = database));
beforeEach(async () => {
  await db.delete(user);
  await db.insert(user).values([
    { id: 'ann', name: 'Ann', email: 'ann@example.com', role: 'admin' },
    { id: 'bob', name: 'Bob', email: 'bob@example.com' },
  ]);
});

describe('API keys', () => {
  test('let their owner in, are stored as a hash, and are shown without the secret', async () => {
    const { key, secret } = await createApiKey(db, { userId: 'ann', name: 'script' });
    expect(secret).toMatch(/^croft_[\w-]{43}$/);
    expect(key).toMatchObject({ name: 'script', prefix: secret.slice(0, 12), lastUsedAt: null });
    expect(await findKeyOwner(db, hashApiKey(secret))).toEqual({
      keyId: key.id,
      keyName: 'script',
      userId: 'ann',
      name: 'Ann',
      email: 'ann@example.com',
      role: 'admin',
    });
    expect(JSON.stringify(await db.select().from(apiKey))).not.toContain(secret);
    expect(JSON.stringify(await listApiKeys(db, 'ann'))).not.toContain(hashApiKey(secret));
    expect(await findKeyOwner(db, hashApiKey(`${secret}x`))).toBeUndefined();
  });

  test('end when their owner revokes them; other users cannot', async () => {
    const { key, secret } = await createApiKey(db, { userId: 'ann', name: 'one' });
    expect(await revokeApiKey(db, 'bob', key.id)).toBe(false);
    expect(await findKeyOwner(db, hashApiKey(secret))).toBeDefined();
    expect(await revokeApiKey(db, 'ann', key.id)).toBe(true);
    expect(await revokeApiKey(db, 'ann', key.id)).toBe(false);
    expect(await findKeyOwner(db, hashApiKey(secret))).toBeUndefined();
    expect(await listApiKeys(db, 'ann')).toEqual([]);
  });

  test('do not work while the account is disabled', async () => {
    const { secret } = await createApiKey(db, { userId: 'bob', name: 'one' });
    await updateUser(db, 'bob', { disabled: true });
    expect(await findKeyOwner(db, hashApiKey(secret))).toBeUndefined();
    await updateUser(db, 'bob', { disabled: false });
    expect(await findKeyOwner(db, hashApiKey(secret))).toBeDefined();
  });

  test('can be a secret that is kept elsewhere, made sure of by two servers at once', async () => {
    const machine = { userId: 'ann', name: 'this machine', secret: 'croft_from-a-file' };
    await Promise.all([ensureApiKey(db, machine), ensureApiKey(db, machine)]);
    expect(await listApiKeys(db, 'ann')).toHaveLength(1);
    expect(await findKeyOwner(db, hashApiKey(machine.secret))).toMatchObject({ userId: 'ann' });
  });

  test('have the time of their last use written in one go, and never moved back', async () => {
    const keys = await Promise.all([1, 2].map((n) => createApiKey(db, { userId: 'ann', name: `k${n}` })));
    const touches = createKeyTouches(db, { everyMs: 20 });
    const at = new Date('2030-01-01T00:00:01.000Z');
    for (const { key } of keys) touches.touch(key.id, at);
    touches.touch('unknown');
    const lastUses = async () => (await listApiKeys(db, 'ann')).map((key) => key.lastUsedAt);
    await expect.poll(lastUses).toEqual([at, at]);
    touches.touch((keys[0] as (typeof keys)[0]).key.id, new Date('2029-01-01'));
    await touches.close();
    expect((await listApiKeys(db, 'ann')).map((key) => key.lastUsedAt)).toEqual([at, at]);
  });
});
