import { describe, expect, it } from 'vitest';
import { nextTime } from './next-time.ts';

const times = (cron: string, timeZone: string, from: string, count: number) => {
  const found: string[] = [];
  for (let at: Date | null = new Date(from); found.length < count; ) {
    at = nextTime({ cron, timeZone }, at as Date);
    if (at === null) break;
    found.push(at.toISOString().slice(0, 16));
  }
  return found;
};

describe('the times of a schedule', () => {
  it('are those of its time zone', () => {
    expect(times('0 9 * * 1', 'Asia/Tokyo', '2026-01-01T00:00:00Z', 2)).toEqual([
      '2026-01-05T00:00',
      '2026-01-12T00:00',
    ]);
    expect(times('15 6 * * *', 'Asia/Kolkata', '2026-01-01T00:00:00Z', 1)).toEqual(['2026-01-01T00:45']);
  });

  it('move out of the hour that is skipped when clocks go forward', () => {
    expect(times('30 2 * * *', 'Europe/Berlin', '2026-03-28T12:00:00Z', 2)).toEqual([
      '2026-03-29T01:30',
      '2026-03-30T00:30',
    ]);
    expect(times('0 * * * *', 'Europe/Berlin', '2026-03-28T23:30:00Z', 3)).toEqual([
      '2026-03-29T00:00',
      '2026-03-29T01:00',
      '2026-03-29T02:00',
    ]);
  });

  it('come once at a fixed hour that is repeated when clocks go back, and each hour when they are hourly', () => {
    expect(times('30 2 * * *', 'Europe/Berlin', '2026-10-24T12:00:00Z', 2)).toEqual([
      '2026-10-25T00:30',
      '2026-10-26T01:30',
    ]);
    expect(times('0 * * * *', 'Europe/Berlin', '2026-10-24T23:30:00Z', 3)).toEqual([
      '2026-10-25T00:00',
      '2026-10-25T01:00',
      '2026-10-25T02:00',
    ]);
    expect(times('*/30 * * * *', 'America/New_York', '2026-11-01T05:10:00Z', 4)).toEqual([
      '2026-11-01T05:30',
      '2026-11-01T06:00',
      '2026-11-01T06:30',
      '2026-11-01T07:00',
    ]);
  });

  it('are refused with a sentence for a wrong expression or time zone', () => {
    for (const cron of ['x', '* * * * * *', '99 * * * *', ''])
      expect(() => nextTime({ cron, timeZone: 'UTC' }, new Date(0))).toThrow(/is not a schedule: write five fields/);
    for (const cron of ['0 9 * * *', '0 * * * *'])
      expect(() => nextTime({ cron, timeZone: 'Mars/X' }, new Date(0))).toThrow(/is not a time zone/);
    expect(nextTime({ cron: '0 0 30 2 *', timeZone: 'UTC' }, new Date())).toBeNull();
  });
});
