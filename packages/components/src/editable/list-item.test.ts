import { expect, it } from 'vitest';
import { ListItem } from './list-item.ts';

const run = (index: number, items: unknown = ['a', 'b', 'c']) =>
  Object.assign(new ListItem(), { items, index }).run().item;

it('counts from 1, and from the end for negative places', () => {
  expect([run(1), run(3), run(-1), run(-3), run(1, 'alone')]).toEqual(['a', 'c', 'c', 'a', 'alone']);
});

it.each([0, 4, -4])('says that there is nothing at place %d', (place) => {
  expect(() => run(place)).toThrow(`The list has 3 items, and none at place ${place}.`);
});
