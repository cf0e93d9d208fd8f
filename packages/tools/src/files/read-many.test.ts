import { writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { useBench } from '../use-bench.ts';

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
        hint: expect.any(String),
      },
      { path: 'a', content: '     1→one\n     2→two', total_lines: 2, num_lines: 2, version },
    ],
  });
});

it('reads the first lines of each file, and says where to continue', async () => {
  setUp(['a = 1\\n2\\n3', 'b = 1']);
  const { files } = await read({ paths: ['a', 'b'], limit: 2 });
  expect(files).toEqual([
    expect.objectContaining({ num_lines: 2, total_lines: 3, truncated: true, next_offset: 3 }),
    expect.not.objectContaining({ truncated: true }),
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
