import { expect, it } from 'vitest';
import { runAlone, declaredBy, textsOf } from '../testing.ts';
import { scheduleTrigger } from './schedule-trigger.ts';

const run = async (scheduled_at: string, timezone = 'UTC') =>
  (await runAlone(scheduleTrigger, { scheduled_at, timezone })).outputs;

it('gives the time of the schedule in its zone', async () => {
  expect(await run(' 2026-03-02T23:30:05Z ', 'Europe/Vienna')).toEqual({
    output_data: {
      scheduled_at: '2026-03-02T23:30:05.000Z',
      timezone: 'Europe/Vienna',
      date: '2026-03-03',
      time: '00:30:05',
      weekday: 'Tuesday',
    },
    text: { text: 'Tuesday, 2026-03-03 00:30:05 Europe/Vienna' },
  });
});

it('gives the current time without one', async () => {
  expect(await run('')).toMatchObject({ output_data: { scheduled_at: '2026-03-01T12:00:00.000Z', weekday: 'Sunday' } });
});

it('refuses a text that is not a time, and a zone that does not exist', async () => {
  await expect(run('soon')).rejects.toMatchObject({
    message: "'soon' is not a time.",
    fix: 'Write the time as 2026-03-01T09:00:00Z, or leave the field empty.',
  });
  await expect(run('x'.repeat(200))).rejects.toThrow(`'${'x'.repeat(100)}' is not a time.`);
  await expect(run('', 'Mars')).rejects.toThrow("'Mars' is not a time zone.");
});

it('declares its fields with these defaults and limits', () => {
  expect(declaredBy(scheduleTrigger)).toEqual([
    'ScheduleTrigger: none',
    'scheduled_at: text default="" variables=false',
    'timezone: text default="UTC" variables=false',
    'output_data: gives Data',
    'text: gives Message',
  ]);
});

it('shows these texts to people and models', () => {
  expect(textsOf(scheduleTrigger.descriptor)).toEqual([
    'Schedule (calendar-clock): Gives the time at which a schedule started the flow.',
    'input and output | trigger | cron | timer | daily | interval | trigger',
    'scheduled_at: Time | A sample for trying the flow; empty for now. A schedule of the flow replaces it. | 2026-03-01T09:00:00Z',
    'timezone: Time zone | A name such as Europe/Vienna. A schedule of the flow replaces it.',
    'output_data: Time',
    'text: Text',
  ]);
});
