import type { Json } from '@croft/flow';
import { createElement } from 'react';
import { expect, it } from 'vitest';
import { check, usePage } from '../testing/page.ts';
import { MultiselectControl, SelectControl } from './choice-control.tsx';

const page = usePage();
const control = { id: 'x', 'aria-describedby': undefined, 'aria-invalid': undefined };

async function select(value: string, options: string[]) {
  const props = { control, value, options, onValue: () => undefined, disabled: false };
  const box = await page.show(createElement(SelectControl, props));
  return [...box.querySelectorAll('option')].map(({ textContent }) => textContent);
}

it('shows a stored value that the list no longer has', async () => {
  expect(await select('gone', ['a', 'b'])).toEqual(['gone (not available)', 'a', 'b']);
  expect(await select('a', ['a', 'b'])).toEqual(['a', 'b']);
});

it('has a first choice where none is made, and calls an empty option none', async () => {
  expect(await select('', ['a'])).toEqual(['Choose…', 'a']);
  expect(await select('', ['', 'a'])).toEqual(['None', 'a']);
  expect(await select('a', ['', 'a'])).toEqual(['None', 'a']);
});

async function many(value: Json) {
  const values: Json[] = [];
  const props = {
    control,
    value,
    options: ['a', 'b', 'c'],
    label: 'L',
    disabled: false,
    onValue: (next: Json) => void values.push(next),
  };
  const box = await page.show(createElement(MultiselectControl, props));
  const boxes = [...box.querySelectorAll('input')] as HTMLInputElement[];
  const names = [...box.querySelectorAll('label')].map(({ textContent }) => textContent);
  return { values, boxes, names };
}

it('adds and removes options in their order, and keeps unknown ones', async () => {
  const { values, boxes, names } = await many(['c', 'gone']);
  expect(names).toEqual(['a', 'b', 'c', 'gone']);
  expect(boxes.map((each) => each.hasAttribute('checked') || each.checked)).toEqual([false, false, true, true]);
  await check(boxes[0] as Element);
  await check(boxes[2] as Element);
  expect(values).toEqual([['a', 'c', 'gone'], ['gone']]);
});

it('has nothing chosen in another value', async () => {
  const { values, boxes } = await many('text');
  await check(boxes[1] as Element);
  expect(values).toEqual([['b']]);
});
