import { expect, it } from 'vitest';
import { memoryGatewayStore } from './memory-store.ts';

const at = (ms: number) => new Date(ms);

it('gives a pairing token once, and one a user', async () => {
  const store = memoryGatewayStore();
  await store.savePairing({ tokenHash: 'a', userId: 'ann', expiresAt: at(10) });
  await store.savePairing({ tokenHash: 'b', userId: 'ann', expiresAt: at(10) });
  await store.savePairing({ tokenHash: 'c', userId: 'bob', expiresAt: at(10) });
  expect([...store.pairings.keys()]).toEqual(['b', 'c']);
  expect(await store.findPairing('a')).toBeUndefined();
  expect(await store.findPairing('b')).toMatchObject({ userId: 'ann', expiresAt: at(10) });
  expect(await store.takePairing('b', at(9))).toEqual({ userId: 'ann', expired: false });
  expect(await store.takePairing('b', at(9))).toBeUndefined();
  expect(await store.takePairing('c', at(10))).toEqual({ userId: 'bob', expired: true });
  await store.savePairing({ tokenHash: 'd', userId: 'ann', expiresAt: at(10) });
  await store.removePairing('ann');
  expect(store.pairings.size).toBe(0);
});

it('keeps one session a user, and when it was used last', async () => {
  const store = memoryGatewayStore();
  const row = (keyHash: string, userId: string) => ({
    keyHash,
    userId,
    createdAt: at(1),
    lastSeenAt: at(1),
    host: null,
    directory: '/p',
  });
  await store.saveSession(row('a', 'ann'));
  await store.saveSession(row('b', 'ann'));
  await store.saveSession(row('c', 'bob'));
  await store.touchSessions(['b', 'unknown'], at(7));
  expect([await store.findSession('a'), await store.findSession('b')]).toEqual([
    undefined,
    { userId: 'ann', lastSeenAt: at(7) },
  ]);
  await store.removeSessions('ann');
  expect([...store.sessions.keys()]).toEqual(['c']);
});

it('has every switch on until it is set', async () => {
  const store = memoryGatewayStore();
  await store.setToggle('ann', false);
  expect([await store.getToggle('ann'), await store.getToggle('bob')]).toEqual([false, true]);
});
