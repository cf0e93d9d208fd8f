import { afterEach, describe, expect, it } from 'vitest';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { callTool } from '../call-tool.ts';
import { type Bench, makeBench, describedTool } from '../testing.ts';
import { writeFileTool } from './write-file.ts';
import { field, WRITTEN } from './testing-fields.ts';
import type { FileToolkit } from './toolkit.ts';
import { REPLACES } from '../tool.ts';

let bench: Bench;
afterEach(() => bench.close());
const write = (input: object) => bench.call('write_file', input);
const text = (path: string) => readFileSync(join(bench.scratch.workspace, path), 'utf8');

describe('write_file', () => {
  it('creates and replaces a file, and gives the log its bytes and changes', async () => {
    bench = makeBench('full');
    const created = await write({ path: 'd/a.txt', content: 'é' });
    expect(created.data).toEqual({ status: 'created', path: 'd/a.txt', bytes_written: 2, version: expect.any(String) });
    expect([created.bytes, created.changes?.map(({ kind }) => kind)]).toEqual([2, ['mkdir', 'create']]);
    const replaced = await write({ path: 'd/a.txt', content: 'two', expected_version: created.data.version });
    expect([replaced.data.status, text('d/a.txt')]).toEqual(['updated', 'two']);
  });

  it('is refused for another version than the caller saw', async () => {
    bench = makeBench('full', ['a.txt = one']);
    const refused = await write({ path: 'a.txt', content: 'x', expected_version: 'absent' });
    expect([refused.ok, refused.code, text('a.txt')]).toEqual([false, 'changed', 'one']);
  });

  it('has neither versions nor permanent in the set files', async () => {
    bench = makeBench('files', ['a.txt = one']);
    const tool = bench.table.tools.find(({ name }) => name === 'write_file');
    expect([tool?.structured, tool?.output]).toEqual([undefined, undefined]);
    const { data } = await write({ path: 'a.txt', content: 'x' });
    expect(data).toEqual({ status: 'updated', path: 'a.txt', bytes_written: 1 });
    for (const more of [{ expected_version: 'absent' }, { permanent: true }])
      expect((await write({ path: 'a.txt', content: 'y', ...more })).code).toBe('invalid_arguments');
    expect(text('a.txt')).toBe('x');
  });

  it.each(['full', 'files'] as const)('of %s is refused for content that was too large to receive', async (toolset) => {
    bench = makeBench(toolset, ['a.txt = one']);
    const call = { name: 'write_file', input: { path: 'a.txt' }, omittedBytes: { content: 20_000_000 } };
    const { ok, data } = await callTool(bench.table, call);
    expect([ok, data.error, text('a.txt')]).toEqual([false, expect.stringContaining('20000000'), 'one']);
  });

  it('replaces what the trash cannot keep only where a person agrees', async () => {
    bench = makeBench('full', ['a.txt = one']);
    const over = makeBench('full', [], {
      workspace: { trashDir: join(bench.scratch.base, 'trash'), trashLimits: { maxBytes: 2 } },
    });
    try {
      await over.call('write_file', { path: 'b.txt', content: 'first' });
      const refused = await over.call('write_file', { path: 'b.txt', content: 'x' });
      expect([refused.code, refused.data.bytes]).toEqual(['not_undoable', 5]);
      const confirm = async () => true;
      const agreed = await over.call('write_file', { path: 'b.txt', content: 'x', permanent: true }, { confirm });
      expect(agreed.data.status).toBe('updated');
    } finally {
      over.close();
    }
  });
});

it('describes itself and the arguments of its set', () => {
  const described = (flavour: 'full' | 'files') =>
    describedTool(writeFileTool({ flavour } as FileToolkit), { path: 'a', content: 'x' });
  const content = field('string', 'Text content to write. Overwrites existing file.');
  const full = {
    name: 'write_file',
    title: 'Write file',
    description:
      'Create a text file or overwrite it completely; missing parent directories are made. To change part of a file use edit_file, to add to its end append_file.',
    tags: ['write_file'],
    annotations: REPLACES,
    structured: true,
    input: {
      ...WRITTEN.input,
      content,
      permanent: field(
        'boolean',
        'Go on even if the old content is too large to be kept for undo. The person is asked then.',
      ),
    },
    output: WRITTEN.output,
    paths: ['a'],
  };
  expect(described('full')).toEqual(full);
  expect(described('files')).toEqual({
    ...full,
    description:
      'Create a text file or overwrite it completely; missing parent directories are made. To change part of a file use edit_file.',
    structured: undefined,
    input: { path: WRITTEN.input.path, content },
    output: undefined,
  });
});
