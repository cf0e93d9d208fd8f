import { expect, it } from 'vitest';
import { makeBench, describedTool } from '../testing.ts';
import { useBench } from '../use-bench.ts';
import { getFileTreeTool } from './get-file-tree.ts';
import type { FileToolkit } from './toolkit.ts';
import { READS } from '../tool.ts';

const { setUp, call } = useBench('full');
const draw = async (input: object) => (await call('get_file_tree', input)).data;

it('draws three levels without dependencies and caches, and others on request', async () => {
  setUp(['node_modules/x/y.js', '.cache/z', 'src/a/b/c/d.ts', 'z.txt']);
  expect(await draw({})).toEqual({
    status: 'ok',
    path: '.',
    tree: './\n  src/\n    a/\n      b/\n  z.txt',
    entries: 4,
    truncated: false,
  });
  expect(await draw({ depth: 2 })).toMatchObject({ tree: './\n  src/\n    a/\n  z.txt' });
  expect(await draw({ path: 'src/a', depth: 20 })).toMatchObject({
    path: 'src/a',
    tree: 'a/\n  b/\n    c/\n      d.ts',
  });
  expect((await draw({ path: 'node_modules' })).tree).toBe('node_modules/\n  x/\n    y.js');
});

it('refuses bounds that are too large', async () => {
  setUp();
  for (const bound of [{ limit: 5_001 }, { depth: 21 }, { limit: 0 }, { depth: 0 }])
    expect((await call('get_file_tree', bound)).code, JSON.stringify(bound)).toBe('invalid_arguments');
  expect((await call('get_file_tree', { limit: 5_000, depth: 20 })).ok).toBe(true);
});

it('says that entries are missing', async () => {
  setUp(['src/a/b', 'z.txt']);
  expect(await draw({ limit: 2 })).toMatchObject({
    tree: './\n  src/\n    a/\n  ... (truncated at 2 entries)',
    truncated: true,
    entries: 2,
  });
  expect(await draw({ limit: 4 })).toMatchObject({ truncated: false, entries: 4 });
});

it('says that entries are missing which do not fit into a result', async () => {
  const limits = { maxResultBytes: 30_000 };
  const bench = makeBench(
    'full',
    Array.from({ length: 400 }, (_, i) => `${'n'.repeat(100)}${i}`),
    { workspace: { limits } },
  );
  const { data } = await bench.call('get_file_tree', {});
  bench.close();
  const shown = (data.tree as string).match(/n{100}/g)?.length ?? 0;
  expect([data.truncated, data.entries]).toEqual([true, shown]);
  expect(shown).toBeGreaterThan(10);
  expect(shown).toBeLessThan(400);
});

it('describes itself and its arguments', () => {
  expect(describedTool(getFileTreeTool({} as FileToolkit), { path: 'a', depth: 1, limit: 1 })).toEqual({
    name: 'get_file_tree',
    title: 'Draw directory tree',
    description:
      'Draw a directory as indented text, directories first. Start shallow and go into sub-directories with path. Dependency and cache directories (node_modules and the like) are left out; name one in path to see it.',
    tags: ['get_file_tree'],
    annotations: READS,
    input: {
      path: {
        default: '.',
        description: 'Directory to draw.',
        type: 'string',
      },
      depth: {
        default: 3,
        description: 'Levels to show.',
        type: 'integer',
        minimum: 1,
        maximum: 20,
      },
      limit: {
        default: 500,
        description: 'Most entries to show.',
        type: 'integer',
        minimum: 1,
        maximum: 5000,
      },
    },
    paths: ['a'],
  });
});
