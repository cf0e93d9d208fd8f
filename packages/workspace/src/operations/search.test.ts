import { afterAll, describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS, type Limits } from '../limits.ts';
import { closeSearchWorkers } from '../search/worker-pool.ts';
import { codeOf, failureOf, refusalOf } from '../testing.ts';
import { useEnclosures } from '../use-enclosures.ts';
import { checkGlob, globFiles, grepFiles } from './search.ts';

const open = useEnclosures();
afterAll(() => closeSearchWorkers());
const setUp = (lines: readonly string[], limits: Partial<Limits> = {}) =>
  open(lines, { limits: { ...DEFAULT_LIMITS, ...limits } }).enclosure;

describe('a pattern for names', () => {
  it.each([
    ['', 'Pattern must not be empty'],
    ['  ', 'Pattern must not be empty'],
    ['a/../b', "Pattern must not contain '..' (path traversal not allowed)"],
    ['a\0', 'Pattern contains NUL byte'],
    ['/etc/*', 'Pattern must be relative; use path to search below a directory'],
    ['x'.repeat(1_025), 'Pattern exceeds 1024 chars'],
    ['x'.repeat(1_024), 'accepted'],
    ['a..b/*', 'accepted'],
  ])('%j: %s', (pattern, said) => {
    expect(refusalOf(() => checkGlob(pattern, DEFAULT_LIMITS))).toBe(said);
  });
});

describe('a search by name', () => {
  it('gives sorted matches, and none that leads outside or to a protected file', async () => {
    const enclosure = setUp([
      'b.txt',
      'a.txt',
      'out => $OUT/secret.txt',
      'key => .env',
      '.env',
      'in => a.txt',
      'broken => none',
    ]);
    expect(await globFiles(enclosure, '*')).toEqual({
      matches: ['a.txt', 'b.txt', 'broken', 'in'],
      truncated: false,
      truncatedBranches: [],
    });
  });

  it('names the branches of the matches that it leaves out', async () => {
    const enclosure = setUp(['a/1', 'b/1', 'c/1', 'c/2'], { globResults: 2 });
    expect(await globFiles(enclosure, '*/*')).toEqual({
      matches: ['a/1', 'b/1'],
      truncated: true,
      truncatedBranches: ['c'],
    });
    expect((await globFiles(enclosure, '{a,b}/*', { braces: true })).matches).toEqual(['a/1', 'b/1']);
    expect((await globFiles(enclosure, '{a,b}/*')).matches).toEqual([]);
  });

  it('may have stopped at the ceiling of its scan', async () => {
    const enclosure = setUp(['1', '2', '3'], { globScanCeiling: 2 });
    const { matches, truncated } = await globFiles(enclosure, '*');
    expect([matches.length, truncated]).toEqual([2, true]);
  });
});

describe('a search in contents', () => {
  it('gives files unless lines or counts are wanted', async () => {
    const enclosure = setUp(['a.txt = Hit\\nhit', 'b.md = hit']);
    expect((await grepFiles(enclosure, { pattern: 'hit' })).matches).toHaveLength(2);
    expect((await grepFiles(enclosure, { pattern: 'hit', glob: '*.txt', outputMode: 'content' })).matches).toEqual([
      { path: 'a.txt', lineNumber: 2, line: 'hit' },
    ]);
    const counted = await grepFiles(enclosure, {
      pattern: 'h.t',
      isRegex: true,
      caseInsensitive: true,
      glob: '*.txt',
      outputMode: 'count',
    });
    expect(counted.matches).toEqual([{ path: 'a.txt', count: 2 }]);
    expect((await grepFiles(enclosure, { pattern: 'h.t' })).matches).toEqual([]);
  });

  it('cuts lines, splits them and reads braces as the call wants', async () => {
    const enclosure = setUp(['a.txt = hit and more', 'b.md = x\vhit', 'c.ts = hit']);
    const find = async (more: object) => {
      const { matches } = await grepFiles(enclosure, { pattern: 'hit', outputMode: 'content', ...more });
      return matches.map((match) => Object.values(match).join(' '));
    };
    expect([
      await find({ glob: '{a,c}.{txt,ts}', braces: true }),
      await find({ glob: '{a,c}.{txt,ts}' }),
      await find({ glob: '', maxLineChars: 3 }),
      await find({ path: 'b.md', lineRule: 'universal' }),
      await find({ pattern: 'HIT', caseInsensitive: true, path: 'c.ts' }),
    ]).toEqual([
      ['a.txt 1 hit and more', 'c.ts 1 hit'],
      [],
      ['a.txt 1 hit… (12 characters)', 'b.md 1 x\vh… (5 characters)', 'c.ts 1 hit'],
      ['b.md 2 hit'],
      ['c.ts 1 hit'],
    ]);
    expect(await grepFiles(enclosure, { pattern: 'hit', glob: 'x'.repeat(1_024) })).toEqual({
      kind: 'grep',
      matches: [],
      truncated: false,
      filesSearched: 0,
      skipped: 0,
    });
    const { message } = await failureOf(() => grepFiles(enclosure, { pattern: 'hit', glob: 'x'.repeat(1_025) }));
    expect(message).toBe('Glob exceeds 1024 chars');
  });

  it('gives as many lines as the limit, or as the call wants', async () => {
    const enclosure = setUp(['a = hit\\nhit\\nhit'], { grepLines: 2 });
    const lines = async (more: object) => {
      const { matches, truncated } = await grepFiles(enclosure, { pattern: 'hit', outputMode: 'content', ...more });
      return [matches.length, truncated];
    };
    expect([await lines({}), await lines({ maxMatches: 1 }), await lines({ maxMatches: 3 })]).toEqual([
      [2, true],
      [1, true],
      [3, false],
    ]);
  });

  it('tries an expression on so many lines of a file, and on all where any size is wanted', async () => {
    const enclosure = setUp(['a = x\\nhit'], { grepRegexLinesPerFile: 1 });
    const found = async (anySize: boolean) =>
      (await grepFiles(enclosure, { pattern: 'h[i]t', isRegex: true, anySize })).matches.length;
    expect([await found(false), await found(true)]).toEqual([0, 1]);
  });

  it('refuses patterns that no search takes', async () => {
    const enclosure = setUp(['a']);
    const code = (more: object) => codeOf(() => grepFiles(enclosure, { pattern: 'a', ...more }));
    expect([await code({ pattern: '' }), await code({ glob: 'x'.repeat(1_025) })]).toEqual(['invalid', 'invalid']);
    expect([
      await code({ pattern: '(a+)+', isRegex: true }),
      await code({ pattern: '(a+)+', isRegex: true, refusesNested: true }),
    ]).toEqual(['done', 'invalid']);
    expect(await code({ path: 'no' })).toBe('not_found');
  });
});
