import { createElement } from 'react';
import { expect, it, vi } from 'vitest';
import { refusal, useFakeApi } from '../testing/fake-api.ts';
import { outline } from '../testing/outline.ts';
import { fire, named, usePage } from '../testing/page.ts';
import { inClient, testClient } from '../testing/queries.ts';
import { ScheduleCard } from './schedule-card.tsx';
import { SCHEDULE } from './testing.ts';

const server = useFakeApi();
const page = usePage();
const TITLE = [
  'section[aria-label=Schedules]',
  'h2 Schedules',
  'p The server runs the flow at these times, with the values of the flow.',
];
const ROUTE = 'GET /api/v1/schedules';

async function show(answer: unknown, waits = false) {
  server.answer(ROUTE, answer);
  const box = await page.show(inClient(testClient())(createElement(ScheduleCard, { flowId: 'f1', version: 7, waits })));
  await vi.waitFor(() => expect(box.textContent).not.toContain('Loading'));
  return box;
}

it('lists the schedules of this flow, and turns one off for the shown version', async () => {
  const box = await show({ schedules: [SCHEDULE, { ...SCHEDULE, id: 's2', flowId: 'f2' }] });
  await expect
    .poll(() => outline(box))
    .toEqual([
      ...TITLE,
      'button[type=button]',
      'span New schedule',
      'icon plus 16',
      'button[aria-label=Every day at 9:00 is on][data-state=checked][aria-checked=true][role=switch][type=button]',
      'span[data-state=checked]',
      'p Every day at 9:00',
      'p UTC · paused',
      'button[title=Change Every day at 9:00][aria-label=Change Every day at 9:00][type=button]',
      'icon pencil 16',
      'button[title=Delete Every day at 9:00][aria-label=Delete Every day at 9:00][type=button]',
      'icon trash 16',
    ]);
  expect(box.textContent).toMatch(
    /^SchedulesThe server runs the flow at these times, with the values of the flow\. New scheduleEvery day at 9:00/,
  );
  expect([box.querySelector('section')?.getAttribute('aria-label'), box.querySelectorAll('li').length]).toEqual([
    'Schedules',
    1,
  ]);
  server.answer('PATCH /api/v1/schedules/s1', {});
  await fire(box.querySelector('[role=switch]') as Element, 'click');
  await vi.waitFor(() => expect(server.requests).toContain('PATCH /api/v1/schedules/s1 {"isOn":false,"version":7}'));
});

it('makes a new one in a dialog', async () => {
  const box = await show({ schedules: [] });
  await expect
    .poll(() => outline(box))
    .toEqual([
      ...TITLE,
      'span[aria-hidden=true]',
      'icon calendar-clock 22',
      'p No schedules',
      'button[type=button]',
      'span New schedule',
      'icon plus 16',
    ]);
  expect(box.textContent).toContain('No schedules New schedule');
  expect(box.querySelector('dialog')).toBeNull();
  await fire(named(box, 'New schedule'), 'click');
  await fire(named(box.querySelector('dialog') as Element, 'Cancel'), 'click');
  expect(box.querySelector('dialog')).toBeNull();
});

it('says why they cannot be shown, and tries again', async () => {
  const box = await show(refusal(500, 'broken', 'It broke.'));
  expect(box.textContent).toContain('The schedules cannot be shownIt broke.');
  server.answer(ROUTE, { schedules: [] });
  await fire(named(box, 'Try again'), 'click');
  await vi.waitFor(() => expect(box.textContent).toContain('No schedules'));
});

it('says that the run of a flow that asks a person waits for the answer', async () => {
  const notice = 'This flow asks a person, and its run waits for the answer under Runs.';
  expect((await show({ schedules: [] }, true)).textContent).toContain(notice);
  expect((await show({ schedules: [] })).textContent).not.toContain(notice);
});
