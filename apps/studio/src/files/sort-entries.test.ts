import { expect, it } from 'vitest';
import type { FileEntry } from '../api/files.ts';
import { BY_NAME, isSameSort, type Sort, sortEntries } from './sort-entries.ts';

const entry = (name: string, type: 'dir' | 'file', size?: number, modifiedAt?: string) =>
  ({ name, path: name, type, size, modifiedAt }) as FileEntry;
const list = [
  entry('b10', 'file', 5, '2026-01-02T00:00:00Z'),
  entry('B9', 'file', 7, '2026-01-01T00:00:00Z'),
  entry('a', 'file', 5),
  entry('z', 'dir'),
  entry('y', 'dir'),
];
const sorted = (sort: Sort) => sortEntries(list, sort).map(({ name }) => name);

it('has folders first in every order, and numbers in names by their value', () => {
  expect(sorted(BY_NAME)).toEqual(['y', 'z', 'a', 'B9', 'b10']);
  expect(sorted({ by: 'name', descending: true })).toEqual(['z', 'y', 'b10', 'B9', 'a']);
});

it('sorts by size and date, then by name', () => {
  expect(sorted({ by: 'size', descending: false })).toEqual(['y', 'z', 'a', 'b10', 'B9']);
  expect(sorted({ by: 'size', descending: true })).toEqual(['z', 'y', 'B9', 'b10', 'a']);
  const dated = list.slice(0, 2);
  expect(sortEntries(dated, { by: 'modified', descending: false }).map(({ name }) => name)).toEqual(['B9', 'b10']);
  expect(sortEntries(dated, { by: 'modified', descending: true }).map(({ name }) => name)).toEqual(['b10', 'B9']);
  expect(
    sortEntries([...dated].reverse().map((each) => ({ ...each, modifiedAt: '' })) as FileEntry[], {
      by: 'modified',
      descending: false,
    }).map(({ name }) => name),
  ).toEqual(['B9', 'b10']);
});

it('counts a file without a size as empty, and leaves the list as it is', () => {
  const two = [entry('a', 'file', 1), entry('b', 'file')];
  expect(sortEntries(two, { by: 'size', descending: false }).map(({ name }) => name)).toEqual(['b', 'a']);
  expect(two.map(({ name }) => name)).toEqual(['a', 'b']);
});

it('is the same order only with the same column and direction', () => {
  expect(isSameSort(BY_NAME, { by: 'name', descending: false })).toBe(true);
  expect(isSameSort(BY_NAME, { by: 'name', descending: true })).toBe(false);
  expect(isSameSort(BY_NAME, { by: 'size', descending: false })).toBe(false);
});

it('sorts by date where the names have another order, and takes entries without a date by their name', () => {
  const entries = [entry('a', 'file', 1, '2026-01-02T00:00:00Z'), entry('b', 'file', 1, '2026-01-01T00:00:00Z')];
  const byDate = (descending: boolean) => sortEntries(entries, { by: 'modified', descending }).map(({ name }) => name);
  expect([byDate(false), byDate(true)]).toEqual([
    ['b', 'a'],
    ['a', 'b'],
  ]);
  const undated = [entry('d', 'file', 1), entry('c', 'file', 1)];
  expect(sortEntries(undated, { by: 'modified', descending: false }).map(({ name }) => name)).toEqual(['c', 'd']);
});
