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
      expect(refusalOf(() => readTables(text))).toBe('does not parse: a string does not end');
  });
});

it('writes a text or a list of texts', () => {
  expect(assignment('command', 'C:\\x "y"\u007f')).toBe('command = "C:\\\\x \\"y\\"\\u007F"');
  expect(assignment('args', ['a', 'b'])).toBe('args = ["a", "b"]');
});
