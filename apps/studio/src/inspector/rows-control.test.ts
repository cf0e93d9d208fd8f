import type { Json } from '@croft/flow';
import fc from 'fast-check';
import { act, createElement, useState } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { outline } from '../testing/outline.ts';
import { check, choose, fire, named, type, usePage } from '../testing/page.ts';
import { KeyValueControl, pairsOf, readPairs, TableControl } from './rows-control.tsx';

const page = usePage();

it.each<[string, Json]>([
  ['text', 'text'],
  ['7', 7],
  ['007', '007'],
  ['true', true],
  ['"7"', '7'],
  ['{"a": 1}', { a: 1 }],
  ['{a}', '{a}'],
  ['', ''],
])('reads the value %s as %j', (value, expected) => {
  expect(readPairs([{ name: 'x', value }])).toEqual({ x: expected });
});

it('leaves out rows without a name', () => {
  expect(
    readPairs([
      { name: '', value: 'x' },
      { name: 'a', value: '1' },
    ]),
  ).toEqual({ a: 1 });
});

it('shows every object so that reading the rows gives it again', () => {
  const values = fc.dictionary(
    fc.string({ minLength: 1 }).filter((name) => name !== '__proto__'),
    fc.jsonValue(),
  );
  fc.assert(
    fc.property(values, (value) => {
      const plain = JSON.parse(JSON.stringify(value)) as Record<string, Json>;
      expect(readPairs(pairsOf(plain))).toEqual(plain);
    }),
  );
});

const columns = [
  { name: 'name', label: 'Name', kind: 'text' },
  { name: 'on', label: 'On', kind: 'switch' },
  { name: 'as', label: 'As', kind: 'select', options: ['a', 'b'] },
] as const;
const control = { id: 'f', 'aria-describedby': 'hint' } as const;

describe('a table', () => {
  async function show(value: readonly Record<string, Json>[], more: object = {}) {
    const onValue = vi.fn();
    const props = { control, value, onValue, disabled: false, columns, label: 'Rows', ...more };
    const box = await page.show(createElement(TableControl, props as never));
    return { box, onValue };
  }

  it('shows the cells of rows', async () => {
    const { box } = await show([{ name: 'x', on: true, as: 'c' }, { name: { a: 1 } }]);
    await expect
      .poll(() => outline(box))
      .toEqual([
        'div[aria-describedby=hint][aria-label=Rows][role=group]',
        'div[aria-label=Row 1][role=group]',
        'label Name',
        'input[aria-label=Name, row 1][value=x]',
        'label On',
        'input[type=checkbox][aria-label=On, row 1][checked]',
        'icon check 14',
        'icon minus 14',
        'label As',
        'select[aria-label=As, row 1][value=c]',
        'option[selected] c',
        'option a',
        'option b',
        'button[title=Remove row 1][aria-label=Remove row 1][type=button]',
        'icon x 16',
        'div[aria-label=Row 2][role=group]',
        'label Name',
        'input[aria-label=Name, row 2][value={"a":1}]',
        'label On',
        'input[type=checkbox][aria-label=On, row 2]',
        'icon check 14',
        'icon minus 14',
        'label As',
        'select[aria-label=As, row 2]',
        'option[selected] a',
        'option b',
        'button[title=Remove row 2][aria-label=Remove row 2][type=button]',
        'icon x 16',
        'button[type=button]',
        'span Add a row',
        'icon plus 15',
      ]);
  });

  it('has only disabled cells and buttons where it cannot be changed', async () => {
    const enabled = async (disabled: boolean) => {
      const { box } = await show([{ name: 'x', on: true, as: 'a' }], { disabled });
      return [...box.querySelectorAll('input, select, button')].filter((each) => !each.hasAttribute('disabled')).length;
    };
    expect([(await enabled(false)) >= 3, await enabled(true)]).toEqual([true, 0]);
  });

  it('has no labels above the cells of a single column', async () => {
    const { box } = await show([{ name: 'x' }], { columns: columns.slice(0, 1), disabled: true });
    await expect
      .poll(() => outline(box))
      .toEqual([
        'div[aria-describedby=hint][aria-label=Rows][role=group]',
        'div[aria-label=Row 1][role=group]',
        'input[disabled][placeholder=Name][aria-label=Name, row 1][value=x]',
        'button[disabled][title=Remove row 1][aria-label=Remove row 1][type=button]',
        'icon x 16',
        'button[disabled][type=button]',
        'span Add a row',
        'icon plus 15',
      ]);
  });

  it('commits a cell after a pause, and at once when the focus leaves', async () => {
    const { box, onValue } = await show([{ name: 'x', extra: 1 }, { name: 'y' }]);
    await type(named(box, 'Name, row 1'), 'xy');
    await check(named(box, 'On, row 2', '[role=checkbox], input'));
    expect(onValue).not.toHaveBeenCalled();
    await fire(named(box, 'Name, row 1'), 'focusout');
    expect(onValue.mock.calls).toEqual([
      [
        [
          { name: 'xy', extra: 1 },
          { name: 'y', on: true },
        ],
      ],
    ]);
    await choose(named(box, 'As, row 2'), 'b');
    await fire(named(box, 'As, row 2'), 'focusout');
    expect(onValue.mock.calls[1]).toEqual([
      [
        { name: 'x', extra: 1 },
        { name: 'y', as: 'b' },
      ],
    ]);
  });

  it('adds an empty row and removes one', async () => {
    const { box, onValue } = await show([{ name: 'x' }, { name: 'y' }]);
    await fire(named(box, 'Add a row'), 'click');
    const focus = vi.fn();
    Object.assign(named(box, 'Add a row'), { focus });
    await fire(named(box, 'Remove row 1'), 'click');
    expect([onValue.mock.calls, focus.mock.calls.length]).toEqual([
      [[[{ name: 'x' }, { name: 'y' }, { name: '', on: false, as: 'a' }]], [[{ name: 'y' }]]],
      1,
    ]);
  });

  it('moves the focus to the first cell of a new row', async () => {
    const steps: FrameRequestCallback[] = [];
    vi.stubGlobal('requestAnimationFrame', (step: FrameRequestCallback) => steps.push(step));
    const { box } = await show([{ name: 'x' }, { name: 'y' }]);
    const [focus, wrong] = [vi.fn(), vi.fn()];
    Object.assign(named(box, 'Name, row 1'), { focus: wrong });
    Object.assign(named(box, 'Name, row 2'), { focus });
    await fire(named(box, 'Add a row'), 'click');
    for (const step of steps) step(0);
    expect([focus.mock.calls.length, wrong.mock.calls.length]).toEqual([1, 0]);
  });
});

describe('names with values', () => {
  it('commits an object, keeps a row without a name, and shows an object that changed elsewhere', async () => {
    const onValue = vi.fn();
    let show = (_value: Record<string, Json>): void => undefined;
    const Host = () => {
      const [value, setValue] = useState<Readonly<Record<string, Json>>>({ a: 1 });
      show = setValue;
      const commit = (next: Readonly<Record<string, Json>>) => {
        onValue(next);
        setValue(next);
      };
      return createElement(KeyValueControl, {
        control,
        value,
        onValue: commit,
        disabled: false,
        label: 'Pairs',
      } as never);
    };
    const box = await page.show(createElement(Host));
    const cells = () => [...box.querySelectorAll('input')].map(({ value }) => value);
    expect([cells(), named(box, 'Name, row 1').localName, box.firstElementChild?.getAttribute('aria-label')]).toEqual([
      ['a', '1'],
      'input',
      'Pairs',
    ]);
    await fire(named(box, 'Add a row'), 'click');
    expect([cells(), onValue.mock.calls]).toEqual([['a', '1', '', ''], []]);
    await type(named(box, 'Name, row 2'), 'b');
    await fire(named(box, 'Name, row 2'), 'focusout');
    expect([cells(), onValue.mock.calls]).toEqual([['a', '1', 'b', ''], [[{ a: 1, b: '' }]]]);
    await act(async () => show({ c: 'd' }));
    expect(cells()).toEqual(['c', 'd']);
  });

  it('never has the name of a prototype, and of two values with a name the last one', () => {
    const rows = [
      { name: '__proto__', value: '1' },
      { name: 'a', value: '1' },
      { name: 'a', value: '2' },
      { name: 'n', value: 'null' },
      { name: 7, value: 8 },
      { name: 'none' },
    ];
    expect(Object.entries(readPairs(rows as never))).toEqual([
      ['7', 8],
      ['a', 2],
      ['n', null],
      ['none', ''],
    ]);
    expect(pairsOf({ a: '7', b: 'x', c: [1] })).toEqual([
      { name: 'a', value: '"7"' },
      { name: 'b', value: 'x' },
      { name: 'c', value: '[1]' },
    ]);
  });
});
