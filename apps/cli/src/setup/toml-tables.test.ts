import { describe, expect, it } from 'vitest';
import { refusalOf } from '../../../../packages/workspace/src/testing.ts';
import { assignment, readTables } from './toml-tables.ts';

const paths = (text: string) => readTables(text).map(({ path }) => path.join('/'));

describe('the tables of a TOML text', () => {
  it('are cut at their headers, and give the text back', () => {
    const text = 'a = 1\n\n[one]\nb = 2\n  [mcp."x.y"]\nc = 3\n[[list]]\nd = 4\n[last]';
    const tables = readTables(text);
    expect(tables.map(({ path, body }) => [path, body])).toEqual([
      [[], 'a = 1\n\n'],
      [['one'], '\nb = 2\n  '],
      [['mcp', 'x.y'], '\nc = 3\n'],
      [['list'], '\nd = 4\n'],
      [['last'], ''],
    ]);
    expect(tables.map((table) => table.text).join('')).toBe(text);
    expect(tables.every(({ start, end, text: own }) => text.slice(start, end) === own)).toBe(true);
  });

  it.each([
    ['a comment', '# [x]\na = 1 # [y]\n[z]'],
    ['a text', 'a = "[x]\\"\\n[y]"\nb = \'[x]\'\n[z]'],
    ['a text of several lines', 'a = """\n[x]\n"""\nb = \'\'\'\n[y]\n\'\'\'\n[z]'],
    ['a list of several lines', 'a = [\n  [1],\n  [2]\n]\n[z]'],
    ['a value', 'a = [x]\n[z]'],
  ])('do not begin in %s', (_, text) => {
    expect(paths(text)).toEqual(['', 'z']);
  });

  it('are not read where a string does not end', () => {
    for (const text of ['a = "x\n[z]', "a = 'x\n"])
      expect(refusalOf(() => readTables(text))).toBe(
        'does not parse: a string does not end; correct it and run croft setup again',
      );
  });
});

it('writes a text or a list of texts', () => {
  expect(assignment('command', 'C:\\x "y"\u007f')).toBe('command = "C:\\\\x \\"y\\"\\u007F"');
  expect(assignment('args', ['a', 'b'])).toBe('args = ["a", "b"]');
});

describe('a header', () => {
  it('names its path with keys of three kinds', () => {
    expect(readTables('["a.b".\'c d\'.e-f_1]\n').map(({ path }) => path)).toEqual([[], ['a.b', 'c d', 'e-f_1']]);
    expect(readTables('[""]').map(({ path }) => path)).toEqual([[], ['']]);
  });

  it('begins a line', () => {
    expect(paths('a = 1 [x]\n[y]')).toEqual(['', 'y']);
    expect(paths(`${' '.repeat(10)}[x]`)).toEqual(['', 'x']);
    expect(paths('\t[x]\n\t [y]')).toEqual(['', 'x', 'y']);
  });

  it('is found after brackets that were closed too often', () => {
    expect(paths('a = ]]\n[x]\n')).toEqual(['', 'x']);
  });

  it('is not found in a list that is still open', () => {
    expect(paths('a = [\n[x]\n')).toEqual(['']);
    expect(paths('a = [\n"]",\n[x],\n]\n[y]')).toEqual(['', 'y']);
  });
});

it('has one table without a header in an empty text', () => {
  expect(readTables('')).toEqual([{ path: [], start: 0, end: 0, text: '', body: '' }]);
  expect(readTables('[a]\nb = 1\n[c]')).toEqual([
    { path: [], start: 0, end: 0, text: '', body: '' },
    { path: ['a'], start: 0, end: 10, text: '[a]\nb = 1\n', body: '\nb = 1\n' },
    { path: ['c'], start: 10, end: 13, text: '[c]', body: '' },
  ]);
});

it('writes numbers and empty lists as texts', () => {
  expect([assignment('a', 5), assignment('b', []), assignment('c', [1, '\u007f\u007f'])]).toEqual([
    'a = "5"',
    'b = []',
    'c = ["1", "\\u007F\\u007F"]',
  ]);
});
