import { expect, it } from 'vitest';
import { z } from 'zod';
import { makeBench, describedTool } from '../testing.ts';
import { useBench } from '../use-bench.ts';
import { copyPathTool } from './copy-path.ts';
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

it('describes itself and its result', () => {
  const bench = makeBench('full');
  const tool = bench.table.tools.find(({ name }) => name === 'copy_path');
  bench.close();
  expect([tool?.title, tool?.tags, tool?.paths?.({ source: 'a', destination: 'b' })]).toEqual([
    'Copy',
    ['copy_path'],
    ['a', 'b'],
  ]);
  expect(tool?.description).toBe(
    'Copy a file, or a directory with everything in it. Refused when the destination exists. skipped counts links and protected files left out.',
  );
  const { properties, required } = z.toJSONSchema(tool?.output as z.ZodType);
  const [text, number] = [{ type: 'string' }, { type: 'number' }];
  expect(properties).toEqual({
    status: { type: 'string', const: 'ok' },
    source: text,
    destination: text,
    files: number,
    directories: number,
    bytes: number,
    skipped: number,
  });
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
      'Copy a file, or a directory with everything in it. Refused when the destination exists. skipped counts links and protected files left out.',
    tags: ['copy_path'],
    annotations: ADDS,
    structured: true,
    input: {
      source: {
        type: 'string',
        description: 'Existing file or directory.',
      },
      destination: {
        type: 'string',
        description: 'New path; must not exist. Missing parents are made.',
      },
    },
    output: {
      status: {
        type: 'string',
        const: 'ok',
      },
      source: {
        type: 'string',
      },
      destination: {
        type: 'string',
      },
      files: {
        type: 'number',
      },
      directories: {
        type: 'number',
      },
      bytes: {
        type: 'number',
      },
      skipped: {
        type: 'number',
      },
    },
    paths: ['a', 'b'],
  });
});
