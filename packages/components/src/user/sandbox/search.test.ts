import { describe, expect, it } from 'vitest';
import type { Search, TextSearch } from './messages.ts';
import { search } from './search.ts';

const found = async (wanted: Search) => {
  const outcome = await search(wanted);
  return outcome.ok ? (JSON.parse(outcome.found) as unknown) : outcome.message;
};
const re2 = (expression: string, text: string, wants: TextSearch['wants'], ignoresCase = false) =>
  found({ language: 'RE2', expression, text, wants, ignoresCase });

describe('an expression', () => {
  it('gives its matches with their groups, and no more than are wanted', async () => {
    expect(await re2('(?P<key>\\w)=(\\d)?', 'a=1 b= c=3', { matches: 2 })).toEqual([
      { match: 'a=1', group_1: 'a', group_2: '1', key: 'a' },
      { match: 'b=', group_1: 'b', group_2: null, key: 'b' },
    ]);
  });

  it('replaces, and chooses lines with or without a match', async () => {
    expect(await re2('(a)b', 'ab AB', { replacement: '$1!' }, true)).toBe('a! A!');
    expect(await re2('(a)b', 'ab AB', { replacement: '$1!' })).toBe('a! AB');
    expect(await re2('x', 'ax\nb\ncx', { lines: 'with a match' })).toBe('ax\ncx');
    expect(await re2('x', 'ax\nb\ncx', { lines: 'without one' })).toBe('b');
  });

  it('that is not valid says why', async () => {
    expect(await re2('(', 'a', { matches: 1 })).toMatch(/missing closing/);
  });
});

describe('a query', () => {
  const select = (expression: string, value: unknown) =>
    found({ language: 'JMESPath', expression, value: JSON.stringify(value) });

  it('selects own values only', async () => {
    expect(await select('a[].b', { a: [{ b: 1 }, { b: 2 }] })).toEqual([1, 2]);
    expect(await select('constructor', { a: 1 })).toBeNull();
    expect(await select('a[0].toString', { a: [{}] })).toBeNull();
  });
});

it('parses a text with records', async () => {
  expect(await found({ language: 'CSV', text: 'a;b\n1;2\n', delimiter: '' })).toEqual([{ a: '1', b: '2' }]);
  expect(await found({ language: 'CSV', text: 'a,b\n1,2\n', delimiter: '', name: 'x.tsv' })).toEqual([
    { 'a,b': '1,2' },
  ]);
});
