import { expect, it } from 'vitest';
import { FRAME_LIMITS } from '../frames.ts';
import { hashKey, makeSessionKey } from '../tokens.ts';
import { Keys, type KeyParts } from './keys.ts';
import { memoryGatewayStore } from './memory-store.ts';
import { Pairings } from './pairings.ts';

const IDLE_MS = 60_000;

function setUp(more: Partial<KeyParts> = {}) {
  let time = 1_000_000;
  const store = memoryGatewayStore();
  const now = () => time;
  const pairings = new Pairings(store, now);
  const machines = { ofKey: () => undefined } as unknown as KeyParts['machines'];
  const parts = { store, machines, pairings, staticKey: undefined, idleMs: IDLE_MS, now, isFresh: () => true };
  return { keys: new Keys({ ...parts, ...more }), store, pairings, pass: (ms: number) => void (time += ms), now };
}

it('refuses a request without a key, with an unknown one and with one that is too long', async () => {
  const { keys } = setUp();
  for (const key of [undefined, '']) await expect(keys.identify(key)).rejects.toMatchObject({ code: 'missing_key' });
  for (const key of [makeSessionKey(), 'x'.repeat(FRAME_LIMITS.maxKeyChars + 1)])
    await expect(keys.identify(key)).rejects.toMatchObject({ code: 'invalid_key' });
});

it('knows the user of a session until it has been idle for too long', async () => {
  const { keys, store, pass, now } = setUp();
  const key = makeSessionKey();
  await store.saveSession({ keyHash: hashKey(key), userId: 'ada', lastSeenAt: new Date(now()) } as never);
  pass(IDLE_MS);
  expect(await keys.identify(key)).toEqual({ kind: 'session', keyHash: hashKey(key), userId: 'ada' });
  expect([await keys.isOfUser(hashKey(key), 'ada'), await keys.isOfUser(hashKey(key), 'ben')]).toEqual([true, false]);
  pass(1);
  await expect(keys.identify(key)).rejects.toMatchObject({ code: 'expired_key' });
});

it('checks a pairing token without using it up', async () => {
  const { keys, pairings } = setUp();
  const { token } = await pairings.open('ada', false);
  for (let time = 0; time < 2; time++)
    expect(await keys.identify(token)).toEqual({ kind: 'pairing', keyHash: hashKey(token), userId: 'ada' });
  expect(await keys.identify('gw_of_another_process')).toMatchObject({ kind: 'pairing', userId: undefined });
});

it('gives the static key access only when its user exists', async () => {
  const ready = setUp({ staticKey: { key: 'configured', userId: 'ada' } }).keys;
  expect(await ready.identify('configured')).toMatchObject({ kind: 'static', userId: 'ada' });
  expect([ready.isStatic(hashKey('configured')), ready.isStatic(hashKey('other'))]).toEqual([true, false]);
  await expect(ready.identify('configure')).rejects.toMatchObject({ code: 'invalid_key' });
  const early = setUp({ staticKey: { key: 'configured', userId: '' } }).keys;
  await expect(early.identify('configured')).rejects.toMatchObject({ code: 'invalid_key' });
  expect(setUp().keys.isStatic(hashKey(''))).toBe(false);
});

it('asks the store about a connected machine only while changes by other processes do not arrive', async () => {
  const machines = { ofKey: () => ({ machine: { userId: 'ada' } }) } as unknown as KeyParts['machines'];
  expect(await setUp({ machines }).keys.sessionUser('hash')).toBe('ada');
  const revoked = setUp({ machines, isFresh: () => false }).keys;
  await expect(revoked.sessionUser('hash')).rejects.toMatchObject({ code: 'invalid_key' });
});
