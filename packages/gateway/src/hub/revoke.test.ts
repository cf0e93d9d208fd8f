import { expect, it } from 'vitest';
import type { EndpointParts } from './endpoint.ts';
import { memoryGatewayStore } from './memory-store.ts';
import { revoke } from './revoke.ts';

/** The parts that a revocation uses; the user's machine is connected with the key `now`. */
async function setUp() {
  const store = memoryGatewayStore();
  const at = new Date(0);
  await store.saveSession({
    keyHash: 'now',
    userId: 'ann',
    createdAt: at,
    lastSeenAt: at,
    host: null,
    directory: '/p',
  });
  const seen: string[] = [];
  const parts = {
    store,
    perUser: { run: (_: string, act: () => Promise<unknown>) => act() },
    keys: {
      async sessionUser(hash: string) {
        if ((await store.findSession(hash)) === undefined) throw new Error('expired');
      },
    },
    machines: {
      ofUser: () => ({ machine: { keyHash: 'now' } }),
      end: (userId: string, why: string, tell: string) => seen.push(`${userId} ${why} ${tell}`),
    },
    statuses: { changed: (userId: string) => seen.push(`changed ${userId}`) },
  } as unknown as EndpointParts;
  return { parts, store, seen };
}

it('ends the session and the connection of a user', async () => {
  const { parts, store, seen } = await setUp();
  await revoke(parts, 'ann');
  expect([store.sessions.size, seen]).toEqual([0, ['ann disconnected disconnected', 'changed ann']]);
});

it('ends them for the key in use, and nothing for one that was replaced', async () => {
  const current = await setUp();
  await revoke(current.parts, 'ann', 'now');
  expect([current.store.sessions.size, current.seen[0]]).toEqual([0, 'ann disconnected disconnected']);
  const late = await setUp();
  await expect(revoke(late.parts, 'ann', 'old')).rejects.toThrow('expired');
  expect([late.store.sessions.size, late.seen]).toEqual([1, []]);
});
