import { afterEach, expect, it } from 'vitest';
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
