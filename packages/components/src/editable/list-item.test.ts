import { expect, it } from 'vitest';
import { portsOf, textsOf } from '../testing.ts';
import { ListItem } from './list-item.ts';

const run = (index: number, items: unknown = ['a', 'b', 'c']) =>
  Object.assign(new ListItem(), { items, index }).run().item;

it('counts from 1, and from the end for negative places', () => {
  expect([run(1), run(3), run(-1), run(-3), run(1, 'alone')]).toEqual(['a', 'c', 'c', 'a', 'alone']);
});

it.each([0, 4, -4])('says that there is nothing at place %d', (place) => {
  expect(() => run(place)).toThrow(`The list has 3 items, and none at place ${place}.`);
});

it('has ports that stored flows name', () => {
  expect(portsOf(new ListItem())).toEqual([
    'items: handle Table Data File Any required',
    'index: integer default=1 required',
    'after: handle Message Data Table File Any advanced gate list',
    'item: gives Any',
  ]);
});

it('shows these texts to people and models', () => {
  expect(textsOf(new ListItem())).toEqual([
    'Item of a list (list-ordered): Gives one row, file or value of a list, by its place.',
    '',
    'items: List',
    'index: Place | 1 is the first one, -1 the last one.',
    'after: Wait for | Runs after what is connected here, and not where that branch is not taken.',
    'item: Item',
  ]);
});
