import { closeSearchWorkers } from '@croft/workspace';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { type Bench, makeBench, describedTool } from '../testing.ts';
import { globSearchTool } from './glob-search.ts';
import { field } from './testing-fields.ts';
import type { FileToolkit } from './toolkit.ts';
import { READS } from '../tool.ts';

let bench: Bench;
afterEach(() => bench.close());
afterAll(() => closeSearchWorkers());

const setUp = (lines: readonly string[] = [], toolset: 'files' | 'full' = 'files'): Bench['call'] => {
  bench = makeBench(toolset, lines);
  return bench.call;
};
const glob = async (pattern: string, path?: string) =>
  (await bench.call('glob_search', { pattern, ...(path !== undefined && { path }) })).data;
const numbered = (count: number, name: (i: number) => string) => Array.from({ length: count }, (_, i) => name(i));

describe('GlobSearch', () => {
  it('should list_paths_matching_pattern, sorted, directories and dot-files too, and nothing more', async () => {
    setUp(['b.md', 'a.md', '.hid.md', 'd.md/', 'd.md/c.md', 'x.txt']);
    expect(await glob('*.md')).toEqual({
      status: 'ok',
      pattern: '*.md',
      matches: ['.hid.md', 'a.md', 'b.md', 'd.md'],
      truncated: false,
      truncated_branches: [],
    });
    expect((await glob('**/*.md')).matches).toEqual(['.hid.md', 'a.md', 'b.md', 'd.md', 'd.md/c.md']);
  });

  it('should give empty_list_when_no_matches', async () => {
    setUp(['a.txt']);
    expect((await glob('*.nope')).matches).toEqual([]);
  });

  it('should truncate_glob_results_at_one_hundred_and_set_flag', async () => {
    setUp(numbered(150, (i) => `f${String(i).padStart(3, '0')}.txt`));
    const { matches, truncated } = await glob('*.txt');
    expect([(matches as string[]).length, truncated]).toEqual([100, true]);
  });

  it('Bug02GlobTruncation: should signal_truncated_branches, present and sorted when truncated, empty when not', async () => {
    setUp([...numbered(110, (i) => `a${String(i).padStart(3, '0')}.txt`), 'zz/deep/x.txt', 'yy/b.txt']);
    const { truncated_branches } = await glob('**/*.txt');
    expect(truncated_branches).toEqual([...numbered(10, (i) => `a${100 + i}.txt`), 'yy', 'zz']);
    expect((await glob('**/x.txt')).truncated_branches).toEqual([]);
  });

  it('should scope_glob_to_path_argument, with paths relative to the root', async () => {
    setUp(['a/x.txt', 'b/x.txt', 'a/c/x.txt']);
    expect((await glob('*.txt', 'a')).matches).toEqual(['a/x.txt']);
    expect((await glob('**/x.txt', 'a')).matches).toEqual(['a/c/x.txt', 'a/x.txt']);
    expect((await bench.call('glob_search', { pattern: 'a/*', path: null })).data.matches).toEqual(['a/c', 'a/x.txt']);
  });

  it('GlobNestedDirectories: deeply nested, multiple branches, scoped nested', async () => {
    setUp(['a/b/c/d/e/f.ts', 'x/y/g.ts', 'x/z/h.ts']);
    expect((await glob('**/*.ts')).matches).toEqual(['a/b/c/d/e/f.ts', 'x/y/g.ts', 'x/z/h.ts']);
    expect((await glob('a/**/f.ts')).matches).toEqual(['a/b/c/d/e/f.ts']);
    expect((await glob('*/h.ts', 'x')).matches).toEqual(['x/z/h.ts']);
  });

  it('should fail when scope_path_escapes, pattern_is_empty, contains dotdot, nested dotdot, is absolute', async () => {
    setUp(['f.txt']);
    expect(await glob('*', '../outside')).toEqual({
      error: 'Path escapes workspace boundary: ../outside',
      pattern: '*',
      path: '../outside',
    });
    for (const pattern of ['', '   '])
      expect(await glob(pattern)).toEqual({ error: 'Pattern must not be empty', pattern, path: null });
    for (const pattern of ['../*', 'a/../../*', '..']) {
      expect(await glob(pattern)).toEqual({
        error: "Pattern must not contain '..' (path traversal not allowed)",
        pattern,
        path: null,
      });
    }
    expect(await glob('/etc/*')).toMatchObject({ pattern: '/etc/*', path: null });
    for (const path of ['no', 'f.txt'])
      expect(await glob('*', path)).toEqual({ error: `Base path is not a directory: ${path}`, pattern: '*' });
  });

  it('leaves out links to outside and protected files', async () => {
    setUp([
      'ok.txt',
      'leak.txt => $OUT/secret.txt',
      'in.txt => ok.txt',
      '.env = S',
      'id_rsa.txt',
      '.git/x.txt',
      '.lfsig/x.txt',
    ]);
    expect((await glob('**/*')).matches).toEqual(['in.txt', 'ok.txt']);
  });
});

describe('glob_search of full', () => {
  it('knows alternatives, and leaves out what .gitignore names unless it is asked for', async () => {
    const call = setUp(['.gitignore = out/\\n', 'out/a.ts', 'b.ts', 'c.tsx'], 'full');
    expect((await glob('**/*.{ts,tsx}')).matches).toEqual(['b.ts', 'c.tsx']);
    const all = await call('glob_search', { pattern: '**/*.ts', include_ignored: true });
    expect(all.data.matches).toEqual(['b.ts', 'out/a.ts']);
    bench.close();
    setUp(['.gitignore = out/\\n', 'out/a.ts', '{a,b}.md']);
    expect((await glob('out/*')).matches).toEqual(['out/a.ts']);
    expect((await glob('{a,b}.md')).matches).toEqual(['{a,b}.md']);
  });

  it.each(['full', 'files'] as const)('says where a search was stopped, only in full (%s)', async (toolset) => {
    const inner = makeBench(toolset);
    const stopped = { matches: ['a'], truncated: true, truncatedBranches: [], stoppedAfterMs: 4_001 };
    bench = makeBench(toolset, [], {
      over: { ...inner.workspace, root: inner.workspace.root, glob: async () => stopped },
    });
    const { data } = await bench.call('glob_search', { pattern: '*' });
    inner.close();
    expect([data.matches, data.truncated]).toEqual([['a'], true]);
    expect(data.hint).toEqual(toolset === 'full' ? expect.stringContaining('stopped after 5 s') : undefined);
  });

  it('gives the log its pattern, and its path where it has one', () => {
    setUp([], 'full');
    const tool = bench.table.tools.find(({ name }) => name === 'glob_search');
    expect(tool?.pattern?.({ pattern: '*.ts' })).toBe('*.ts');
    expect([tool?.paths?.({ pattern: '*', path: 'a' }), tool?.paths?.({ pattern: '*' })]).toEqual([['a'], []]);
  });
});

it('describes itself and the arguments of its set', () => {
  const described = (flavour: 'full' | 'files') =>
    describedTool(globSearchTool({ flavour } as FileToolkit), { pattern: '*', path: 'a' });
  const full = {
    name: 'glob_search',
    title: 'Find files by name',
    description:
      'List files and directories whose path matches a glob pattern, sorted; ** crosses directories, {a,b} are alternatives, files named by .gitignore are left out. At most 100 are returned: when truncated, truncated_branches names the top directories with more, so narrow with path.',
    tags: ['glob_search'],
    annotations: READS,
    input: {
      pattern: field('string', "Glob pattern, e.g. '**/*.py'."),
      path: field(['string', 'null'], 'Optional sub-directory to scope the search.'),
      include_ignored: field('boolean', 'Also look at what .gitignore leaves out.'),
    },
    paths: ['a'],
  };
  expect(described('full')).toEqual(full);
  const { include_ignored: _, ...input } = full.input;
  expect(described('files')).toEqual({
    ...full,
    description:
      'List files and directories whose path matches a glob pattern, sorted; ** crosses directories. At most 100 are returned: when truncated, truncated_branches names the top directories with more, so narrow with path.',
    input,
  });
});
