import { describe, expect, it, vi } from 'vitest';
import { delayMs, pause, RECONNECT, REDELIVER, retryAfterMs } from './backoff.ts';

describe('the wait before the next try', () => {
  it('is between one and thirty seconds, below a bound that doubles', () => {
    const bounds = (random: number) =>
      [0, 1, 2, 3, 4, 5, 60].map((attempt) => delayMs(attempt, RECONNECT, () => random));
    expect(bounds(0)).toEqual([1_000, 1_000, 1_000, 1_000, 1_000, 1_000, 1_000]);
    expect(bounds(1)).toEqual([2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
    expect(bounds(0.5)).toEqual([1_500, 2_500, 4_500, 8_500, 15_500, 15_500, 15_500]);
  });

  it('for a response is between a tenth of a second and five', () => {
    expect([RECONNECT, REDELIVER]).toEqual([
      { minMs: 1_000, maxMs: 30_000 },
      { minMs: 100, maxMs: 5_000 },
    ]);
    expect([0, 4, 5, 1_000].map((attempt) => delayMs(attempt, REDELIVER, () => 1))).toEqual([200, 3_200, 5_000, 5_000]);
    expect(delayMs(0, { minMs: 1, maxMs: 2 }, () => 0.5)).toBe(2);
  });

  it('is as long as the server asks, within reason', () => {
    expect(delayMs(0, RECONNECT, () => 0, 45_000)).toBe(45_000);
    expect(delayMs(5, RECONNECT, () => 1, 2_000)).toBe(30_000);
    expect(delayMs(0, RECONNECT, () => 0, 1e12)).toBe(600_000);
  });

  it('reads Retry-After as seconds or as a date', () => {
    const now = Date.parse('2026-11-22T06:00:00Z');
    expect(retryAfterMs('7', now)).toBe(7_000);
    expect(retryAfterMs('Sun, 22 Nov 2026 06:00:30 GMT', now)).toBe(30_000);
    expect(retryAfterMs('Sun, 22 Nov 2026 05:00:00 GMT', now)).toBe(0);
    expect([' 7 ', '0', '999999999', '1234567890'].map((header) => retryAfterMs(header, now))).toEqual([
      7_000,
      0,
      999_999_999_000,
      undefined,
    ]);
    for (const nonsense of [null, 'soon', '-']) expect(retryAfterMs(nonsense, now)).toBeUndefined();
  });

  it('ends at once when it is cancelled', async () => {
    const controller = new AbortController();
    const waiting = pause(60_000, controller.signal);
    controller.abort();
    await waiting;
    await pause(60_000, controller.signal);
  });

  it('ends after its time, and leaves no timer and no listener', async () => {
    vi.useFakeTimers();
    try {
      const { signal } = new AbortController();
      const remove = vi.spyOn(signal, 'removeEventListener');
      let isOver = false;
      const waiting = pause(50, signal).then(() => (isOver = true));
      await vi.advanceTimersByTimeAsync(49);
      expect(isOver).toBe(false);
      await vi.advanceTimersByTimeAsync(1);
      await waiting;
      expect([isOver, vi.getTimerCount(), remove.mock.calls.map(([type]) => type)]).toEqual([true, 0, ['abort']]);
      const controller = new AbortController();
      const cancelled = pause(50, controller.signal);
      controller.abort();
      await cancelled;
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });
});
