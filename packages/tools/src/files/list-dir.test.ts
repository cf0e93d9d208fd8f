import { expect, it } from 'vitest';
import { makeBench, describedTool } from '../testing.ts';
import { useBench } from '../use-bench.ts';
import { listDirTool } from './list-dir.ts';
import type { FileToolkit } from './toolkit.ts';
import { READS } from '../tool.ts';

const { setUp, call } = useBench('full');
const list = async (input: object) => (await call('list_dir', input)).data;
const names = ({ entries }: Record<string, unknown>) => (entries as { name: string }[]).map(({ name }) => name);

it('lists directories first, with the size of files', async () => {
  setUp(['b = four', 'd/']);
  const modified = expect.stringMatching(/Z$/);
  expect(await list({})).toEqual({
    status: 'ok',
    path: '.',
    entries: [
      { name: 'd', type: 'directory', modified },
      { name: 'b', type: 'file', size: 4, modified },
    ],
    total: 2,
  });
});

it('gives a page and where the next one begins', async () => {
  setUp(['1', '2', '3']);
  const first = await list({ limit: 2 });
  expect([names(first), first.total, first.truncated, first.next_offset]).toEqual([['1', '2'], 3, true, 2]);
  const second = await list({ offset: 2, limit: 2 });
  expect([names(second), second]).toEqual([['3'], expect.not.objectContaining({ truncated: true })]);
});

it('says of a failure which path it was', async () => {
  setUp(['f']);
  expect(await list({ path: '../x' })).toMatchObject({ error: 'Path escapes workspace boundary: ../x', path: '../x' });
  expect(await list({ path: 'f' })).toMatchObject({ path: 'f', error: expect.stringMatching(/: f$/) });
});

it('continues where a result is full', async () => {
  const limits = { maxResultBytes: 30_000 };
  const bench = makeBench(
    'full',
    Array.from({ length: 400 }, (_, i) => `${'n'.repeat(100)}${i}`),
    { workspace: { limits } },
  );
  const { entries, next_offset, total } = (await bench.call('list_dir', {})).data;
  bench.close();
  expect([(entries as unknown[]).length, total]).toEqual([next_offset, 400]);
  expect(next_offset).toBeGreaterThan(5);
  expect(next_offset).toBeLessThan(400);
});

it('describes itself and its arguments', () => {
  expect(describedTool(listDirTool({} as FileToolkit), { path: 'a', offset: 0, limit: 1 })).toEqual({
    name: 'list_dir',
    title: 'List directory',
    description:
      'List a directory: name, type, size and modification time, directories first. When truncated, continue at next_offset.',
    tags: ['list_dir'],
    annotations: READS,
    input: {
      path: {
        default: '.',
        description: 'Directory to list.',
        type: 'string',
      },
      offset: {
        default: 0,
        description: 'Entries to leave out from the start.',
        type: 'integer',
        minimum: 0,
        maximum: 9007199254740991,
      },
      limit: {
        default: 1000,
        description: 'Most entries to return.',
        type: 'integer',
        minimum: 1,
        maximum: 10000,
      },
    },
    paths: ['a'],
  });
});
