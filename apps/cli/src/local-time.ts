import { UsageError } from './usage-error.ts';

const UNIT_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Shows an ISO time in local time, as {@link parseTime} reads it. Another text stays as it is. */
export function showTime(text: string): string {
  const at = new Date(text);
  const ofDay = Number.isNaN(at.getTime())
    ? text
    : new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString();
  return ofDay.slice(0, 19).replace('T', ' ');
}

/**
 * Parses `90s`, `10m`, `2h`, `1d` ago, or an ISO date with or without a time; local time if it has no zone. Returns epoch
 * milliseconds.
 *
 * @throws UsageError
 */
export function parseTime(text: string, now: number = Date.now()): number {
  const given = text.trim();
  const [, count, unit = ''] = /^(\d{1,6})\s*([smhd])$/i.exec(given) ?? [];
  if (count !== undefined) return now - Number(count) * (UNIT_MS[unit.toLowerCase()] as number);
  // JavaScript reads a date without a time in UTC, and `10` as a month of 2001, which would undo everything since then.
  const [date] = /^\d{4}-\d\d-\d\d/.exec(given) ?? [];
  const at = date === undefined ? Number.NaN : Date.parse(date === given ? `${date}T00:00` : given);
  if (Number.isNaN(at))
    throw new UsageError(`Not a time: ${text}. Use 10m, 2h, 1d, or a date and time such as 2026-01-31T09:00`);
  return at;
}
