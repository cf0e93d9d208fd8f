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

  it('are only those of its expression on the days when clocks change', () => {
    // In Berlin: 0:00, and 4:00, because 2:00 is skipped.
    expect(times('0 */2 * * *', 'Europe/Berlin', '2026-03-28T22:30:00Z', 3)).toEqual([
      '2026-03-28T23:00',
      '2026-03-29T02:00',
      '2026-03-29T04:00',
    ]);
    // In New York: 0:00, 4:00, 8:00.
    expect(times('0 */4 * * *', 'America/New_York', '2026-11-01T03:30:00Z', 3)).toEqual([
      '2026-11-01T04:00',
      '2026-11-01T09:00',
      '2026-11-01T13:00',
    ]);
  });

  it('are those of zones west of Greenwich, of half hours, and after a change of the clocks', () => {
    expect(times('0 */6 * * *', 'America/New_York', '2026-01-01T00:00:00Z', 3)).toEqual([
      '2026-01-01T05:00',
      '2026-01-01T11:00',
      '2026-01-01T17:00',
    ]);
    expect(times('0 */6 * * *', 'Asia/Kolkata', '2026-01-01T00:00:00Z', 2)).toEqual([
      '2026-01-01T00:30',
      '2026-01-01T06:30',
    ]);
    expect(times('0 */6 * * *', 'America/St_Johns', '2026-01-01T00:00:00Z', 1)).toEqual(['2026-01-01T03:30']);
    expect(times('0 */6 * * *', 'UTC', '2026-01-01T00:00:00Z', 1)).toEqual(['2026-01-01T06:00']);
    expect(times('0 */6 * * *', 'Europe/Berlin', '2026-03-29T00:30:00Z', 2)).toEqual([
      '2026-03-29T04:00',
      '2026-03-29T10:00',
    ]);
  });

  it('are refused with a sentence for a wrong expression or time zone', () => {
    const refused = (cron: string, timeZone: string) => () => nextTime({ cron, timeZone }, new Date(0));
    for (const cron of ['x', '* * * * * *', '99 * * * *', ''])
      expect(refused(cron, 'UTC')).toThrow(
        expect.objectContaining({
          code: 'invalid_request',
          message: `'${cron}' is not a schedule: write five fields, minute (0-59), hour (0-23), day (1-31), month (1-12) and weekday (0-7), such as '0 9 * * 1-5' for 9:00 on weekdays.`,
        }),
      );
    expect(refused('x'.repeat(101), 'UTC')).toThrow(`'${'x'.repeat(100)}' is not a schedule`);
    for (const cron of ['0 9 * * *', '0 * * * *'])
      expect(refused(cron, 'Mars/X')).toThrow(
        expect.objectContaining({
          code: 'invalid_request',
          message: "'Mars/X' is not a time zone: use a name such as Europe/Berlin.",
        }),
      );
    expect(refused('0 9 * * *', 'x'.repeat(101))).toThrow(`'${'x'.repeat(100)}' is not a time zone`);
    for (const cron of ['0 0 30 2 *', '0 * 30 2 *'])
      expect(nextTime({ cron, timeZone: 'UTC' }, new Date(0))).toBeNull();
  });
});
