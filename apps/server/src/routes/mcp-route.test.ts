import { EventEmitter } from 'node:events';
import { afterEach, expect, it, vi } from 'vitest';
import type { Caller } from '../identity.ts';
import { authorizeBy } from './mcp-route.ts';
import type { RawHttp } from './route.ts';

afterEach(() => void vi.useRealTimers());

/** Opens a stream. Its caller exists at first, and is gone when the server looks again. */
async function openStream(caller: Caller) {
  vi.useFakeTimers();
  const destroy = vi.fn();
  const raw = { incoming: {}, outgoing: Object.assign(new EventEmitter(), { destroy }) } as unknown as RawHttp;
  const identify = vi.fn().mockResolvedValueOnce({ caller }).mockResolvedValue(undefined);
  await authorizeBy(identify, raw, async () => ({}) as never);
  return { destroy, outgoing: raw.outgoing };
}
const KEY = { userId: 'ann', role: 'user', via: 'key', key: 'agent' } as const;

it('ends a stream within two seconds after its API key was revoked', async () => {
  const { destroy } = await openStream(KEY);
  expect(destroy).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(destroy).toHaveBeenCalledOnce();
});

it('looks no more once the response has ended', async () => {
  const { destroy, outgoing } = await openStream(KEY);
  outgoing.emit('close');
  await vi.advanceTimersByTimeAsync(10_000);
  expect(destroy).not.toHaveBeenCalled();
});
