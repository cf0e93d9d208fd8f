import { beforeEach, describe, expect, it } from 'vitest';
import { TIMES } from '../frames.ts';
import { hashKey } from '../tokens.ts';
import { memoryGatewayStore, type MemoryGatewayStore } from './memory-store.ts';
import { Pairings } from './pairings.ts';

let store: MemoryGatewayStore;
let pairings: Pairings;
let now: number;
beforeEach(() => {
  store = memoryGatewayStore();
  now = 1_000;
  pairings = new Pairings(store, () => now);
});

describe('a pairing token', () => {
  it('is the same for a reloaded page until it is renewed', async () => {
    const first = await pairings.open('u', false);
    expect(first.expiresAt.getTime()).toBe(now + TIMES.pairingMs);
    expect(await pairings.open('u', false)).toEqual(first);
    const renewed = await pairings.open('u', true);
    expect(renewed.token).not.toBe(first.token);
    expect(pairings.peek(hashKey(first.token))).toBeUndefined();
    expect(pairings.peek(hashKey(renewed.token))).toBe('u');
    expect(store.pairings.size).toBe(1);
  });

  it('is replaced when another process has used it', async () => {
    const { token } = await pairings.open('u', false);
    await store.takePairing(hashKey(token), new Date(now));
    expect((await pairings.open('u', false)).token).not.toBe(token);
  });

  it('is used once, and keeps its user when it has expired', async () => {
    const { token } = await pairings.open('u', false);
    expect(await pairings.take(hashKey(token))).toEqual({ userId: 'u', expired: false });
    expect(await pairings.take(hashKey(token))).toBeUndefined();
    expect(pairings.peek(hashKey(token))).toBeUndefined();
    const late = await pairings.open('u', false);
    now += TIMES.pairingMs;
    expect(pairings.peek(hashKey(late.token))).toBeUndefined();
    expect(pairings.expiresAt('u')).toBeUndefined();
    pairings.sweep();
    expect(await pairings.take(hashKey(late.token))).toEqual({ userId: 'u', expired: true });
  });

  it('is forgotten alone, when it has expired, was used, or another process says so', async () => {
    const early = await pairings.open('early', false);
    now += TIMES.pairingMs - 1;
    const [late, other] = [await pairings.open('late', false), await pairings.open('other', false)];
    const users = () => [early, late, other].map(({ token }) => pairings.peek(hashKey(token)));
    expect([users(), pairings.expiresAt('early'), pairings.expiresAt('none')]).toEqual([
      ['early', 'late', 'other'],
      now + 1,
      undefined,
    ]);
    now += 1;
    pairings.sweep();
    expect(users()).toEqual([undefined, 'late', 'other']);
    expect(await pairings.take(hashKey('unknown'))).toBeUndefined();
    expect(users()).toEqual([undefined, 'late', 'other']);
    pairings.forget('late');
    pairings.forget('none');
    expect([users(), store.pairings.size]).toEqual([[undefined, undefined, 'other'], 3]);
    expect((await pairings.open('early', false)).token).not.toBe(early.token);
  });

  it('is gone after it was dropped', async () => {
    const { token } = await pairings.open('u', false);
    await pairings.drop('u');
    expect(pairings.peek(hashKey(token))).toBeUndefined();
    expect(store.pairings.size).toBe(0);
  });
});
