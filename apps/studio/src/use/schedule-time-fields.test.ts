import { createElement } from 'react';
import { expect, it, vi } from 'vitest';
import { outline } from '../testing/outline.ts';
import { choose, type, usePage } from '../testing/page.ts';
import { ScheduleTimeFields } from './schedule-time-fields.tsx';
import { type Times, timesOf } from './schedule-times.ts';

const page = usePage();

async function show(change: Partial<Times>) {
  const onTimes = vi.fn();
  const times = { ...timesOf('0 9 * * *'), ...change };
  const box = await page.show(createElement(ScheduleTimeFields, { times, onTimes }));
  const fields = [...box.querySelectorAll<HTMLInputElement>('select, input')];
  const labels = [...box.querySelectorAll('label')].map(({ textContent }) => textContent);
  return { box, times, fields, labels, onTimes };
}
const optionsOf = (select: Element | undefined) =>
  [...(select?.querySelectorAll('option') ?? [])].map(({ textContent }) => textContent);

it.each([
  ['minutes', ['How often', 'Minutes']],
  ['hour', ['How often']],
  ['day', ['How often', 'Time']],
  ['workday', ['How often', 'Time']],
  ['week', ['How often', 'Day', 'Time']],
  ['month', ['How often', 'Day', 'Time']],
  ['other', ['How often', 'Cron expression']],
] as const)('asks of a time that is %s for %j', async (every, expected) => {
  expect((await show({ every })).labels).toEqual(expected);
});

it('offers how often, with the focus of the dialog', async () => {
  const { fields, times, onTimes } = await show({});
  expect(optionsOf(fields[0])).toEqual([
    'Every few minutes',
    'Every hour',
    'Every day',
    'Monday to Friday',
    'Every week',
    'Every month',
    'Other, as a cron expression',
  ]);
  expect(fields.map((field) => field.hasAttribute('data-first'))).toEqual([true, false]);
  await choose(fields[0] as Element, 'week');
  expect(onTimes.mock.calls).toEqual([[{ ...times, every: 'week' }]]);
});

it('changes one part and keeps the others', async () => {
  const change = async (every: Times['every'], at: number, value: string) => {
    const { fields, times, onTimes } = await show({ every });
    const field = fields[at] as Element;
    await (field.tagName === 'SELECT' ? choose(field, value) : type(field, value));
    const [[given]] = onTimes.mock.calls as [[Times]];
    return Object.entries(given).filter(([key, now]) => now !== times[key as keyof Times]);
  };
  expect(await change('minutes', 1, '30')).toEqual([['minutes', '30']]);
  expect(await change('week', 1, '0')).toEqual([['weekday', '0']]);
  expect(await change('month', 1, '29')).toEqual([['monthDay', '29']]);
  expect(await change('day', 1, '07:30')).toEqual([['time', '07:30']]);
  expect(await change('other', 1, '1 2 3 4 5')).toEqual([['cron', '1 2 3 4 5']]);
});

it('lists the days of a week from Monday, and those of a month', async () => {
  const week = (await show({ every: 'week' })).fields[1];
  expect(optionsOf(week)).toEqual(['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']);
  expect([...(week?.querySelectorAll('option') ?? [])].map((day) => day.getAttribute('value'))).toEqual([...'1234560']);
  const month = optionsOf((await show({ every: 'month' })).fields[1]);
  expect([month.length, month[0], month[30]]).toEqual([31, '1', '31']);
  expect(optionsOf((await show({ every: 'minutes' })).fields[1])).toEqual(['5', '10', '15', '20', '30']);
});

it('says that some months do not have a day', async () => {
  const says = async (monthDay: string) =>
    (await show({ every: 'month', monthDay })).box.textContent.includes('Months without this day have no run.');
  expect([await says('28'), await says('29')]).toEqual([false, true]);
});

it('says how to write a cron expression', async () => {
  const { box, fields } = await show({ every: 'other' });
  await expect
    .poll(() => outline(box))
    .toEqual([
      'label[for=#1] How often',
      'select#1[data-first=true][value=other]',
      'option Every few minutes',
      'option Every hour',
      'option Every day',
      'option Monday to Friday',
      'option Every week',
      'option Every month',
      'option[selected] Other, as a cron expression',
      'p#1-error[role=alert]',
      'label[for=#2] Cron expression',
      'input#2[aria-describedby=#2-hint][spellCheck=false][required][autoComplete=off][value=0 9 * * *]',
      'p#2-hint Minute, hour, day, month, weekday: 30 7 * * 1-5',
      'p#2-error[role=alert]',
    ]);
  expect([
    box.textContent.includes('Minute, hour, day, month, weekday: 30 7 * * 1-5'),
    fields[1]?.hasAttribute('required'),
  ]).toEqual([true, true]);
  const time = (await show({ every: 'day' })).fields[1];
  expect([time?.getAttribute('type'), time?.hasAttribute('required'), time?.value]).toEqual(['time', true, '09:00']);
});
