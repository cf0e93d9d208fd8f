import { Cron } from 'croner';
import { RunError } from '../errors.ts';

/** When a schedule starts runs. */
export interface Timing {
  /** Five fields: minute, hour, day, month, weekday. */
  readonly cron: string;
  /** An IANA name, such as `Europe/Berlin`. */
  readonly timeZone: string;
}

/**
 * The first time of a schedule after another; null if there is none.
 *
 * When clocks go forward, a time in the skipped hour moves to the hour after it. When they go back, a fixed hour runs once,
 * at its first occurrence; a schedule for every hour, or every few minutes, runs in the repeated hour too.
 *
 * @throws RunError `invalid_request` for a wrong expression or time zone
 */
export function nextTime(timing: Timing, after: Date): Date | null {
  const { cron, timeZone } = timing;
  const [, hour = ''] = cron.trim().split(/\s+/);
  if (!hour.startsWith('*')) return run(cron, { timezone: zone(timeZone) }, after);
  // In the clock of the zone, both hours of a repeated one look the same; in its offset they do not.
  const offset = offsetOf(timeZone, after);
  const next = run(cron, { utcOffset: offset }, after);
  if (next === null) return null;
  const changed = offsetOf(timeZone, next);
  if (changed === offset) return next;
  // The new offset also gives times before it begins, which are other times in the clock of the zone.
  let first = run(cron, { utcOffset: changed }, after);
  while (first !== null && offsetOf(timeZone, first) !== changed) first = run(cron, { utcOffset: changed }, first);
  return first;
}

function run(cron: string, options: { timezone: string } | { utcOffset: number }, after: Date): Date | null {
  try {
    return new Cron(cron, { ...options, mode: '5-part', paused: true }).nextRun(after);
  } catch {
    throw new RunError(
      'invalid_request',
      `'${cron.slice(0, 100)}' is not a schedule: write five fields, minute (0-59), hour (0-23), day (1-31), month (1-12) and weekday (0-7), such as '0 9 * * 1-5' for 9:00 on weekdays.`,
    );
  }
}

function zone(timeZone: string): string {
  offsetOf(timeZone, new Date(0));
  return timeZone;
}

/** Minutes east of Greenwich. */
function offsetOf(timeZone: string, at: Date): number {
  try {
    const parts = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' }).formatToParts(at);
    const text = parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
    const [, sign, hours, minutes] = /GMT([+-])(\d\d):(\d\d)/.exec(text) ?? [];
    return sign === undefined ? 0 : (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
  } catch {
    throw new RunError(
      'invalid_request',
      `'${timeZone.slice(0, 100)}' is not a time zone: use a name such as Europe/Berlin.`,
    );
  }
}
