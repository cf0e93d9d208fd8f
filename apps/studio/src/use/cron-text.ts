/** Times that the dialog offers, as cron expressions. */
export const TIMES = [
  { cron: '0 * * * *', name: 'Every hour' },
  { cron: '0 9 * * *', name: 'Every day at 9:00' },
  { cron: '0 9 * * 1-5', name: 'Monday to Friday at 9:00' },
  { cron: '0 9 * * 1', name: 'Every Monday at 9:00' },
  { cron: '0 9 1 * *', name: 'On the first of each month at 9:00' },
] as const;

/** A cron expression in words where they are known, else as it is. */
export function cronText(cron: string): string {
  return TIMES.find((each) => each.cron === cron)?.name ?? cron;
}
