import { expect, it } from 'vitest';
import { shownValue } from './shown-value.ts';

it('shows messages as text, records as JSON, files as links, and lists of records as rows', () => {
  expect(shownValue(null)).toEqual({ kind: 'empty' });
  expect(shownValue({ text: 'hi', sender: 'User', session_id: '' })).toEqual({ kind: 'text', text: 'hi' });
  expect(shownValue({ text: 'hi', score: 1 })).toMatchObject({ kind: 'json' });
  expect(shownValue({ text: '```json\n{ "a": 1 }\n```' })).toEqual({ kind: 'json', text: '{ "a": 1 }' });
  expect(shownValue('[draft] text')).toMatchObject({ kind: 'text' });
  expect(shownValue({ path: 'a/b.md', version: 'x' })).toEqual({
    kind: 'files',
    files: [{ path: 'a/b.md', version: 'x' }],
  });
  const files = Array.from({ length: 22 }, (_, at) => ({ path: `${at}.png`, version: 'x' }));
  expect(shownValue(files.slice(0, 20))).toEqual({ kind: 'files', files: files.slice(0, 20) });
  expect(shownValue([{ path: 'a.md', version: 'x', type: 'text/markdown' }])).toMatchObject({ kind: 'files' });
  expect(shownValue([...files, '(7 more items)'])).toEqual({
    kind: 'files',
    files: files.slice(0, 20),
    more: '2 more files, and 7 more items are not kept',
  });
  expect(shownValue([{ path: 'a.md', version: 'x', size: 1 }])).toMatchObject({ kind: 'rows' });
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

it('shows JSON with its indentation, and nothing of empty values', () => {
  expect(shownValue({ a: 1 })).toEqual({ kind: 'json', text: '{\n  "a": 1\n}' });
  expect([shownValue(''), shownValue({ text: '' })]).toEqual([{ kind: 'empty' }, { kind: 'empty' }]);
  expect([shownValue(7), shownValue(false)]).toEqual([
    { kind: 'text', text: '7' },
    { kind: 'text', text: 'false' },
  ]);
  expect([shownValue([]), shownValue(['(7 more items)'])]).toEqual([
    { kind: 'json', text: '[]' },
    { kind: 'json', text: '[\n  "(7 more items)"\n]' },
  ]);
  expect(shownValue([1, { a: 1 }])).toEqual({ kind: 'json', text: '[\n  1,\n  {\n    "a": 1\n  }\n]' });
  expect(shownValue({ path: '', version: 'x' })).toMatchObject({ kind: 'json' });
  expect(shownValue({ path: 'a', version: 1 })).toMatchObject({ kind: 'json' });
});

it('counts the files that are left out', () => {
  const files = Array.from({ length: 21 }, (_, at) => ({ path: `${at}.png`, version: 'x' }));
  expect(shownValue(files)).toEqual({ kind: 'files', files: files.slice(0, 20), more: '1 more files' });
  expect(shownValue([...files.slice(0, 2), '(7 more items)'])).toEqual({
    kind: 'files',
    files: files.slice(0, 2),
    more: '7 more items are not kept',
  });
  expect(shownValue([{ a: 1 }])).toEqual({ kind: 'rows', columns: ['a'], rows: [['1']] });
});
