import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { useWorkspace } from '../../../../tests/support/use-workspace.ts';
import { runAlone, runNode, textsOf, declaredBy } from '../testing.ts';
import { readData } from './read-data.ts';

const { dir, workspace } = useWorkspace();

describe('ReadData', () => {
  const read = (config: Readonly<Record<string, unknown>>, output = 'dataframe') =>
    runNode({ type: 'ReadData', output, config, services: { workspace } });

  it.each([
    ['a.csv', '\ufeffname;n\n"A; B";1\n', [{ name: 'A; B', n: '1' }]],
    ['a.tsv', 'x\ty\n1\t2\n', [{ x: '1', y: '2' }]],
    ['a.json', '[{"n":1}]', [{ n: 1 }]],
    ['a.jsonl', '{"n":1}\n{"n":2}\n', [{ n: 1 }, { n: 2 }]],
    ['a.yml', '# rows\n- n: 1\n- n: 2\n', [{ n: 1 }, { n: 2 }]],
  ])('reads %s', async (path, content, rows) => {
    writeFileSync(join(dir, path), content);
    expect((await read({ path })).value).toEqual(rows);
  });

  it('guesses the format of a text', async () => {
    expect((await read({ source: 'Text', text: 'a: 1\nb: [x]' }, 'data')).value).toEqual({ a: 1, b: ['x'] });
    expect((await read({ source: 'Text', text: ' [{"a":1},{"a":2}]' })).value).toEqual([{ a: 1 }, { a: 2 }]);
    expect((await read({ source: 'Text', text: 'a,b\n1,2' })).value).toEqual([{ a: '1', b: '2' }]);
  });

  it('reads lines of CSV that end in different ways', async () => {
    const text = 'a,b\n1,"x"\r\n2,y\r\n3,z';
    writeFileSync(join(dir, 'mixed.csv'), text);
    const rows = [
      { a: '1', b: 'x' },
      { a: '2', b: 'y' },
      { a: '3', b: 'z' },
    ];
    expect((await read({ path: 'mixed.csv' })).value).toEqual(rows);
    writeFileSync(join(dir, 'old-mac.csv'), 'a,b\r1,x\r2,y\r3,z\r');
    expect((await read({ path: 'old-mac.csv' })).value).toEqual(rows);
  });

  it('holds no timer up while it reads a small text with many columns and rows', async () => {
    const row = '1\n';
    const text = `${Array.from({ length: 2_000 }, (_, n) => (n % 2 ? '' : 'a')).join(',')}\n${row.repeat(1_000)}`;
    expect(text.length).toBeLessThan(8_192);
    let ticks = 0;
    const timer = setInterval(() => ticks++, 1);
    const { value } = await read({ source: 'Text', text, format: 'csv' });
    clearInterval(timer);
    expect(value).toHaveLength(1_000);
    expect(ticks).toBeGreaterThan(10);
  });

  it('gives no rows for a file that is not there yet, only where that is allowed', async () => {
    expect((await read({ path: 'later.csv', allow_missing: true })).value).toEqual([]);
    expect((await read({ path: 'later.csv' })).failure?.message).toContain('later.csv');
    expect((await read({ path: '../later.csv', allow_missing: true })).failure).toBeDefined();
  });

  it('names the file and the fault', async () => {
    writeFileSync(join(dir, 'broken.json'), '{"a":');
    expect((await read({ path: 'broken.json' })).failure?.message).toMatch(/^'broken.json' is not valid JSON: /);
  });

  it('refuses aliases that expand without bound', async () => {
    const levels = Array.from({ length: 12 }, (_, at) => `l${at + 1}: &l${at + 1} [${`*l${at},`.repeat(9)}*l${at}]`);
    const text = ['l0: &l0 [x]', ...levels].join('\n');
    expect((await read({ source: 'Text', format: 'yaml', text })).failure?.message).toContain('alias');
  });
});

const readText = (text: string, more: object = {}, call: object = {}) =>
  runAlone(readData, { source: 'Text', format: 'auto', text, ...more }, { workspace }, call).then(
    ({ outputs }) => outputs,
  );

it.each([
  ['  {"a":1}', [{ a: 1 }]],
  ['{"a":1}\n\n[{"b":2}]\n', [{ a: 1 }, { b: 2 }]],
  ['---\na: 1', [{ a: 1 }]],
  ['- a', [{ text: 'a' }]],
  ['my-key:\n  a: 1', [{ 'my-key': { a: 1 } }]],
  ['time\n10:30', [{ time: '10:30' }]],
  ['-a\nb', [{ '-a': 'b' }]],
  ['', []],
])('guesses the format of %j', async (text, rows) => {
  expect((await readText(text))['dataframe']).toEqual(rows);
});

it.each([
  ['a.CSV', 'a,b\n{,2', [{ a: '{', b: '2' }]],
  ['a.tsv', '[\tb\n1\t2', [{ '[': '1', b: '2' }]],
  ['b.TSV', 'a, b\tc;d\n1, 2\t3', [{ 'a, b': '1, 2', 'c;d': '3' }]],
  ['one.csv', 'name\nA, B\n', [{ name: 'A, B' }]],
  ['a.yaml', 'a', [{ text: 'a' }]],
  ['a.yml', '{a: 1}', [{ a: 1 }]],
  ['a.json', '7', [{ text: '7' }]],
  ['a.jsonl', '7', [{ text: '7' }]],
  ['a.ndjson', '"x"', [{ text: 'x' }]],
  ['a.txt', 'a: 1', [{ a: 1 }]],
])('reads %s by its ending', async (name, content, rows) => {
  writeFileSync(join(dir, name), content);
  const { outputs } = await runAlone(readData, { source: 'File', format: 'auto', path: name }, { workspace });
  expect(outputs).toEqual({ dataframe: rows, data: rows[0] });
});

it('uses the chosen delimiter and format, and gives one record for several rows', async () => {
  expect(await readText('a|b;c\n1|2;3', { format: 'csv', delimiter: '|' })).toEqual({
    dataframe: [{ a: '1', 'b;c': '2;3' }],
    data: { a: '1', 'b;c': '2;3' },
  });
  writeFileSync(join(dir, 'commas.tsv'), 'a,b\n1,2');
  const commas = { source: 'File', format: 'auto', path: 'commas.tsv', delimiter: ',' };
  expect((await runAlone(readData, commas, { workspace })).outputs['data']).toEqual({ a: '1', b: '2' });
  expect(await readText('[{"a":1},{"a":2}]', { format: 'yaml' })).toEqual({
    dataframe: [{ a: 1 }, { a: 2 }],
    data: { rows: [{ a: 1 }, { a: 2 }] },
  });
  expect(await runAlone(readData, { source: 'File', path: 'none.csv', allow_missing: true }, { workspace })).toEqual({
    outputs: { dataframe: [], data: {} },
    progress: [],
  });
});

it('says what is wrong with a text', async () => {
  const fix = 'Correct the data, or choose another format.';
  for (const [text, format, message] of [
    ['{"a":1}\n7x', 'json', /^The text is not valid JSON: \S.*$/],
    ['{"a":1}{', 'json', /^The text is not valid JSON: \S.*$/],
    ['a\n{', 'json', /^The text is not valid JSON: \S.*$/],
    ['a: [', 'yaml', /^The text is not valid YAML: \S.*$/],
    ['a,b\n"1,2', 'csv', /^The text is not valid CSV: \S.*$/],
  ] as const)
    await expect(readText(text, { format })).rejects.toMatchObject({ message: expect.stringMatching(message), fix });
  await expect(readText('x'.repeat(20_000_001))).rejects.toMatchObject({
    message: 'The text has more than 20000000 characters.',
    fix: 'Split the file.',
  });
  const cancelled = readText('{', { format: 'json' }, { signal: AbortSignal.abort() });
  await expect(cancelled).rejects.toBeInstanceOf(SyntaxError);
});

it('declares its effects and ports', () => {
  expect(declaredBy(readData)).toEqual([
    'ReadData: workspace-read',
    'source: select default="File" of File|Text',
    'path: file File Message required toolParameter if source File',
    'allow_missing: switch advanced default=false if source File',
    'text: multiline Message required variables=false if source Text',
    'format: select default="auto" of auto|csv|json|yaml',
    'delimiter: text advanced default="" variables=false',
    'dataframe: gives Table',
    'data: gives Data',
  ]);
});

it('shows these texts to people and models', () => {
  expect(textsOf(readData.descriptor)).toEqual([
    'CSV, JSON, YAML (table): Reads records from CSV, JSON, JSON lines or YAML: from a file of the workspace or from a text.',
    'data | csv | tsv | json | jsonl | yaml | parse | open | load | take | CSVtoData | JSONtoData | LoadCSV | LoadJSON',
    'source: Source',
    'path: File',
    'allow_missing: No rows without the file | Gives no rows while the file does not exist, such as before a flow writes it for the first time.',
    'text: Text',
    'format: Format | auto: by the name of the file, else by the text.',
    'delimiter: Delimiter of CSV | Empty: comma, semicolon or tab, whichever the first line has most outside of quotes. A .tsv file has tabs.',
    'dataframe: Rows',
    'data: Data',
  ]);
});
