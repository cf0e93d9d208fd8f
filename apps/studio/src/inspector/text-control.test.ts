import { createElement } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import { outline } from '../testing/outline.ts';
import { fire, type, usePage } from '../testing/page.ts';
import { LongTextControl, TextControl } from './text-control.tsx';

const page = usePage();
afterEach(() => void vi.useRealTimers());
const control = { id: 'c', 'aria-describedby': 'd', 'aria-invalid': true };

async function line(value: string, more: object = {}) {
  const onValue = vi.fn();
  const props = { control, value, onValue, disabled: false, placeholder: 'Type', escaped: false, ...more };
  const box = await page.show(createElement(TextControl, props));
  return { input: box.querySelector('input') as HTMLInputElement, onValue };
}
async function long(value: string, more: object = {}) {
  const onValue = vi.fn();
  const props = { control, value, onValue, disabled: false, placeholder: 'Type', hasVariables: true, ...more };
  const box = await page.show(createElement(LongTextControl, props));
  const behind = () => box.querySelector('[aria-hidden=true]') as Element;
  return { box, area: box.querySelector('textarea') as HTMLTextAreaElement, behind, onValue };
}

it('gives each text of a line', async () => {
  const { input, onValue } = await line('a');
  expect(['id', 'aria-describedby', 'aria-invalid', 'placeholder'].map((name) => input.getAttribute(name))).toEqual([
    'c',
    'd',
    'true',
    'Type',
  ]);
  expect([input.value, input.hasAttribute('disabled'), input.className.includes('font-mono')]).toEqual([
    'a',
    false,
    false,
  ]);
  await type(input, 'ab\\n');
  expect(onValue.mock.calls).toEqual([['ab\\n']]);
  expect((await line('a', { disabled: true })).input.hasAttribute('disabled')).toBe(true);
});

it('writes line breaks as \\n where they are escaped', async () => {
  const { input, onValue } = await line('a\nb', { escaped: true });
  expect([input.value, input.className.includes('font-mono')]).toEqual(['a\\nb', true]);
  await type(input, 'a\\nb\\n');
  expect(onValue.mock.calls).toEqual([['a\nb\n']]);
});

it('marks the variables of a long text', async () => {
  const { area, behind, onValue } = await long('Hi {name}!');
  expect([behind().textContent, [...behind().querySelectorAll('mark')].map(({ textContent }) => textContent)]).toEqual([
    'Hi {name}!\u200b',
    ['{name}'],
  ]);
  expect(['id', 'aria-describedby', 'rows', 'placeholder'].map((name) => area.getAttribute(name))).toEqual([
    'c',
    'd',
    '1',
    'Type',
  ]);
  await type(area, 'Hi {you}');
  expect(onValue.mock.calls).toEqual([['Hi {you}']]);
});

it('marks nothing in a text without variables, but is as high', async () => {
  const { behind } = await long('Hi {name}!', { hasVariables: false, disabled: true });
  expect([behind().textContent, behind().querySelector('mark')]).toEqual(['Hi {name}!\u200b', null]);
  expect((await long('', { disabled: true })).area.hasAttribute('disabled')).toBe(true);
  expect((await long('')).area.hasAttribute('disabled')).toBe(false);
});

it('shows a very long text without marks, in more rows', async () => {
  const { area, behind } = await long('{a}'.padEnd(20_001, 'x'));
  expect([behind().textContent, area.getAttribute('rows'), area.className.includes('overflow-hidden')]).toEqual([
    '\u200b',
    '14',
    false,
  ]);
  const shorter = await long('{a}'.padEnd(20_000, 'x'));
  expect([
    shorter.behind().querySelectorAll('mark').length,
    shorter.area.className.includes('overflow-hidden'),
  ]).toEqual([1, true]);
});

it('gives a longer text after a pause, on blur, or by Ctrl and Enter', async () => {
  const text = 'x'.repeat(2_001);
  for (const [name, event, isGiven] of [
    ['focusout', {}, true],
    ['keydown', { key: 'Enter', ctrlKey: true, metaKey: false }, true],
    ['keydown', { key: 'Enter', ctrlKey: false, metaKey: true }, true],
    ['keydown', { key: 'Enter', ctrlKey: false, metaKey: false }, false],
    ['keydown', { key: 'a', ctrlKey: true, metaKey: false }, false],
  ] as const) {
    const { area, onValue } = await long('');
    await type(area, text);
    expect(onValue).not.toHaveBeenCalled();
    await fire(area, name, event);
    expect(onValue.mock.calls).toEqual(isGiven ? [[text]] : []);
  }
});

it('hands on its attributes', async () => {
  const { input } = await line('a', { disabled: true });
  await expect
    .poll(() => outline(input.closest('div') as Element))
    .toEqual(['input[disabled][placeholder=Type][autoComplete=off][aria-invalid=true][aria-describedby=d][value=a]']);
  const { box } = await long('Hi {name}', { disabled: true });
  await expect
    .poll(() => outline(box))
    .toEqual([
      'div[aria-hidden=true] Hi \u200b',
      'mark {name}',
      'textarea[placeholder=Type][disabled][rows=1][aria-invalid=true][aria-describedby=d]',
    ]);
});
