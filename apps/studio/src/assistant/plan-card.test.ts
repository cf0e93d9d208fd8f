import { createElement } from 'react';
import { expect, it } from 'vitest';
import { outline } from '../testing/outline.ts';
import { fire, named, usePage } from '../testing/page.ts';
import { PlanCard } from './plan-card.tsx';
import type { PlanOffer } from './turn-view.ts';

const page = usePage();

async function show(status: PlanOffer['status'], more: object = {}) {
  const calls: unknown[][] = [];
  const note =
    (name: string) =>
    (...args: unknown[]) => {
      calls.push([name, ...args]);
      return Promise.resolve();
    };
  const store = { approvePlan: note('approve'), show: note('show'), decide: note('decide') };
  const plan = { id: 'p', markdown: '1. Count', status, ...more };
  const props = { plan, turnKey: 'k', store } as unknown as Parameters<typeof PlanCard>[0];
  const box = await page.show(createElement(PlanCard, props));
  const buttons = [...box.querySelectorAll('button')].map(({ textContent }) => textContent.trim());
  return { box, calls, buttons };
}

it('goes on with a plan, or takes changes of it', async () => {
  const { box, calls, buttons } = await show('pending');
  await expect
    .poll(() => outline(box))
    .toEqual([
      'section[aria-label=Plan]',
      'h3 Plan',
      'li Count',
      'button[type=button]',
      'span Continue',
      'button[type=button]',
      'span Dismiss',
    ]);
  expect([buttons, box.textContent?.includes('Count')]).toEqual([['Continue', 'Dismiss'], true]);
  for (const name of ['Continue', 'Dismiss']) await fire(named(box, name), 'click');
  expect(calls).toEqual([
    ['approve', 'k'],
    ['show', { kind: 'refining', key: 'k' }],
  ]);
});

it('waits for the changes, or drops the plan', async () => {
  const { box, calls, buttons } = await show('refining');
  await expect
    .poll(() => outline(box))
    .toEqual([
      'section[aria-label=Plan]',
      'h3 Refining plan',
      'span Send your changes…',
      'li Count',
      'button[type=button]',
      'span Continue',
      'button[type=button]',
      'span Reset',
      'icon rotate-ccw 14',
    ]);
  expect([buttons, box.textContent?.includes('Send your changes')]).toEqual([['Continue', 'Reset'], true]);
  await fire(named(box, 'Reset'), 'click');
  expect(calls).toEqual([['decide', 'k', 'p', 'dismiss']]);
});

it('has no decisions once one was made', async () => {
  const [approved, dismissed] = [await show('approved'), await show('dismissed')];
  expect([approved.buttons, dismissed.buttons]).toEqual([[], []]);
  expect([approved.box.textContent?.includes('Approved'), dismissed.box.textContent?.includes('Dismissed')]).toEqual([
    true,
    true,
  ]);
});

it('says that the drawing adds nothing yet, while there is one to decide about', async () => {
  const says = async (status: PlanOffer['status'], flow?: object) =>
    (await show(status, flow && { flow })).box.textContent?.includes('Nothing is added yet');
  expect([await says('pending', {}), await says('pending'), await says('approved', {})]).toEqual([true, false, false]);
});
