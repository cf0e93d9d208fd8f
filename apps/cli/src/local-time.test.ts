import { afterEach, describe, expect, it, vi } from 'vitest';
import { parseTime, showTime } from './local-time.ts';
import { UsageError } from './usage-error.ts';

afterEach(() => void vi.unstubAllEnvs());

describe.each([
  ['UTC', 0],
  ['America/New_York', 5],
  ['Asia/Kolkata', -5.5],
])('a time in %s', (zone, hours) => {
  const local = (...time: [number, number, number, number?, number?, number?]) => Date.UTC(...time) + hours * 3_600_000;

  it('is shown in local time', () => {
    vi.stubEnv('TZ', zone);
    expect(showTime(new Date(local(2026, 0, 31, 9, 4, 5)).toISOString())).toBe('2026-01-31 09:04:05');
  });

  it.each<[string, Parameters<typeof local>]>([
    ['2026-01-31', [2026, 0, 31]],
    ['2026-01-31T09:04', [2026, 0, 31, 9, 4]],
    [' 2026-01-31 09:04:05 ', [2026, 0, 31, 9, 4, 5]],
  ])('is parsed in local time: %j', (text, time) => {
    vi.stubEnv('TZ', zone);
    expect(parseTime(text)).toBe(local(...time));
  });

  it('is parsed in its own zone, if it has one', () => {
    vi.stubEnv('TZ', zone);
    expect(parseTime('2026-01-31T12:00Z')).toBe(Date.UTC(2026, 0, 31, 12));
    expect(parseTime('2026-01-31T12:00+02:00')).toBe(Date.UTC(2026, 0, 31, 10));
  });

  it('is parsed as it was shown', () => {
    vi.stubEnv('TZ', zone);
    const at = local(2026, 6, 1, 23, 59, 59);
    expect(parseTime(showTime(new Date(at).toISOString()))).toBe(at);
  });
});

it('shows a text that is not a time as it is', () => {
  expect(showTime('soon')).toBe('soon');
  expect(showTime('2026-13-01T00:00:00.000Z')).toBe('2026-13-01 00:00:00');
});

it.each([
  ['2h', 2_800_000],
  [' 30 S ', 9_970_000],
  ['5m', 9_700_000],
  ['1d', -76_400_000],
  [' 10 m ', 9_400_000],
  ['90s', 9_910_000],
])('parses the duration %j', (text, at) => expect(parseTime(text, 10_000_000)).toBe(at));

it.each(['yesterday', '', '1w', '1234567s', '10', '2026', '2026-13-01', 'x1h', '-5m', '10 parsecs', 'soon'])(
  'refuses the time %j',
  (text) => {
    expect(() => parseTime(text, 0)).toThrow(
      new UsageError(`Not a time: ${text}. Use 10m, 2h, 1d, or a date and time such as 2026-01-31T09:00`),
    );
  },
);
