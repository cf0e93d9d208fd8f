import { expect, it } from 'vitest';
import { callTool } from '../call-tool.ts';
import { makeBench, describedTool } from '../testing.ts';
import { useBench } from '../use-bench.ts';
import { appendFileTool } from './append-file.ts';
import { field, WRITTEN } from './testing-fields.ts';
import type { FileToolkit } from './toolkit.ts';
import { ADDS } from '../tool.ts';

const { setUp, call, text } = useBench('full');

it('adds to the end of a file exactly as given, and creates a missing one', async () => {
  setUp(['a.txt = one']);
  const added = await call('append_file', { path: 'a.txt', content: ' é' });
  expect(added.data).toEqual({ status: 'updated', path: 'a.txt', bytes_written: 3, version: expect.any(String) });
  expect([text('a.txt'), added.bytes]).toEqual(['one é', 3]);
  expect(added.changes).toMatchObject([{ kind: 'append', path: 'a.txt', length: 3, bytes: 3 }]);
  const created = await call('append_file', { path: 'd/new.txt', content: 'x' });
  expect([created.data.status, text('d/new.txt')]).toEqual(['created', 'x']);
});

it('is refused for another version than the caller saw', async () => {
  setUp(['a.txt = one']);
  const refused = await call('append_file', { path: 'a.txt', content: 'x', expected_version: 'absent' });
  expect([refused.ok, refused.code, text('a.txt')]).toEqual([false, 'changed', 'one']);
});

it('is refused for content that was too large to receive', async () => {
  const { table, close } = makeBench('full');
  expect(table.tools.find(({ name }) => name === 'append_file')).toMatchObject({ structured: true });
  const call = { name: 'append_file', input: { path: 'a.txt' }, omittedBytes: { content: 20_000_000 } };
  const { ok, data } = await callTool(table, call);
  close();
  expect([ok, data.error]).toEqual([false, expect.stringContaining('20000000')]);
});

it('describes itself and its arguments', () => {
  expect(describedTool(appendFileTool({} as FileToolkit), { path: 'a', content: 'x' })).toEqual({
    name: 'append_file',
    title: 'Append to file',
    description: 'Add text to the end of a file; creates it when missing. Nothing already there is changed.',
    tags: ['append_file'],
    annotations: ADDS,
    structured: true,
    input: {
      ...WRITTEN.input,
      content: field(
        'string',
        'Text to add at the end, exactly as given: begin it with a line break if one is wanted.',
      ),
    },
    output: WRITTEN.output,
    paths: ['a'],
  });
});
