import fs, { type Dirent, type openSync, type readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { DEFAULT_LIMITS, type Limits } from '../limits.ts';
import { failureOf, makeScratch, type Scratch, withReplaced } from '../testing.ts';
import { BaseMoved, runSearch, type SearchControl } from './run-search.ts';
import type { GlobOutcome, GrepOutcome, GrepRequest, SearchScope } from './search-request.ts';

let scratch: Scratch;
afterEach(() => scratch.remove());

const scopeOf = ({
  limits,
  ...more
}: Partial<Omit<SearchScope, 'limits'>> & { limits?: Partial<Limits> } = {}): SearchScope => ({
  parts: [],
  denyList: true,
  ignoreNames: [],
  gitignore: false,
  masks: [],
  limits: { ...DEFAULT_LIMITS, ...limits },
  ...more,
});
const control = (more: Partial<SearchControl> = {}): SearchControl => ({
  cancelled: () => false,
  progress: () => undefined,
  ...more,
});
type Scoped = Parameters<typeof scopeOf>[0];

function glob(pattern: string, scope: Scoped = {}, more: Partial<SearchControl> = {}) {
  const request = { kind: 'glob', scope: scopeOf(scope), pattern, braces: true } as const;
  const outcome = runSearch(scratch.workspace, request, control(more)) as GlobOutcome;
  return { ...outcome, names: [...outcome.matches].sort().join(' ') };
}
function grep(given: Partial<Omit<GrepRequest, 'scope'>> = {}, scope: Scoped = {}, more: Partial<SearchControl> = {}) {
  const request: GrepRequest = {
    kind: 'grep',
    scope: scopeOf(scope),
    pattern: 'hit',
    isRegex: false,
    caseInsensitive: false,
    glob: undefined,
    braces: true,
    outputMode: 'files_with_matches',
    anySize: false,
    maxMatches: 100,
    maxLineChars: 1_000,
    lineRule: 'newline',
    maxRegexLines: 1_000,
    ...given,
  };
  const outcome = runSearch(scratch.workspace, request, control(more)) as GrepOutcome;
  return {
    ...outcome,
    names: outcome.matches
      .map(({ path }) => path)
      .sort()
      .join(' '),
  };
}
const LINES = [
  'a/b/x.ts = hit',
  'a/y.ts',
  'z.ts = hit',
  'link.ts => z.ts',
  '.env = hit',
  'cache/c.ts = hit',
  '.croft-tmp-1 = hit',
];

describe('a search by name', () => {
  it('finds files and directories below its start, and says which are links', () => {
    scratch = makeScratch(LINES);
    expect(glob('**/*.ts')).toMatchObject({
      names: 'a/b/x.ts a/y.ts cache/c.ts link.ts z.ts',
      links: ['link.ts'],
      ceiling: false,
    });
    expect(glob('*').names).toBe('a cache link.ts z.ts');
    expect(glob('b/*', { parts: ['a'] }).names).toBe('a/b/x.ts');
    expect(glob('{a,z}*').names).toBe('a z.ts');
    expect(glob('**/*', { ignoreNames: ['cache'], masks: ['a/b'] }).names).toBe('a a/y.ts link.ts z.ts');
    expect(glob('*', { denyList: false }).names).toContain('.env');
  });

  it('stops at its limits and says so', () => {
    scratch = makeScratch(LINES);
    const few = glob('**/*.ts', { limits: { globScanCeiling: 2 } });
    expect([few.matches.length, few.ceiling]).toEqual([2, true]);
    expect(glob('**/*.ts', { limits: { maxDepth: 1 } })).toMatchObject({ names: 'link.ts z.ts', ceiling: true });
    expect(glob('*.ts', { limits: { maxDepth: 1 } }).ceiling).toBe(false);
    expect(glob('**/*', {}, { cancelled: () => true }).matches).toEqual([]);
  });

  it('leaves out what .gitignore files on the way name', () => {
    scratch = makeScratch([
      '.gitignore = *.log\\n',
      'a/.gitignore = x.ts\\n!keep.log\\n',
      'a/x.ts',
      'a/keep.log',
      'a/b/x.ts',
      'y.log',
    ]);
    expect(glob('**/*.*', { gitignore: true }).names).toBe('.gitignore a/.gitignore a/keep.log');
    expect(glob('**/*.*', { gitignore: true, parts: ['a', 'b'] }).names).toBe('');
    expect(glob('**/*.ts').names).toBe('a/b/x.ts a/x.ts');
  });
});

describe('a search in contents', () => {
  it('gives files, counts or lines, and reads no link and no protected file', () => {
    scratch = makeScratch([...LINES, 'two.ts = hit\\nx\\nhit']);
    expect(grep()).toMatchObject({
      names: 'a/b/x.ts cache/c.ts two.ts z.ts',
      truncated: false,
      filesSearched: 5,
      skipped: 0,
    });
    expect(grep({ outputMode: 'count', glob: 'two*' }).matches).toEqual([{ path: 'two.ts', count: 2 }]);
    expect(grep({ outputMode: 'content', glob: 'two*' }).matches).toEqual([
      { path: 'two.ts', lineNumber: 1, line: 'hit' },
      { path: 'two.ts', lineNumber: 3, line: 'hit' },
    ]);
    expect(grep({ glob: '*.{md,txt}' }).matches).toEqual([]);
  });

  it('stops at the most matches, and says that there are more only where there are', () => {
    scratch = makeScratch(['a = hit\\nhit\\nhit', 'b = hit', 'c = hit']);
    const content = (maxMatches: number) => {
      const { matches, truncated } = grep({ outputMode: 'content', maxMatches });
      return [matches.length, truncated];
    };
    expect([content(2), content(3), content(5)]).toEqual([
      [2, true],
      [3, true],
      [5, false],
    ]);
    expect([grep({ maxMatches: 2 }).truncated, grep({ maxMatches: 3 }).truncated]).toEqual([true, false]);
    expect(grep({}, { limits: { maxDepth: 0 } }).truncated).toBe(false);
  });

  it('of one file reads that file, whatever the filter', () => {
    scratch = makeScratch(['d/f.ts = hit', 'd/g.ts = hit', 'd/link => f.ts']);
    expect(grep({ glob: '*.md' }, { parts: ['d'], onlyFile: 'f.ts' }).names).toBe('d/f.ts');
    expect(() => grep({}, { parts: ['d'], onlyFile: 'link' })).toThrow(BaseMoved);
  });

  it('reports its matches while it runs where one file may take forever', () => {
    scratch = makeScratch(['a = hit', 'b = hit', 'c = none']);
    const found: string[] = [];
    grep(
      { pattern: '(?=h)hit', isRegex: true },
      {},
      { found: (matches) => found.push(...matches.map(({ path }) => path)) },
    );
    expect(found.length).toBeGreaterThan(0);
    let files = 0;
    grep({}, {}, { cancelled: () => ++files > 1 });
    expect(files).toBe(2);
  });
});

it('begins again where its start is gone', () => {
  scratch = makeScratch(['a/f']);
  rmSync(join(scratch.workspace, 'a'), { recursive: true });
  expect(() => glob('*', { parts: ['a'] })).toThrow(BaseMoved);
});

describe('what a search reports', () => {
  /** A directory of this many files, which cannot be opened. */
  const withFiles = <Result>(count: number, act: () => Result) => {
    const entries = Array.from({ length: count }, (_, n) => ({ name: `f${n}`, isFile: () => true }) as Dirent);
    return withReplaced(fs, { readdirSync: (() => entries) as unknown as typeof readdirSync }, act);
  };

  it('is the number of entries after each 2,048', async () => {
    scratch = makeScratch([]);
    const progressOf = (search: (progress: (seen: number) => void) => unknown, count = 4_097) =>
      withFiles(count, () => {
        const seen: number[] = [];
        const now = vi.spyOn(performance, 'now').mockReturnValue(0);
        try {
          search((n) => seen.push(n));
        } finally {
          now.mockRestore();
        }
        return seen;
      });
    expect(await progressOf((progress) => glob('*.ts', {}, { progress }))).toEqual([2_048, 4_096]);
    expect(await progressOf((progress) => glob('*.ts', {}, { progress }), 2_047)).toEqual([]);
    expect(await progressOf((progress) => grep({}, {}, { progress }))).toEqual([2_048, 4_096]);
    expect(await progressOf((progress) => grep({}, {}, { progress }), 2_048)).toEqual([]);
  });

  it('is new matches after each 16 files if 100 ms have passed, else the number of files', () => {
    scratch = makeScratch(Array.from({ length: 50 }, (_, n) => `f${10 + n} = ${n < 20 ? 'hit' : 'none'}`));
    const reports = (pattern: string, msPerLook: number, more: Partial<GrepRequest> = {}) => {
      const seen: unknown[] = [];
      let ms = 0;
      const now = vi.spyOn(performance, 'now').mockImplementation(() => (ms += msPerLook));
      try {
        grep(
          { pattern, ...more },
          {},
          {
            progress: (files) => seen.push(files),
            found: (matches, files, skipped) => seen.push([matches.map(({ path }) => path).join(' '), files, skipped]),
          },
        );
      } finally {
        now.mockRestore();
      }
      return seen;
    };
    const paths = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, n) => `f${10 + from + n}`).join(' ');
    expect(reports('hit', 100)).toEqual([0, [paths(0, 16), 16, 0], [paths(16, 20), 32, 0], 48]);
    expect(reports('hit', 50)).toEqual([[paths(0, 16), 16, 0], 48].with(1, [paths(16, 20), 48, 0]));
    expect(reports('hit', 0)).toEqual([]);
    const slow = reports('(?=h)hit', 0, { isRegex: true });
    expect(slow).toEqual(Array.from({ length: 20 }, (_, n) => [`f${10 + n}`, n + 1, 0]));
  });

  it('counts directories and files that this process may not read', async () => {
    scratch = makeScratch(['a/f = hit', 'b/f = hit', 'c = hit', 'd = hit']);
    const open = fs.openSync;
    const refusing = ((path: string, flags: number) => {
      if (/\/(a|d)$/.test(path)) throw Object.assign(new Error('no'), { code: 'EACCES' });
      return open(path, flags);
    }) as typeof openSync;
    const outcome = await withReplaced(fs, { openSync: refusing }, () => grep());
    expect(outcome).toEqual({
      kind: 'grep',
      matches: [{ path: 'b/f' }, { path: 'c' }],
      truncated: false,
      filesSearched: 3,
      skipped: 2,
      names: 'b/f c',
    });
    const one = await withReplaced(fs, { openSync: refusing }, () => grep({}, { onlyFile: 'd' }));
    expect(one).toEqual({ kind: 'grep', matches: [], truncated: false, filesSearched: 1, skipped: 1, names: '' });
    const failure = await withReplaced(fs, { openSync: refusing }, () => failureOf(() => glob('*', { parts: ['a'] })));
    expect([failure.code, failure.message]).toEqual(['io', 'Cannot search this directory: Permission denied']);
  });
});

describe('the base directory of Croft', () => {
  it('is not found and not entered, whatever its name, and is known by its inode', () => {
    scratch = makeScratch(['a/f = hit', 'b/f = hit']);
    const { dev, ino } = statSync(join(scratch.workspace, 'a'));
    const base = { dev, ino };
    expect([glob('**/*', { base }).names, grep({}, { base }).names]).toEqual(['b b/f', 'b/f']);
    const asked: number[] = [];
    const inodeOf = (result: number | undefined) => (fd: number) => {
      asked.push(fd);
      return result;
    };
    expect(grep({}, { base }, { place: { inodeOf: inodeOf(undefined) } }).names).toBe('b/f');
    expect(grep({}, { base }, { place: { inodeOf: inodeOf(ino) } }).names).toBe('b/f');
    // An inode of another number is not compared further.
    expect(grep({}, { base }, { place: { inodeOf: inodeOf(ino + 1) } }).names).toBe('a/f b/f');
    expect(asked).toHaveLength(9);
  });
});
