import { describe, expect, it } from 'vitest';
import { cronOf, cronText, timesOf } from './schedule-times.ts';

describe('the times of a schedule', () => {
  it.each([
    ['*/15 * * * *', 'Every 15 minutes'],
    ['0 * * * *', 'Every hour'],
    ['30 7 * * *', 'Every day at 7:30'],
    ['0 0 * * *', 'Every day at 0:00'],
    ['5 18 * * 1-5', 'Monday to Friday at 18:05'],
    ['0 9 * * 0', 'Every Sunday at 9:00'],
    ['30 17 * * 5', 'Every Friday at 17:30'],
    ['0 9 1 * *', 'On the first of each month at 9:00'],
    ['0 9 15 * *', 'On day 15 of each month at 9:00'],
  ])('%s is in words, and in the fields of the dialog', (cron, text) => {
    expect(cronText(cron)).toBe(text);
    expect(timesOf(cron).every).not.toBe('other');
    expect(cronOf(timesOf(cron))).toBe(cron);
  });

  it.each([
    '*/7 * * * *',
    '15 * * * *',
    '0 9 * 1 *',
    '0 9 1 * 1',
    '0 9 * * 1,3',
    '0 9 * * MON',
    '0 24 * * *',
    '0 9 32 * *',
    '0 9 * * * 2027',
    'every day',
  ])('%s stays a cron expression', (cron) => {
    expect(cronText(cron)).toBe(cron);
    expect(cronOf(timesOf(cron))).toBe(cron);
  });

  it('counts Sunday as 0, also where it was written as 7', () => {
    expect(cronText('0 9 * * 7')).toBe('Every Sunday at 9:00');
    expect(cronOf(timesOf('0 9 * * 7'))).toBe('0 9 * * 0');
  });
});
