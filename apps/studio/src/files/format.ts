const UNITS = ['B', 'KB', 'MB', 'GB', 'TB'];

/** Formats a size in steps of 1,024 bytes, with one decimal below ten. */
export function formatBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < UNITS.length - 1) {
    value /= 1024;
    unit += 1;
  }
  const digits = unit === 0 || value >= 9.95 ? 0 : 1;
  return `${value.toFixed(digits)} ${UNITS[unit]}`;
}

/** Formats a time: relative within a week, else the date. */
export function formatWhen(iso: string, now = Date.now()): string {
  const time = new Date(iso).getTime();
  if (Number.isNaN(time)) return '';
  const seconds = Math.round((now - time) / 1000);
  if (seconds < 45) return 'just now';
  return relativeTo(time, seconds, -1);
}

/** Formats a time to come: relative within a week, else the date. A time that has passed is due now. */
export function formatUntil(iso: string, now = Date.now()): string {
  const time = new Date(iso).getTime();
  if (Number.isNaN(time)) return '';
  const seconds = Math.round((time - now) / 1000);
  return seconds < 15 ? 'now' : relativeTo(time, seconds, 1);
}

function relativeTo(time: number, seconds: number, direction: 1 | -1): string {
  const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' });
  if (seconds < 3_570) return relative.format(direction * Math.max(1, Math.round(seconds / 60)), 'minute');
  if (seconds < 86_400) return relative.format(direction * Math.round(seconds / 3600), 'hour');
  if (seconds < 7 * 86_400) return relative.format(direction * Math.round(seconds / 86_400), 'day');
  return new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', year: 'numeric' }).format(time);
}

/** Formats a full date and time, to the second. */
export function formatExactly(iso: string): string {
  const time = new Date(iso).getTime();
  if (Number.isNaN(time)) return '';
  return new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'medium' }).format(time);
}
