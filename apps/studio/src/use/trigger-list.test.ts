import { createElement } from 'react';
import { expect, it, vi } from 'vitest';
import { outline } from '../testing/outline.ts';
import { fire, named, usePage } from '../testing/page.ts';
import { TriggerRow } from './trigger-list.tsx';

const page = usePage();

async function show(more: Partial<Parameters<typeof TriggerRow>[0]> = {}) {
  const onSwitch = vi.fn();
  const props = { name: 'Hook', about: 'address', isOn: true, lastAt: null, lastRun: null, failure: null, onSwitch };
  const box = await page.show(createElement(TriggerRow, { ...props, actions: '[Menu]', ...more }));
  return { box, onSwitch };
}

it('says what it is, and turns it off', async () => {
  const { box, onSwitch } = await show();
  await expect
    .poll(() => outline(box))
    .toEqual([
      'li [Menu]',
      'button[aria-label=Hook is on][data-state=checked][aria-checked=true][role=switch][type=button]',
      'span[data-state=checked]',
      'p Hook',
      'p address',
    ]);
  expect(box.textContent).toBe('Hookaddress[Menu]');
  const control = named(box, 'Hook is on');
  expect(control.getAttribute('aria-checked')).toBe('true');
  await fire(control, 'click');
  expect(onSwitch.mock.calls).toEqual([[false]]);
});

it('leads to its last run while that is kept', async () => {
  const lastAt = '2026-01-01T00:00:00Z';
  const { box } = await show({ lastAt, lastRun: 'r1' });
  expect(box.textContent).toBe('Hookaddress · ran Jan 1, 2026[Menu]');
  expect([box.querySelector('a')?.getAttribute('href'), box.querySelector('time')?.hasAttribute('title')]).toEqual([
    '/base/runs/r1',
    true,
  ]);
  const old = await show({ lastAt });
  expect([old.box.textContent, old.box.querySelector('a')]).toEqual(['Hookaddress · last Jan 1, 2026[Menu]', null]);
});

it('says why its last run failed', async () => {
  expect((await show({ failure: 'No model.' })).box.querySelector('.text-bad')?.textContent.trim()).toBe('No model.');
  expect((await show()).box.querySelector('.text-bad')).toBeNull();
});
