import { writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { READS } from '../tool.ts';
import { useBench } from '../use-bench.ts';
import { readManyTool } from './read-many.ts';

const { setUp, call, host } = useBench('full');
const read = async (input: object) => (await call('read_many', input)).data;

it('reads each file or says why not, in the order of the paths', async () => {
  setUp(['a = one\\ntwo\\n', 'd/b = x']);
  const version = expect.any(String);
  expect(await read({ paths: ['d/b', 'no', '../outside/secret.txt', 'a'] })).toEqual({
    status: 'ok',
    files: [
      { path: 'd/b', content: '     1→x', total_lines: 1, num_lines: 1, version },
      { path: 'no', error: 'File not found: no' },
      {
        path: '../outside/secret.txt',
        error: 'Path escapes workspace boundary: ../outside/secret.txt',
        hint: "Paths are relative to the workspace's root, e.g. src/main.ts. Nothing outside it can be reached; list_dir shows what is there.",
      },
      { path: 'a', content: '     1→one\n     2→two', total_lines: 2, num_lines: 2, version },
    ],
  });
});

it('reads the first lines of each file, and says where to continue', async () => {
  setUp(['a = 1\\n2\\n3', 'b = 1']);
  const { files } = await read({ paths: ['a', 'b'], limit: 2 });
  const version = expect.any(String);
  expect(files).toEqual([
    {
      path: 'a',
      content: '     1→1\n     2→2',
      num_lines: 2,
      total_lines: 3,
      version,
      truncated: true,
      next_offset: 3,
    },
    { path: 'b', content: '     1→1', num_lines: 1, total_lines: 1, version },
  ]);
});

it('names the files that did not fit, and cuts a line that alone does not fit', async () => {
  setUp(['small = x']);
  writeFileSync(host('half'), 'h'.repeat(600_000));
  writeFileSync(host('line'), 'l'.repeat(2_000_000));
  const several = await read({ paths: ['half', 'half', 'small', 'half'] });
  const shown = several.files as { num_lines: number; truncated?: boolean; next_column?: number }[];
  expect([shown[0]?.num_lines, shown[1]?.truncated]).toEqual([1, true]);
  expect([several.truncated, several.not_read]).toEqual([true, ['small', 'half']]);
  const { files } = await read({ paths: ['line'] });
  const [{ next_column, content }] = files as [{ next_column: number; content: string }];
  expect(content.length).toBe(next_column - 1 + '     1→'.length);
});

it('ends when the call is cancelled', async () => {
  setUp(['a']);
  expect((await call('read_many', { paths: ['a'] }, { signal: AbortSignal.abort() })).ok).toBe(false);
});

it('reads between 1 and 100 files, and at least a line of each', async () => {
  setUp(['a']);
  const count = async (input: object) => {
    const { error, files } = (await call('read_many', input)).data as { error?: string; files?: unknown[] };
    return error === undefined ? files?.length : error.split(':')[0];
  };
  expect([
    await count({ paths: [] }),
    await count({ paths: Array(100).fill('a') }),
    await count({ paths: Array(101).fill('a') }),
    await count({ paths: ['a'], limit: 0 }),
    await count({ paths: ['a'], limit: 1 }),
  ]).toEqual(['Invalid arguments', 100, 'Invalid arguments', 'Invalid arguments', 1]);
});

it('stays within a result with names that are as long as they may be', async () => {
  setUp(['a']);
  const long = 'n'.repeat(20_000);
  const { data } = await call('read_many', { paths: Array(100).fill(long) });
  const files = data.files as { path: string; error: string }[];
  expect(files[0]).toEqual({
    path: `${'n'.repeat(1_000)}… (20000 characters)`,
    error: expect.stringContaining('too long'),
  });
  expect(files).toHaveLength(100);
});

it('is described with what it returns', () => {
  const { run: _, input, paths, ...tool } = readManyTool({} as Parameters<typeof readManyTool>[0]);
  expect(tool).toEqual({
    name: 'read_many',
    title: 'Read several files',
    description:
      'Read several text files at once, each as read_file shows it or with its own error. not_read lists files that did not fit into this result.',
    tags: ['read_many'],
    annotations: READS,
  });
  expect(input.toJSONSchema()).toMatchObject({
    properties: {
      paths: { description: 'Files to read, at most 100.' },
      limit: { description: 'Most lines of each file.' },
    },
  });
  expect(paths?.({ paths: ['a', 'b'] })).toEqual(['a', 'b']);
});
