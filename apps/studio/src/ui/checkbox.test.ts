import { createElement } from 'react';
import { expect, it, vi } from 'vitest';
import { check, usePage } from '../testing/page.ts';
import { Checkbox } from './checkbox.tsx';

const page = usePage();

async function show(props: Parameters<typeof Checkbox>[0]) {
  const box = await page.show(createElement(Checkbox, props));
  return box.querySelector('input') as HTMLInputElement;
}

it('is empty, ticked or partly so', async () => {
  const stateOf = ({ checked, indeterminate, type }: HTMLInputElement) => [checked, indeterminate, type];
  expect(stateOf(await show({}))).toEqual([false, false, 'checkbox']);
  expect(stateOf(await show({ checked: true }))).toEqual([true, false, 'checkbox']);
  expect(stateOf(await show({ checked: 'indeterminate' }))).toEqual([false, true, 'checkbox']);
});

it('says what it becomes', async () => {
  const onCheckedChange = vi.fn();
  await check(await show({ onCheckedChange, 'aria-label': 'Select a.txt' }));
  expect(onCheckedChange.mock.calls).toEqual([[true]]);
  await check(await show({ onCheckedChange, checked: true }));
  expect(onCheckedChange).toHaveBeenLastCalledWith(false);
});

it('hands its attributes on, and its class to the box around it', async () => {
  const input = await show({ 'aria-label': 'Select a.txt', disabled: true, className: 'ml-2' });
  expect([input.getAttribute('aria-label'), input.disabled]).toEqual(['Select a.txt', true]);
  expect(input.parentElement?.className).toMatch(/ ml-2$/);
  expect(input.parentElement?.querySelectorAll('svg[aria-hidden=true]').length).toBe(2);
});
