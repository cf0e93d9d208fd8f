import { createElement } from 'react';
import { expect, it } from 'vitest';
import type { FlowSummary } from '../api/flows.ts';
import { outline } from '../testing/outline.ts';
import { usePage } from '../testing/page.ts';
import { FlowTriggers, runsByItself } from './flow-triggers.tsx';

const page = usePage();
const NONE = { schedules: 0, webhooks: 0, hasLink: false, nextAt: null, failure: null };
const flow = (more: object) => ({ id: 'f1', triggers: { ...NONE, ...more } }) as unknown as FlowSummary;
const show = (more: object) => page.show(createElement(FlowTriggers, { flow: flow(more) }));

it.each([
  [{}, false],
  [{ schedules: 1 }, true],
  [{ webhooks: 1 }, true],
  [{ hasLink: true }, true],
])('a flow with %j runs by itself: %s', async (more, expected) => {
  expect(runsByItself(flow(more))).toBe(expected);
  expect((await show(more)).querySelector('a') !== null).toBe(expected);
});

it('shows what starts it, and leads to the page of its triggers', async () => {
  const nextAt = '2099-01-01T00:00:00Z';
  const box = await show({ schedules: 1, webhooks: 1, hasLink: true, nextAt, failure: 'No model.' });
  await expect
    .poll(() => outline(box))
    .toEqual([
      'a[href=/base/flows/f1/use]',
      'span[title=No model.]',
      'span Did not start',
      'icon circle-exclamation-point 12',
      'time 2099-01-01T00:00:00Z',
      'span Runs Jan 1, 2099',
      'icon clock 12',
      'span Webhook',
      'icon webhook 12',
      'span Public link',
      'icon globe 12',
    ]);
  expect(box.querySelector('a')?.getAttribute('href')).toMatch(/\/flows\/f1\/use$/);
  expect([...box.querySelectorAll('a > *')].map((each) => each.textContent.trim().replace(/Runs .*/, 'Runs'))).toEqual([
    'Did not start',
    'Runs',
    'Webhook',
    'Public link',
  ]);
  expect(box.querySelector('[title]')?.getAttribute('title')).toBe('No model.');
  expect(box.querySelector('time')?.getAttribute('dateTime')).toBe(nextAt);
  expect((await show({ webhooks: 3 })).textContent.trim()).toBe('3 webhooks');
  expect((await show({ schedules: 1 })).textContent).toBe('');
});
