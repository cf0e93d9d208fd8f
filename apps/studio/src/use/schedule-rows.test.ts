import { createElement } from 'react';
import { expect, it } from 'vitest';
import { outline } from '../testing/outline.ts';
import { fire, named, usePage } from '../testing/page.ts';
import { inClient, testClient } from '../testing/queries.ts';
import { ScheduleRows } from './schedule-rows.tsx';
import type { Schedule } from './use-schedules.ts';

const page = usePage();

it('shows the next time in the zone of the schedule, and acts on the right one', async () => {
  const calls: unknown[][] = [];
  const schedule = (id: string, more: object) =>
    ({
      id,
      flowId: 'f',
      cron: '0 9 * * *',
      timeZone: 'Asia/Tokyo',
      isOn: true,
      nextAt: null,
      lastError: null,
      ...more,
    }) as unknown as Schedule;
  const box = await page.show(
    inClient(testClient())(
      createElement(ScheduleRows, {
        schedules: [
          schedule('a', { nextAt: '2026-01-01T20:00:00Z' }),
          schedule('b', { cron: '5 4 * * *', isOn: false }),
        ],
        actions: {
          setOn: async (...args) => void calls.push(['set', ...args]),
          remove: async (id) => {
            calls.push(['remove', id]);
            return { id };
          },
          refresh: async () => [],
        },
        version: 7,
        className: '',
      }),
    ),
  );
  const [first, second] = [...box.querySelectorAll('li')] as [HTMLLIElement, HTMLLIElement];
  expect(first.textContent).toMatch(/Every day at 9:00.*Asia\/Tokyo · next Jan 2, 2026, 5:00/);
  expect(second.textContent).toMatch(/Every day at 4:05.*paused/);
  await fire(second.querySelector('[role=switch]') as Element, 'click');
  const dialog = () => box.querySelector('dialog') as Element;
  await fire(named(first, 'Delete Every day at 9:00'), 'click');
  expect([calls.length, dialog().textContent]).toEqual([
    1,
    'Delete “Every day at 9:00”?The flow no longer starts at this time. Its runs stay.Delete scheduleCancel',
  ]);
  await fire(named(dialog(), 'Cancel'), 'click');
  expect([calls.length, dialog()]).toEqual([1, null]);
  await fire(named(first, 'Delete Every day at 9:00'), 'click');
  await fire(named(dialog(), 'Delete schedule'), 'click');
  await expect.poll(dialog).toBeNull();
  expect(calls).toEqual([
    ['set', 'b', true],
    ['remove', 'a'],
  ]);
  expect(outline(second).filter((line) => /^(icon|button\[title)/.test(line))).toEqual([
    'button[title=Change Every day at 4:05][aria-label=Change Every day at 4:05][type=button]',
    'icon pencil 16',
    'button[title=Delete Every day at 4:05][aria-label=Delete Every day at 4:05][type=button]',
    'icon trash 16',
  ]);
  await fire(named(second, 'Change Every day at 4:05'), 'click');
  expect(dialog().querySelector<HTMLInputElement>('[type=time]')?.value).toBe('04:05');
  await fire(named(dialog(), 'Cancel'), 'click');
  expect(dialog()).toBeNull();
});
