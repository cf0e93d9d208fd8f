import { expect, it } from 'vitest';
import { parseData } from '../user/sandbox/parse-data.ts';
import { addedCsv, addedJsonLines, toCsv, toJsonLines, toMarkdownTable } from './format-records.ts';

it('writes rows as CSV with all of their columns, quoted where they need it', () => {
  expect(
    toCsv([
      { a: 1, b: 'x,y' },
      { c: 'say "hi"', a: 'two\nlines' },
    ]),
  ).toBe('a,b,c\r\n1,"x,y",\r\n"two\nlines",,"say ""hi"""\r\n');
});

it.each([[[]], [[{}, {}]], [undefined]])('writes an empty text for rows without a column: %j', (rows) => {
  expect(toCsv(rows)).toBe('');
});

it('writes rows as a table of Markdown with all of their columns, each row on one line', () => {
  expect(toMarkdownTable([{ a: 1, b: 'x|y' }, { c: 'two\r\nlines' }])).toBe(
    '| a | b | c |\n| --- | --- | --- |\n| 1 | x\\|y |  |\n|  |  | two lines |\n',
  );
});

it('writes each record on a line', () => {
  expect(toJsonLines([{ a: 1 }, { a: 'x\ny' }])).toBe('{"a":1}\n{"a":"x\\ny"}\n');
});

it('adds rows by the columns, the delimiter and the line ends of a file, without a second header', async () => {
  expect(await addedCsv([{ b: 2, a: 'x;y' }], Buffer.from('a;b\r\n1;1\r\n'), 'f.csv')).toBe('"x;y";2\r\n');
  expect(await addedCsv([{ a: 1 }], Buffer.from('a,b\n1,2'), 'f.csv')).toBe('\n1,\n');
  expect(await addedCsv([{ a: 1 }], Buffer.from('a,b\r\n1,2'), 'f.csv')).toBe('\r\n1,\r\n');
  expect(await addedCsv([{ a: 1 }], Buffer.from(' \n'), 'f.csv')).toBe('a\r\n1\r\n');
  expect(await addedCsv([], Buffer.from('a\n'), 'f.csv')).toBe('');
});

it.each([
  ['utf-16le', (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')],
  ['utf-16be', (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16()],
] as const)('reads the columns and the end of a file in %s', async (_, encoded) => {
  expect(await addedCsv([{ b: 2, a: 'x' }], encoded('a;b\r\n1;1\r\n'), 'f.csv')).toBe('x;2\r\n');
  expect(await addedCsv([{ a: 1 }], encoded('a,b\n1,2'), 'f.csv')).toBe('\n1,\n');
});

it('adds no row with a column that the file does not have', async () => {
  await expect(addedCsv([{ a: 1, z: 2 }], Buffer.from('a,b\n'), 'f.csv')).rejects.toMatchObject({
    message: "'f.csv' has no column 'z', so the row was not added.",
    fix: expect.stringContaining('a, b'),
  });
});

it('adds lines of JSON to lines, and to a text that is not one JSON value', () => {
  const added = (before: string, path = 'f.json') => addedJsonLines([{ a: 1 }], Buffer.from(before), path);
  const long = `{"a":"${'x'.repeat(70_000)}"}`;
  for (const before of ['', '{"b":2}\n', '[1]\n[2]\n', '[info] begins\n', `${long}\n`])
    expect(added(before)).toBe('{"a":1}\n');
  for (const before of ['{"b":2}', '{"b":', long]) expect(added(before, 'f.jsonl')).toBe('\n{"a":1}\n');
  expect(added('{"b":')).toBe('\n{"a":1}\n');
  // Without the end of its line, it is a file of another program, such as a minified configuration.
  for (const before of ['{"b":2}', 'null', long]) expect(() => added(before)).toThrow('is one JSON value');
  for (const before of ['[]', '\ufeff[\n{"a": 1}\n]\n', `[${long}]`, '{\n"b": 2\n}\n'])
    expect(() => added(before)).toThrow('is one JSON value');
});

it('keeps an empty value of a single column as a row that is read back', async () => {
  const before = toCsv([{ a: '' }, { a: 'x' }]);
  expect(before).toBe('a\r\n""\r\nx\r\n');
  const text = before + (await addedCsv([{ a: '' }], Buffer.from(before), 'f.csv'));
  expect(await parseData({ language: 'CSV', text, delimiter: '' })).toEqual([{ a: '' }, { a: 'x' }, { a: '' }]);
});

it('finds one JSON value in a file of UTF-16, and the end of its last line', () => {
  const wide = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le');
  expect(() => addedJsonLines([{ a: 1 }], wide('[{"a":0}]\n'), 'f.json')).toThrow(
    "'f.json' is one JSON value, so no line was added.",
  );
  expect(addedJsonLines([{ a: 1 }], wide('{"a":0}'), 'f.jsonl')).toBe('\n{"a":1}\n');
  expect(addedJsonLines([{ a: 1 }], wide('{"a":0}\n'), 'f.json')).toBe('{"a":1}\n');
});
