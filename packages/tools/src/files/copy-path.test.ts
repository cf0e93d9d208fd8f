import { expect, it } from 'vitest';
import { z } from 'zod';
import { describedTool } from '../testing.ts';
import { useBench } from '../use-bench.ts';
import { copyPathTool } from './copy-path.ts';
import { field, TWO_PATHS } from './testing-fields.ts';
import type { FileToolkit } from './toolkit.ts';
import { ADDS } from '../tool.ts';

const { setUp, call, text } = useBench('full');

it('copies a directory, counts what it copied and what it left out, and leaves the source', async () => {
  setUp(['d/a.txt = one', 'd/e/b.txt = two', 'd/.env = KEY', 'd/link => a.txt']);
  const { ok, data, bytes, changes } = await call('copy_path', { source: 'd', destination: 'new/copy' });
  expect([ok, data, bytes]).toEqual([
    true,
    { status: 'ok', source: 'd', destination: 'new/copy', files: 2, directories: 2, bytes: 6, skipped: 2 },
    6,
  ]);
  expect([text('new/copy/e/b.txt'), text('d/e/b.txt')]).toEqual(['two', 'two']);
  expect(changes?.map(({ kind, path }) => [kind, path])).toEqual([
    ['mkdir', 'new'],
    ['create', 'new/copy'],
  ]);
});

it('ends when the call is cancelled', async () => {
  setUp(['d/a.txt']);
  const { data } = await call('copy_path', { source: 'd', destination: 'e' }, { signal: AbortSignal.abort() });
  expect(data).toMatchObject({ error: 'The call was cancelled' });
});

it('promises each field of its result', () => {
  const { output } = copyPathTool({} as FileToolkit);
  const { properties, required } = z.toJSONSchema(output as z.ZodType);
  expect(required).toEqual(Object.keys(properties ?? {}));
});

it('returns both paths with the reason of a failure', async () => {
  setUp(['a', 'b']);
  expect((await call('copy_path', { source: 'a', destination: 'b' })).data).toEqual({
    error: expect.stringContaining('b'),
    source: 'a',
    destination: 'b',
  });
});

it('describes itself and its arguments', () => {
  expect(describedTool(copyPathTool({} as FileToolkit), { source: 'a', destination: 'b' })).toEqual({
    name: 'copy_path',
    title: 'Copy',
    description:
      'Copy a file, or a directory with everything in it. Refused when the destination exists. Fails when an entry cannot be read. skipped counts what is left out: links, special and protected files, names that are not UTF-8, levels below 256.',
    tags: ['copy_path'],
    annotations: ADDS,
    structured: true,
    input: TWO_PATHS.input,
    output: {
      ...TWO_PATHS.output,
      files: field('number'),
      directories: field('number'),
      bytes: field('number'),
      skipped: field('number'),
    },
    paths: ['a', 'b'],
  });
});
