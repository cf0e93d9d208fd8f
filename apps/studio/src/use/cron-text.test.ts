import { expect, it } from 'vitest';
import { cronText, TIMES } from './cron-text.ts';

it('shows a time in words where they are known, else the expression', () => {
  expect(TIMES.map(({ cron }) => cronText(cron))).toEqual([
    'Every hour',
    'Every day at 9:00',
    'Monday to Friday at 9:00',
    'Every Monday at 9:00',
    'On the first of each month at 9:00',
  ]);
  expect(cronText('5 4 * * *')).toBe('5 4 * * *');
});

it('offers expressions that mean what their names say', () => {
  expect(Object.fromEntries(TIMES.map(({ name, cron }) => [name, cron]))).toEqual({
    'Every hour': '0 * * * *',
    'Every day at 9:00': '0 9 * * *',
    'Monday to Friday at 9:00': '0 9 * * 1-5',
    'Every Monday at 9:00': '0 9 * * 1',
    'On the first of each month at 9:00': '0 9 1 * *',
  });
});
