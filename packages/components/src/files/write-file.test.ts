import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { NotYet, type Workspace } from '@croft/workspace';
import { expect, it } from 'vitest';
import { useWorkspace } from '../../../../tests/support/use-workspace.ts';
import { readData } from '../data/read-data.ts';
import { runAlone, runNode, textsOf, declaredBy } from '../testing.ts';
import { writeFile } from './write-file.ts';

const { dir, workspace } = useWorkspace([]);
const ROWS = [
  { a: 1, b: 'x' },
  { a: 2, b: 'y' },
];
const TABLE = '| a | b |\n| --- | --- |\n| 1 | x |\n| 2 | y |\n';

async function written(value: unknown, name: string, config: Record<string, string> = {}) {
  const { status } = await runNode({
    type: 'SaveToFile',
    output: 'message',
    input: 'input',
    value,
    config: { file_name: name, ...config },
    services: { workspace, now: () => new Date(0) },
  });
  expect(status).toBe('completed');
  return readFileSync(join(dir, name), 'utf8');
}

it.each([
  ['rows', 'a.csv', ROWS, 'a,b\r\n1,x\r\n2,y\r\n'],
  ['rows', 'a.jsonl', ROWS, '{"a":1,"b":"x"}\n{"a":2,"b":"y"}\n'],
  ['rows', 'a.NDJSON', [{ a: 1 }], '{"a":1}\n'],
  ['rows', 'a.json', [{ a: 1 }], '[\n  {\n    "a": 1\n  }\n]\n'],
  ['rows', 'a.tsv', ROWS, 'a\tb\r\n1\tx\r\n2\ty\r\n'],
  ['rows', 'a.yaml', ROWS, '- a: 1\n  b: x\n- a: 2\n  b: "y"\n'],
  ['rows', 'a.YML', [{ a: 1 }], '- a: 1\n'],
  ['a text', 'text.yaml', 'a:  1', 'a:  1'],
  ['rows', 'a.md', ROWS, TABLE],
  ['rows', 'a.txt', ROWS, '{"a":1,"b":"x"}\n{"a":2,"b":"y"}'],
  ['no rows', 'none.md', [], ''],
  ['no rows', 'none.csv', [], ''],
  ['no rows', 'none.json', [], '[]\n'],
  ['a record', 'record.md', { a: 1 }, '| a |\n| --- |\n| 1 |\n'],
  ['a text', 'text.md', '# Title', '# Title'],
  ['a text', 'text.csv', 'as it is', 'as it is'],
  ['messages', 'chat.md', [{ text: 'Hi', sender: 'User' }], 'Hi'],
  ['a message', 'one.md', { text: 'Hi', sender: 'User', sender_name: 'Ann', session_id: '1', timestamp: 'x' }, 'Hi'],
  [
    'a record with a text',
    'said.md',
    { text: 'Hi', sender: 'Ann', n: 3 },
    '| text | sender | n |\n| --- | --- | --- |\n| Hi | Ann | 3 |\n',
  ],
  ['rows with a text', 'said.csv', [{ text: 'Hi', sender: 'Ann', n: 3 }], 'text,sender,n\r\nHi,Ann,3\r\n'],
  ['a message and a row', 'both.md', [{ text: 'Hi' }, { a: 1 }], 'Hi\n{"a":1}'],
])('writes %s by the ending of %s', async (_, name, value, text) => {
  expect(await written(value, name)).toBe(text);
});

it('writes the chosen format, whatever the ending says', async () => {
  expect(await written(ROWS, 'b.txt', { local_format: 'markdown' })).toBe(TABLE);
  expect(await written(ROWS, 'b.md', { local_format: 'csv' })).toBe('a,b\r\n1,x\r\n2,y\r\n');
  expect(await written(ROWS, 'b.tsv', { local_format: 'csv' })).toBe('a\tb\r\n1\tx\r\n2\ty\r\n');
});

it('writes no more where the run is cancelled while it waits', async () => {
  const abort = new AbortController();
  const counted = Object.create(workspace) as Workspace;
  let tries = 0;
  counted.write = (...args) => {
    if (tries++ > 0) return workspace.write(...args);
    abort.abort();
    throw new NotYet('The storage of the user is counted.', Promise.resolve());
  };
  const inputs = { local_format: 'auto', file_name: 'cancelled.txt', input: 'x' };
  const writing = runAlone(writeFile, inputs, { workspace: counted }, { signal: abort.signal });
  await expect(writing).rejects.toMatchObject({ code: 'cancelled' });
  expect(existsSync(join(dir, 'cancelled.txt'))).toBe(false);
});

const run = (inputs: Record<string, unknown>, signal?: AbortSignal) =>
  runAlone(writeFile, { local_format: 'auto', append_mode: true, ...inputs }, { workspace }, signal && { signal });

it.each([
  ['added.txt', 'a\n', 'b\n', 'a\nb\n'],
  ['added.csv', { a: 1 }, { a: 2 }, 'a\r\n1\r\n2\r\n'],
  ['added.json', { a: 1 }, { a: 2 }, '{"a":1}\n{"a":2}\n'],
  ['added.tsv', { a: 1, b: 2 }, { a: 2 }, 'a\tb\r\n1\t2\r\n2\t\r\n'],
  ['added.yaml', { a: 1 }, [{ a: 2 }, { a: 3 }], '- a: 1\n- a: 2\n- a: 3\n'],
  ['added.jsonl', { a: 1 }, 'text', '{"a":1}\ntext'],
])('adds to the end of %s', async (file_name, first, second, content) => {
  await run({ file_name: ` ${file_name} `, input: first });
  const { outputs } = await run({ file_name, input: second });
  expect(readFileSync(join(dir, file_name), 'utf8')).toBe(content);
  expect(outputs).toEqual({
    message: { text: expect.stringMatching(new RegExp(`^Saved \\d+ bytes to '${file_name}'$`)) },
    file: { path: file_name, version: workspace.info(file_name).version, type: expect.any(String) },
  });
});

it.each([
  ['names.tsv', 'auto'],
  ['names.TSV', 'csv'],
])('writes and adds rows to %s with the format %s, which ReadData reads back', async (file_name, local_format) => {
  const rows = [
    { 'Last, First, Middle': 'Doe, J, K', Age: '5' },
    { 'Last, First, Middle': 'Roe, A, B', Age: '6' },
  ];
  for (const input of rows) await run({ file_name, local_format, input });
  const { outputs } = await runAlone(readData, { source: 'File', format: 'auto', path: file_name }, { workspace });
  expect(outputs['dataframe']).toEqual(rows);
});

it('reports the bytes and the file, and adds nothing when the run is cancelled', async () => {
  const { outputs } = await run({ file_name: ' r.txt', input: 'é', append_mode: false });
  const file = { path: 'r.txt', version: workspace.info('r.txt').version, type: 'text/plain' };
  expect(outputs).toEqual({ message: { text: "Saved 2 bytes to 'r.txt'" }, file });
  await expect(run({ file_name: 'r.csv', input: { a: 1 } }, AbortSignal.abort(new Error('stop')))).rejects.toThrow(
    'stop',
  );
});

it('declares its effects and ports', () => {
  expect(declaredBy(writeFile)).toEqual([
    'SaveToFile: workspace-write',
    'input: handle Message Data Table required toolParameter',
    'file_name: text Message required toolParameter',
    'local_format: select default="auto" of auto|txt|markdown|json|csv',
    'append_mode: switch default=false',
    'message: gives Message',
    'file: gives File',
  ]);
});

it('shows these texts to people and models', () => {
  expect(textsOf(writeFile.descriptor)).toEqual([
    'Write file (file-output): Writes a text, a record or rows as a file of the workspace.',
    'files | save | store | export | copy | backup | overwrite | WriteFile',
    'input: Value',
    'file_name: File',
    'local_format: Format | auto: records and rows by the ending of the file name, .json, .jsonl, .csv, .tsv or .yaml, and rows as a table in .md; else as text.',
    'append_mode: Add to the end | Adds a text as it is, records as lines of JSON or items of a YAML list, and rows of CSV by the columns of the file.',
    'message: Report',
    'file: File',
  ]);
});
