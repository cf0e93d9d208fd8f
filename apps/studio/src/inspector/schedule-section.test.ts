import { createElement } from 'react';
import { expect, it, vi } from 'vitest';
import { useFakeApi } from '../testing/fake-api.ts';
import { outline } from '../testing/outline.ts';
import { fire, named, usePage } from '../testing/page.ts';
import { inClient, testClient } from '../testing/queries.ts';
import { SCHEDULE } from '../use/testing.ts';
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
  await fire(named(box.querySelector('dialog') as Element, 'Cancel'), 'click');
  expect(box.querySelector('dialog')).toBeNull();
});

it('lists the schedules of the flow, and changes them for the shown version', async () => {
  const box = await show(SCHEDULE, { ...SCHEDULE, id: 's2', flowId: 'f2' });
  await expect
    .poll(() => outline(box, 'ul'))
    .toEqual([
      'section[aria-labelledby=#1]',
      'h3#1 When it runs',
      'button[type=button]',
      'span New schedule',
      'icon plus 15',
    ]);
  const items = [...box.querySelectorAll('li')].map(({ textContent }) => textContent);
  expect(items).toEqual(['Every day at 9:00UTC · paused']);
  server.answer('PATCH /api/v1/schedules/s1', {});
  await fire(box.querySelector('[role=switch]') as Element, 'click');
  await vi.waitFor(() => expect(server.requests).toContain('PATCH /api/v1/schedules/s1 {"isOn":false,"version":7}'));
});

it('accepts the shown version where a schedule is made or changed', async () => {
  server.answer('POST /api/v1/flows/f1/schedules', {});
  server.answer('PATCH /api/v1/schedules/s1', {});
  const box = await show(SCHEDULE);
  for (const name of ['New schedule', 'Change Every day at 9:00']) {
    await fire(named(box, name), 'click');
    await fire(box.querySelector('dialog form') as Element, 'submit');
    await vi.waitFor(() => expect(box.querySelector('dialog')).toBeNull());
  }
  const sent = server.requests.filter((each) => !each.startsWith('GET'));
  expect(sent.map((each) => [each.split(' ').slice(0, 2).join(' '), each.includes('"version":7')])).toEqual([
    ['POST /api/v1/flows/f1/schedules', true],
    ['PATCH /api/v1/schedules/s1', true],
  ]);
});
