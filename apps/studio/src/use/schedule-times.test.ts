import { describe, expect, it } from 'vitest';
import { cronOf, cronText, MINUTES, timesOf, WEEKDAYS } from './schedule-times.ts';

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

describe('the fields of the dialog', () => {
  const FIRST = { minutes: '15', time: '09:00', weekday: '1', monthDay: '1' };
  it.each([
    ['*/5 * * * *', { ...FIRST, every: 'minutes', minutes: '5' }],
    ['*/10 * * * *', { ...FIRST, every: 'minutes', minutes: '10' }],
    ['*/20 * * * *', { ...FIRST, every: 'minutes', minutes: '20' }],
    ['*/30 * * * *', { ...FIRST, every: 'minutes', minutes: '30' }],
    ['0 * * * *', { ...FIRST, every: 'hour' }],
    ['59 23 * * *', { ...FIRST, every: 'day', time: '23:59' }],
    [' 5  8 * * 1-5 ', { ...FIRST, every: 'workday', time: '08:05' }],
    ['0 9 * * 6', { ...FIRST, every: 'week', weekday: '6' }],
    ['0 9 * * 7', { ...FIRST, every: 'week', weekday: '0' }],
    ['0 9 31 * *', { ...FIRST, every: 'month', monthDay: '31' }],
    ['0 9 01 * *', { ...FIRST, every: 'month', monthDay: '1' }],
    ['60 9 * * *', { ...FIRST, every: 'other' }],
    ['0 24 * * *', { ...FIRST, every: 'other' }],
    ['0 9 0 * *', { ...FIRST, every: 'other' }],
    ['0 9 32 * *', { ...FIRST, every: 'other' }],
    ['0 9 * * 8', { ...FIRST, every: 'other' }],
    ['0 9 1 * 1-5', { ...FIRST, every: 'other' }],
    ['*/5 9 * * *', { ...FIRST, every: 'other' }],
    ['*/5 * 1 * *', { ...FIRST, every: 'other' }],
    ['*/5 * * * 1', { ...FIRST, every: 'other' }],
    ['*/5 * * 1 *', { ...FIRST, every: 'other' }],
    ['0 009 * * *', { ...FIRST, every: 'other' }],
    ['', { ...FIRST, every: 'other' }],
  ])('of %j are %j', (cron, times) => {
    expect(timesOf(cron)).toEqual({ ...times, cron });
  });

  it('names the days of a week, and the minutes that divide an hour', () => {
    expect(WEEKDAYS.map((_, day) => cronText(`0 9 * * ${day}`))).toEqual([
      'Every Sunday at 9:00',
      'Every Monday at 9:00',
      'Every Tuesday at 9:00',
      'Every Wednesday at 9:00',
      'Every Thursday at 9:00',
      'Every Friday at 9:00',
      'Every Saturday at 9:00',
    ]);
    expect(MINUTES).toEqual(['5', '10', '15', '20', '30']);
  });
});

it.each([
  ['minutes', '*/20 * * * *'],
  ['hour', '0 * * * *'],
  ['day', '5 8 * * *'],
  ['workday', '5 8 * * 1-5'],
  ['week', '5 8 * * 3'],
  ['month', '5 8 12 * *'],
  ['other', 'as it is'],
] as const)('writes the fields of every %s as %s', (every, cron) => {
  const fields = { minutes: '20', time: '08:05', weekday: '3', monthDay: '12', cron: 'as it is' };
  expect(cronOf({ ...fields, every })).toBe(cron);
});
