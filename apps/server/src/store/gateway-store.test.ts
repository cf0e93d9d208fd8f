import { beforeEach, expect, test } from 'vitest';
import { createGatewayStore } from './gateway-store.ts';
import { user } from './schema.ts';
import { type TestDatabase, useTestDatabase } from '../../../../tests/store/use-test-database.ts';
import { deleteUser } from './users.ts';

let opened: TestDatabase;
let store: ReturnType<typeof createGatewayStore>;
const NOW = new Date('2030-01-01T00:00:00.123Z');
const later = (ms: number) => new Date(NOW.getTime() + ms);

useTestDatabase((started) => {
  opened = started;
  store = createGatewayStore(opened.database.db);
});
beforeEach(async () => {
  const { db } = opened.database;
  await db.delete(user);
  await db.insert(user).values([
    { id: 'ann', name: 'Ann', email: 'ann@example.com' },
    { id: 'bob', name: 'Bob', email: 'bob@example.com' },
  ]);
});

test('gives a pairing token to one of many who take it at once', async () => {
  for (let round = 0; round < 10; round++) {
    await store.savePairing({ tokenHash: `t${round}`, userId: 'ann', expiresAt: later(300_000) });
    const taken = await Promise.all(Array.from({ length: 10 }, () => store.takePairing(`t${round}`, NOW)));
    expect(taken.filter((one) => one !== undefined)).toEqual([{ userId: 'ann', expired: false }]);
  }
});

test('says that a token has expired, once, and nothing of one it does not know', async () => {
  await store.savePairing({ tokenHash: 'old', userId: 'ann', expiresAt: NOW });
  expect(await store.takePairing('old', NOW)).toEqual({ userId: 'ann', expired: true });
  expect(await store.takePairing('old', NOW)).toBeUndefined();
  expect(await store.takePairing('never', NOW)).toBeUndefined();
});

test('replaces a user’s unused token and leaves another user’s', async () => {
  await store.savePairing({ tokenHash: 'first', userId: 'ann', expiresAt: later(1) });
  await store.savePairing({ tokenHash: 'bobs', userId: 'bob', expiresAt: later(1) });
  await store.savePairing({ tokenHash: 'second', userId: 'ann', expiresAt: later(1) });
  expect(await store.takePairing('first', NOW)).toBeUndefined();
  expect(await store.takePairing('second', NOW)).toMatchObject({ userId: 'ann' });
  expect(await store.takePairing('bobs', NOW)).toMatchObject({ userId: 'bob' });
});

test('knows an unused token until it is taken', async () => {
  await store.savePairing({ tokenHash: 'open', userId: 'ann', expiresAt: later(1) });
  expect(await store.findPairing('open')).toEqual({ userId: 'ann', expiresAt: later(1) });
  expect(await store.findPairing('never')).toBeUndefined();
  await store.takePairing('open', NOW);
  expect(await store.findPairing('open')).toBeUndefined();
});

test('forgets a user’s unused token, and no other user’s', async () => {
  await store.savePairing({ tokenHash: 'anns', userId: 'ann', expiresAt: later(1) });
  await store.savePairing({ tokenHash: 'bobs', userId: 'bob', expiresAt: later(1) });
  await store.removePairing('ann');
  expect(await store.takePairing('anns', NOW)).toBeUndefined();
  expect(await store.takePairing('bobs', NOW)).toMatchObject({ userId: 'bob' });
});

const session = (keyHash: string, userId: string) => ({
  keyHash,
  userId,
  createdAt: NOW,
  lastSeenAt: NOW,
  host: 'laptop',
  directory: '/home/ann/work',
});

test('keeps one session a user, the newest, also of several saved at once', async () => {
  await store.saveSession(session('a1', 'ann'));
  await store.saveSession(session('b1', 'bob'));
  await store.saveSession(session('a2', 'ann'));
  expect(await store.findSession('a1')).toBeUndefined();
  expect(await store.findSession('a2')).toEqual({ userId: 'ann', lastSeenAt: NOW });
  expect(await store.findSession('b1')).toEqual({ userId: 'bob', lastSeenAt: NOW });
  const keys = ['a3', 'a4', 'a5', 'a6', 'a7'];
  await Promise.all(keys.map((key) => store.saveSession(session(key, 'ann'))));
  const found = await Promise.all(keys.map((key) => store.findSession(key)));
  expect(found.filter((one) => one !== undefined)).toHaveLength(1);
});

test('notes when sessions were seen, never earlier than it knew, and removes a user’s alone', async () => {
  await store.saveSession(session('a', 'ann'));
  await store.saveSession(session('b', 'bob'));
  await store.touchSessions(['a', 'b', ...Array.from({ length: 20_000 }, (_, n) => `unknown-${n}`)], later(5_000));
  await store.touchSessions(['a'], later(1_000));
  await store.touchSessions([], later(9_000));
  expect((await store.findSession('a'))?.lastSeenAt).toEqual(later(5_000));
  await store.removeSessions('ann');
  expect(await store.findSession('a')).toBeUndefined();
  expect((await store.findSession('b'))?.lastSeenAt).toEqual(later(5_000));
});

test('is on until a user turns it off', async () => {
  expect(await store.getToggle('ann')).toBe(true);
  await store.setToggle('ann', false);
  expect([await store.getToggle('ann'), await store.getToggle('bob')]).toEqual([false, true]);
  await store.setToggle('ann', true);
  expect(await store.getToggle('ann')).toBe(true);
});

test('forgets the machine, token and toggle of a user who is removed', async () => {
  await store.saveSession(session('a', 'ann'));
  await store.savePairing({ tokenHash: 't', userId: 'ann', expiresAt: later(1_000) });
  await store.setToggle('ann', false);
  expect(await deleteUser(opened.database.db, 'ann')).toBe(true);
  expect(await store.findSession('a')).toBeUndefined();
  expect(await store.takePairing('t', NOW)).toBeUndefined();
});
