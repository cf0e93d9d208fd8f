import { createElement } from 'react';
import { expect, it, vi } from 'vitest';
import { useFakeApi } from '../testing/fake-api.ts';
import { outline } from '../testing/outline.ts';
import { fire, named, usePage } from '../testing/page.ts';
import { inClient, testClient } from '../testing/queries.ts';
import { ScheduleSection } from './schedule-section.tsx';

const server = useFakeApi();
const page = usePage();
const ROUTE = 'GET /api/v1/schedules';

async function show(...schedules: object[]) {
  server.answer(ROUTE, { schedules });
  const box = await page.show(inClient(testClient())(createElement(ScheduleSection, { flowId: 'f1', version: 7 })));
  await vi.waitFor(() => expect(box.textContent).toContain('When it runs'));
  return box;
}

it('says that there is none yet, and makes one in a dialog', async () => {
  const box = await show();
  await expect
    .poll(() => outline(box))
    .toEqual([
      'section[aria-labelledby=#1]',
      'h3#1 When it runs',
      'p This flow has no schedule yet, so it runs only when you start it.',
      'button[type=button]',
      'span New schedule',
      'icon plus 15',
    ]);
  expect(box.textContent).toBe(
    'When it runsThis flow has no schedule yet, so it runs only when you start it. New schedule',
  );
  const section = box.querySelector('section');
  expect(document.getElementById(section?.getAttribute('aria-labelledby') ?? '')?.textContent).toBe('When it runs');
  await fire(named(box, 'New schedule'), 'click');
  const before = server.requests.length;
  await fire(named(box.querySelector('dialog') as Element, 'Cancel'), 'click');
  expect(box.querySelector('dialog')).toBeNull();
  await vi.waitFor(() => expect(server.requests.slice(before)).toContain(ROUTE));
});

it('lists the schedules of the flow, and changes them for the shown version', async () => {
  const schedule = {
    id: 's1',
    flowId: 'f1',
    cron: '0 9 * * *',
    timeZone: 'UTC',
    isOn: true,
    nextAt: null,
    lastAt: null,
  };
  const box = await show({ ...schedule, lastRun: null, failure: null }, { ...schedule, id: 's2', flowId: 'f2' });
  await expect
    .poll(() => outline(box))
    .toEqual([
      'section[aria-labelledby=#1]',
      'h3#1 When it runs',
      'button[aria-label=Every day at 9:00 is on][data-state=checked][aria-checked=true][role=switch][type=button]',
      'span[data-state=checked]',
      'p Every day at 9:00',
      'p UTC · paused',
      'button[title=Change Every day at 9:00][aria-label=Change Every day at 9:00][type=button]',
      'icon pencil 16',
      'button[title=Delete Every day at 9:00][aria-label=Delete Every day at 9:00][type=button]',
      'icon trash 16',
      'button[type=button]',
      'span New schedule',
      'icon plus 15',
    ]);
  expect([box.querySelectorAll('li').length, box.textContent.includes('no schedule yet')]).toEqual([1, false]);
  server.answer('PATCH /api/v1/schedules/s1', {});
  await fire(box.querySelector('[role=switch]') as Element, 'click');
  await vi.waitFor(() => expect(server.requests).toContain('PATCH /api/v1/schedules/s1 {"isOn":false,"version":7}'));
});
