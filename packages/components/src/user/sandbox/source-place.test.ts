import { expect, it } from 'vitest';
import { inSource } from './source-place.ts';

/** The column in the source of a place in the text without types. */
const columnOf = (source: string, js: string, column: number) =>
  inSource({ kind: 'syntax', line: 2, column, message: '' }, `first\n${source}`, `first\n${js}`).column;

it('finds a column behind and before removed types', () => {
  const [source, js] = ['const a: number = oops;', 'const a = oops;'];
  expect(columnOf(source, js, js.indexOf('oops') + 1)).toBe(source.indexOf('oops') + 1);
  expect(columnOf(source, js, 3)).toBe(3);
  expect(columnOf(source, js, 0)).toBe(0);
  expect(columnOf('same', 'same', 4)).toBe(4);
});

it('knows no column between removed types', () => {
  const [source, js] = ['f(a: string, b, c: string)', 'f(a, b, c)'];
  expect(columnOf(source, js, js.indexOf('b') + 1)).toBe(0);
});
