import { expect, it } from 'vitest';
import { shownValue } from './shown-value.ts';

it('shows messages as text, records as JSON, files as links, and lists of records as rows', () => {
  expect(shownValue(null)).toEqual({ kind: 'empty' });
  expect(shownValue({ text: 'hi', sender: 'User', session_id: '' })).toEqual({ kind: 'text', text: 'hi' });
  expect(shownValue({ text: 'hi', score: 1 })).toMatchObject({ kind: 'json' });
  expect(shownValue({ path: 'a/b.md', version: 'x' })).toEqual({ kind: 'file', path: 'a/b.md' });
  expect(shownValue([1, 2])).toMatchObject({ kind: 'json' });
  expect(shownValue([{ a: 1, b: null }, { a: 'x', c: { d: 1 } }, '(7 more items)'])).toEqual({
    kind: 'rows',
    columns: ['a', 'b', 'c'],
    rows: [
      ['1', '', ''],
      ['x', '', '{"d":1}'],
    ],
    more: '7 more items are not kept',
  });
});
