import { expect, it } from 'vitest';
import { runAlone, declaredBy, textsOf } from '../testing.ts';
import { clockIn, currentDate } from './current-date.ts';

it('gives date and time in a time zone', async () => {
  const textIn = async (timezone: string) => (await runAlone(currentDate, { timezone })).outputs['current_date'];
  expect(await textIn('UTC')).toEqual({ text: 'Current date and time in UTC: 2026-03-01 12:00:00 UTC' });
  expect(await textIn('America/New_York')).toEqual({
    text: 'Current date and time in America/New_York: 2026-03-01 07:00:00 EST',
  });
  await expect(textIn('Mars')).rejects.toMatchObject({
    message: "'Mars' is not a time zone.",
    fix: 'Use a name of the IANA list, such as UTC or Europe/Vienna.',
  });
});

it('counts the hours of a day from 0', () => {
  expect(clockIn(new Date('2026-12-31T23:05:09Z'), 'Europe/Vienna')).toEqual({
    date: '2027-01-01',
    time: '00:05:09',
    weekday: 'Friday',
  });
  expect(clockIn(new Date('2026-02-03T04:05:06Z'), 'UTC')).toEqual({
    date: '2026-02-03',
    time: '04:05:06',
    weekday: 'Tuesday',
  });
});

it('declares its fields with these defaults and limits', () => {
  expect(declaredBy(currentDate)).toEqual([
    'CurrentDate: none',
    'timezone: text default="UTC" toolParameter variables=false',
    'current_date: gives Message',
  ]);
});

it('shows these texts to people and models', () => {
  expect(textsOf(currentDate.descriptor)).toEqual([
    'Current date (calendar-clock): Gives the current date and time in a time zone.',
    'tools',
    'timezone: Time zone | A name such as Europe/Vienna.',
    'current_date: Date',
  ]);
});
