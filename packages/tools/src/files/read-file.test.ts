import { afterEach, expect, it } from 'vitest';
import { readFileTool } from './read-file.ts';
import { type Bench, makeBench } from '../testing.ts';

let bench: Bench;
afterEach(() => bench.close());

it('past the end of a file, full returns the number of lines', async () => {
  bench = makeBench('full', ['two.txt = 1\\n2\\n', 'one.txt = 1', 'empty.txt = ']);
  const read = async (path: string, offset?: number) => (await bench.call('read_file', { path, offset })).data;
  expect(await read('two.txt', 9)).toMatchObject({
    content: '',
    num_lines: 0,
    total_lines: 2,
    note: 'Nothing is at line 9: the file has 2 lines',
  });
  expect((await read('one.txt', 2)).note).toBe('Nothing is at line 2: the file has 1 line');
  expect((await read('empty.txt', 2)).note).toBe('Nothing is at line 2: the file has 0 lines');
  for (const found of [await read('two.txt', 2), await read('two.txt'), await read('empty.txt')])
    expect(found).not.toHaveProperty('note');
});

it('past the end of a file, files returns only its own fields', async () => {
  bench = makeBench('files', ['two.txt = 1\\n2\\n']);
  expect((await bench.call('read_file', { path: 'two.txt', offset: 9 })).data).toEqual({
    status: 'ok',
    path: 'two.txt',
    content: '',
    total_lines: 2,
    start_line: 9,
    num_lines: 0,
  });
});

it('says of a part of a file which part it is, and where the next one begins', async () => {
  bench = makeBench('full', ['five.txt = 1\\n2\\n3\\n4\\n5\\n']);
  const read = async (input: object) => (await bench.call('read_file', { path: 'five.txt', ...input })).data;
  expect(await read({ offset: 2, limit: 2 })).toEqual({
    status: 'ok',
    path: 'five.txt',
    content: expect.stringMatching(/2→2\n.*3→3/),
    total_lines: 5,
    start_line: 2,
    num_lines: 2,
    version: expect.any(String),
  });
  expect(await read({ offset: 4, limit: 9 })).toMatchObject({ start_line: 4, num_lines: 2 });
});

it('describes the parts that each set can read', () => {
  bench = makeBench('full', []);
  const description = (flavour: 'full' | 'files') => {
    const kit = { flavour } as unknown as Parameters<typeof readFileTool>[0];
    return readFileTool(kit).description;
  };
  const both =
    'Read a text file. Each line is prefixed with its number and an arrow; total_lines, start_line and num_lines say which part it is. ';
  expect(description('files')).toBe(`${both}Binary files are refused.`);
  expect(description('full')).toBe(
    `${both}Without limit the first 2,000 lines are shown; use offset and limit for another part. When truncated is true, continue at next_offset, or in a very long line at next_column. version identifies this content for expected_version. Binary files are refused.`,
  );
});

it('shows 2,000 lines of a longer file, and cuts a very long line', async () => {
  bench = makeBench('full', []);
  bench.workspace.write('long.txt', 'x\n'.repeat(2_001));
  expect((await bench.call('read_file', { path: 'long.txt' })).data).toMatchObject({
    total_lines: 2_001,
    num_lines: 2_000,
  });
  bench.workspace.write('wide.txt', 'x'.repeat(1_200_000));
  const { data } = await bench.call('read_file', { path: 'wide.txt', column: 11 });
  expect(data).toMatchObject({ num_lines: 1, truncated: true, line_truncated: true });
  const shown = (data.content as string).replace(/[^x]/g, '').length;
  expect(data.next_column).toBe(11 + shown);
});
