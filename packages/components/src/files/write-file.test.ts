import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { useWorkspace } from '../../../../tests/support/use-workspace.ts';
import { runNode } from '../testing.ts';

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
  ['rows', 'a.md', ROWS, TABLE],
  ['rows', 'a.txt', ROWS, '{"a":1,"b":"x"}\n{"a":2,"b":"y"}'],
  ['no rows', 'none.md', [], ''],
  ['a record', 'record.md', { a: 1 }, '| a |\n| --- |\n| 1 |\n'],
  ['a text', 'text.md', '# Title', '# Title'],
  ['a text', 'text.csv', 'as it is', 'as it is'],
  ['messages', 'chat.md', [{ text: 'Hi', sender: 'User' }], 'Hi'],
])('writes %s by the ending of %s', async (_, name, value, text) => {
  expect(await written(value, name)).toBe(text);
});

it('writes the chosen format, whatever the ending says', async () => {
  expect(await written(ROWS, 'b.txt', { local_format: 'markdown' })).toBe(TABLE);
  expect(await written(ROWS, 'b.md', { local_format: 'csv' })).toBe('a,b\r\n1,x\r\n2,y\r\n');
});
