import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { readFileTool } from './read-file.ts';
import { type Bench, makeBench } from '../testing.ts';
import { READS } from '../tool.ts';

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

const VERSION = expect.stringMatching(/^[0-9a-z]+-[0-9a-z]+-[0-9a-z]+$/);
const numbered = (from: number, ...lines: string[]) =>
  lines.map((line, i) => `${String(from + i).padStart(6)}→${line}`).join('\n');

it('returns all that a model needs to go on, and the bytes that it read', async () => {
  bench = makeBench('full', ['five.txt = 1\\n2\\n3\\n4\\n5\\n']);
  const read = async (input: object) => {
    const { ok, bytes, data, wholeFile } = await bench.call('read_file', { path: 'five.txt', ...input });
    return { ok, bytes, data, wholeFile };
  };
  const result = (bytes: number, more: object) => ({
    ok: true,
    bytes,
    wholeFile: undefined,
    data: { status: 'ok', path: 'five.txt', total_lines: 5, start_line: 1, num_lines: 5, version: VERSION, ...more },
  });
  const all = numbered(1, '1', '2', '3', '4', '5');
  const size = (content: string) => Buffer.byteLength(content);
  expect(await read({})).toEqual(result(10, { content: all }));
  expect(await read({ offset: null, limit: null, column: null })).toEqual(result(10, { content: all }));
  const two = numbered(2, '2', '3');
  expect(await read({ offset: 2, limit: 2 })).toEqual(result(size(two), { content: two, start_line: 2, num_lines: 2 }));
  const first = numbered(1, '');
  expect(await read({ column: 2 })).toEqual(
    result(size(first), { content: first, num_lines: 1, truncated: true, next_offset: 2 }),
  );
  expect(await read({ limit: 0 })).toEqual(result(0, { content: '', num_lines: 0 }));
});

it('names an encoding other than UTF-8 and a cut line, in full only', async () => {
  const line = 'x'.repeat(1_200_000);
  const read = async (flavour: 'full' | 'files', path: string) => {
    bench?.close();
    bench = makeBench(flavour, []);
    writeFileSync(join(bench.scratch.workspace, 'wide'), Buffer.from('\ufeffa', 'utf16le'));
    writeFileSync(join(bench.scratch.workspace, 'line'), `${line}\nend`);
    const { content, ...data } = (await bench.call('read_file', { path })).data as Record<string, unknown>;
    return { ...data, shown: String(content).replace(/[^ax]/g, '').length };
  };
  const wide = { status: 'ok', path: 'wide', total_lines: 1, start_line: 1, num_lines: 1, shown: 1 };
  expect(await read('full', 'wide')).toEqual({ ...wide, version: VERSION, encoding: 'utf-16le' });
  expect(await read('files', 'wide')).toEqual(wide);
  const cut = await read('full', 'line');
  expect(cut).toEqual({
    ...wide,
    path: 'line',
    total_lines: 2,
    shown: expect.any(Number),
    version: VERSION,
    truncated: true,
    line_truncated: true,
    next_offset: 2,
    next_column: cut.shown + 1,
  });
  const { next_column: _, version: __, ...inFiles } = cut as Record<string, unknown>;
  expect(await read('files', 'line')).toEqual(inFiles);
});

it('leaves a whole small file as bytes to a caller that takes them', async () => {
  bench = makeBench('full', ['f = 1\\n2\\n']);
  const read = (input: object, takesBytes = true) => bench.call('read_file', { path: 'f', ...input }, { takesBytes });
  const counts = { total_lines: 2, start_line: 1, num_lines: 2, version: VERSION };
  expect(await read({})).toMatchObject({
    ok: true,
    bytes: 4,
    data: { status: 'ok', path: 'f', ...counts },
    wholeFile: { bytes: Buffer.from('1\n2\n'), before: { status: 'ok', path: 'f' }, after: counts },
  });
  expect((await read({})).data).not.toHaveProperty('content');
  for (const other of [await read({ limit: 9 }), await read({ offset: 2 }), await read({}, false)]) {
    expect(other.wholeFile).toBeUndefined();
    expect(other.data.content).toContain('2→2');
  }
  bench.close();
  bench = makeBench('files', ['f = 1']);
  expect((await read({})).wholeFile).toBeUndefined();
});

it('takes the arguments of its set', () => {
  bench = makeBench('full', []);
  const tool = (flavour: 'full' | 'files') =>
    readFileTool({ flavour } as unknown as Parameters<typeof readFileTool>[0]);
  const described = (flavour: 'full' | 'files') => {
    const { name, title, tags, annotations, input } = tool(flavour);
    const { properties } = input.toJSONSchema() as { properties: Record<string, { description: string }> };
    return {
      name,
      title,
      tags,
      annotations,
      ...Object.fromEntries(Object.entries(properties).map(([key, one]) => [key, one.description])),
    };
  };
  const files = {
    name: 'read_file',
    title: 'Read file',
    tags: ['read_file'],
    annotations: READS,
    path: 'Path to the file, relative to the workspace root.',
    offset: '1-based line number to start reading from.',
    limit: 'Maximum number of lines to return.',
  };
  expect(described('files')).toEqual(files);
  expect(described('full')).toEqual({
    ...files,
    column: '1-based character to start from, in the line at offset. Only that line is shown.',
  });
  expect(tool('full').paths?.({ path: 'a' })).toEqual(['a']);
});
