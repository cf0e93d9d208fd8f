/** Times of a schedule, as the dialog asks for them. */
export interface Times {
  readonly every: 'minutes' | 'hour' | 'day' | 'workday' | 'week' | 'month' | 'other';
  /** Of every few minutes: how many. Only those that divide an hour, because cron counts within the hour. */
  readonly minutes: string;
  /** Of a day: `07:30`. */
  readonly time: string;
  /** Of a week: 0 is Sunday. */
  readonly weekday: string;
  readonly monthDay: string;
  /** Of the others. */
  readonly cron: string;
}

export const MINUTES = ['5', '10', '15', '20', '30'] as const;
export const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const;

const FIRST: Times = { every: 'day', minutes: '15', time: '09:00', weekday: '1', monthDay: '1', cron: '0 9 * * *' };

/** The cron expression of times. */
export function cronOf({ every, minutes, time, weekday, monthDay, cron }: Times): string {
  const [hour, minute] = time.split(':').map(Number);
  const at = `${minute} ${hour}`;
  if (every === 'minutes') return `*/${minutes} * * * *`;
  if (every === 'hour') return '0 * * * *';
  if (every === 'day') return `${at} * * *`;
  if (every === 'workday') return `${at} * * 1-5`;
  if (every === 'week') return `${at} * * ${weekday}`;
  return every === 'month' ? `${at} ${monthDay} * *` : cron;
}

/** The times of a cron expression, `other` where the dialog has no fields for it. */
export function timesOf(cron: string): Times {
  const other: Times = { ...FIRST, every: 'other', cron };
  if (cron === '0 * * * *') return { ...FIRST, every: 'hour', cron };
  const [minute = '', hour = '', day = '', month, weekday = '', ...rest] = cron.trim().split(/\s+/);
  if (month !== '*' || rest.length > 0) return other;
  const minutes = MINUTES.find((each) => minute === `*/${each}`);
  if (minutes && hour === '*' && day === '*' && weekday === '*') return { ...FIRST, every: 'minutes', minutes, cron };
  if (!isNumber(minute, 0, 59) || !isNumber(hour, 0, 23)) return other;
  const at = { ...FIRST, time: `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`, cron };
  if (weekday === '*' && day === '*') return { ...at, every: 'day' };
  if (weekday === '*' && isNumber(day, 1, 31)) return { ...at, every: 'month', monthDay: `${Number(day)}` };
  if (day !== '*') return other;
  if (weekday === '1-5') return { ...at, every: 'workday' };
  return isNumber(weekday, 0, 7) ? { ...at, every: 'week', weekday: `${Number(weekday) % 7}` } : other;
}

const isNumber = (text: string, least: number, most: number) =>
  /^\d{1,2}$/.test(text) && Number(text) >= least && Number(text) <= most;

/** A cron expression in words where they are known, else as it is. */
export function cronText(cron: string): string {
  const { every, minutes, time, weekday, monthDay } = timesOf(cron);
  const at = `at ${time.replace(/^0/, '')}`;
  if (every === 'minutes') return `Every ${minutes} minutes`;
  if (every === 'hour') return 'Every hour';
  if (every === 'day') return `Every day ${at}`;
  if (every === 'workday') return `Monday to Friday ${at}`;
  if (every === 'week') return `Every ${WEEKDAYS[Number(weekday)]} ${at}`;
  if (every === 'other') return cron;
  return monthDay === '1' ? `On the first of each month ${at}` : `On day ${monthDay} of each month ${at}`;
}
