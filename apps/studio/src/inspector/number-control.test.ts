import type { Field, Json } from '@croft/flow';
import { createElement } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import { outline } from '../testing/outline.ts';
import { fire, type, usePage } from '../testing/page.ts';
import { NumberControl } from './number-control.tsx';

const page = usePage();
afterEach(() => void vi.useRealTimers());

async function show(field: Partial<Field>, value: Json = 3) {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const values: Json[] = [];
  const props = {
    control: { id: 'x', 'aria-describedby': undefined, 'aria-invalid': undefined },
    value,
    onValue: (next: Json) => void values.push(next),
    disabled: false,
    field: { name: 'n', label: 'N', kind: 'number', ...field } as Field,
  };
  const box = await page.show(createElement(NumberControl, props));
  const [first, second] = [...box.querySelectorAll('input')] as HTMLInputElement[];
  return { values, first: first as HTMLInputElement, second };
}

it('takes numbers as they are typed, and none where the field is emptied', async () => {
  const { values, first } = await show({});
  expect(first.getAttribute('value')).toBe('3');
  await type(first, '4.5');
  await type(first, '');
  expect(values).toEqual([4.5]);
  await fire(first, 'focusout');
  expect(values).toEqual([4.5, null]);
  expect((await show({}, null)).first.getAttribute('value') ?? '').toBe('');
});

it('takes whole numbers by their kind, within their range', async () => {
  const { first } = await show({ kind: 'integer', min: 1, max: 9, step: 0.5 });
  expect(['min', 'max', 'step', 'inputMode'].map((name) => first.getAttribute(name))).toEqual([
    '1',
    '9',
    '1',
    'numeric',
  ]);
  const other = (await show({ step: 0.5 })).first;
  expect([other.getAttribute('step'), other.getAttribute('inputMode')]).toEqual(['0.5', 'decimal']);
});

it('has a slider beside it only where the range is known', async () => {
  const { first, second } = await show({ kind: 'slider', min: 0, max: 1 }, null);
  expect([first.getAttribute('type'), first.getAttribute('value'), second?.getAttribute('type')]).toEqual([
    'range',
    '0',
    'number',
  ]);
  expect((await show({ kind: 'slider', min: 0 })).second).toBeUndefined();
  expect((await show({ min: 0, max: 1 })).second).toBeUndefined();
});

it('is an input, and a slider beside it for a range', async () => {
  const { first } = await show({ kind: 'integer', min: 1, max: 9, step: 2 });
  await expect
    .poll(() => outline(first.closest('div') as Element))
    .toEqual(['input[type=number][inputMode=numeric][step=1][max=9][min=1][value=3]']);
  const slider = await show({ kind: 'slider', min: 0, max: 2, step: 0.1 }, 1);
  await expect
    .poll(() => outline(slider.first.parentElement as Element))
    .toEqual([
      'input[type=range][aria-label=N, slider][step=0.1][max=2][min=0][value=1]',
      'input[type=number][inputMode=decimal][step=0.1][max=2][min=0][value=1]',
    ]);
});

it('takes any step where the field has none, and what the slider was moved to once it is left', async () => {
  expect((await show({})).first.getAttribute('step')).toBe('any');
  for (const end of ['pointerup', 'focusout']) {
    const { values, first } = await show({ kind: 'slider', min: 0, max: 10 }, 1);
    await type(first, '7');
    await fire(first, end);
    expect([first.getAttribute('step'), values]).toEqual(['any', [7]]);
  }
});
