import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { closeSearchWorkers } from '@croft/workspace';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { type Bench, makeBench, describedTool } from '../testing.ts';
import { stoppedHint, grepSearchTool } from './grep-search.ts';
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
const grep = async (input: object) => (await bench.call('grep_search', input)).data;
const numbered = (count: number, name: (i: number) => string) => Array.from({ length: count }, (_, i) => name(i));

describe('GrepSearch', () => {
  const lines = ['a.txt = foo\\nbar Foo\\nfoo', 'b.md = foo', 'sub/c.txt = nothing\\nfoo.bar'];
  const sorted = (data: Record<string, unknown>) => ({
    ...data,
    matches: (data.matches as { path?: string }[]).toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)),
  });

  it('should give files_with_matches_by_default and nothing more', async () => {
    setUp(lines);
    expect(sorted(await grep({ pattern: 'foo' }))).toEqual({
      status: 'ok',
      pattern: 'foo',
      output_mode: 'files_with_matches',
      matches: ['a.txt', 'b.md', 'sub/c.txt'],
      truncated: false,
    });
  });

  it('should give content_with_line_numbers and count_per_file', async () => {
    setUp(lines);
    expect(sorted(await grep({ pattern: 'foo', output_mode: 'content', path: 'a.txt' })).matches).toEqual([
      { path: 'a.txt', line_number: 1, line: 'foo' },
      { path: 'a.txt', line_number: 3, line: 'foo' },
    ]);
    expect(sorted(await grep({ pattern: 'foo', output_mode: 'count' })).matches).toEqual([
      { path: 'a.txt', count: 2 },
      { path: 'b.md', count: 1 },
      { path: 'sub/c.txt', count: 1 },
    ]);
  });

  it('should apply_glob_filter and case_insensitive_flag', async () => {
    setUp(lines);
    expect(sorted(await grep({ pattern: 'foo', glob: '*.txt' })).matches).toEqual(['a.txt', 'sub/c.txt']);
    expect((await grep({ pattern: 'foo', glob: 'sub/*.txt' })).matches).toEqual(['sub/c.txt']);
    expect(
      (await grep({ pattern: 'FOO', case_insensitive: true, path: 'a.txt', output_mode: 'count' })).matches,
    ).toEqual([{ path: 'a.txt', count: 3 }]);
  });

  it('should truncate_grep_output_at_default_line_limit', async () => {
    setUp(['many.txt']);
    writeFileSync(join(bench.scratch.workspace, 'many.txt'), 'hit\n'.repeat(251));
    const cut = await grep({ pattern: 'hit', output_mode: 'content' });
    expect([(cut.matches as unknown[]).length, cut.truncated]).toEqual([250, true]);
    writeFileSync(join(bench.scratch.workspace, 'many.txt'), 'hit\n'.repeat(250));
    expect((await grep({ pattern: 'hit', output_mode: 'content' })).truncated).toBe(false);
  });

  it('should scope_grep_to_single_file_path, the glob ignored', async () => {
    setUp(lines);
    expect((await grep({ pattern: 'foo', path: 'b.md', glob: '*.txt' })).matches).toEqual(['b.md']);
  });

  it('should fail for invalid_regex, a bad mode, a missing path and when scope_path_escapes', async () => {
    setUp(lines);
    expect(await grep({ pattern: '(', is_regex: true })).toEqual({
      error: expect.stringMatching(/^Invalid regex pattern: /),
      pattern: '(',
    });
    expect(await grep({ pattern: 'x', output_mode: 'lines' })).toEqual({
      error: "Invalid output_mode 'lines'. Must be one of ('files_with_matches', 'content', 'count')",
      pattern: 'x',
    });
    expect(await grep({ pattern: 'x', path: 'no' })).toEqual({ error: 'Path does not exist: no', pattern: 'x' });
    expect(await grep({ pattern: 'x', path: '../outside' })).toEqual({
      error: 'Path escapes workspace boundary: ../outside',
      pattern: 'x',
      path: '../outside',
    });
    expect(await grep({ pattern: 'a'.repeat(1025), is_regex: true })).toMatchObject({
      error: 'Regex pattern exceeds 1024 chars; shorten it or use literal mode (is_regex=False).',
    });
  });

  it('neither reads nor lists protected files and files outside', async () => {
    setUp([
      'ok.txt = SECRET',
      '.env = SECRET',
      '.ssh/config = SECRET',
      'x.pem = SECRET',
      'leak.txt => $OUT/secret.txt',
      '.lfsig/x = SECRET',
    ]);
    expect((await grep({ pattern: 'SECRET' })).matches).toEqual(['ok.txt']);
  });
});

describe('GrepSearchReDoSGuard', () => {
  const GUARD =
    'Regex pattern rejected: nested unbounded quantifier (catastrophic-backtracking risk). Rewrite without an outer +/* on a group that already contains +, *, {n,}, or |, or use literal mode (is_regex=False).';

  it('default literal substring: literal_mode_should_not_match_regex_metachars, regex is an opt-in', async () => {
    setUp(['a.txt = axb', 'b.txt = a.b']);
    expect((await grep({ pattern: 'a.b' })).matches).toEqual(['b.txt']);
    expect(((await grep({ pattern: 'a.b', is_regex: true })).matches as string[]).toSorted()).toEqual([
      'a.txt',
      'b.txt',
    ]);
    expect((await grep({ pattern: '(a+)+' })).matches).toEqual([]);
  });

  it('refuses an expression that nests unbounded repeats, and accepts one that does not', async () => {
    setUp(['a.txt = aaaa']);
    for (const pattern of ['(a+)+', '(?:a|b)*'])
      expect(await grep({ pattern, is_regex: true }), pattern).toEqual({ error: GUARD, pattern });
    for (const pattern of ['(ab)+', '(a+){2,}'])
      expect((await grep({ pattern, is_regex: true })).status, pattern).toBe('ok');
  });

  it('must_terminate_under_timeout_for_catastrophic_pattern', async () => {
    setUp(['a.txt']);
    writeFileSync(join(bench.scratch.workspace, 'a.txt'), `${'a'.repeat(4000)}!`);
    await grep({ pattern: '^(a+)+$', is_regex: true });
    // The search must end by its own deadline; the test has no other end.
    expect(await grep({ pattern: '^(a+){2,}$', is_regex: true })).toHaveProperty('pattern');
  });
});

describe('line numbers', () => {
  const text = 'one\rtwo hit\u2028three\n\x0cfour hit\r\nfive\n';
  it.each(['files', 'full'] as const)('of a search are those of read_file in %s', async (toolset) => {
    const call = setUp([], toolset);
    writeFileSync(join(bench.scratch.workspace, 'f'), text);
    const { content } = (await call('read_file', { path: 'f' })).data as { content: string };
    for (const search of [
      { pattern: 'hit' },
      { pattern: 'HIT', case_insensitive: true },
      { pattern: 'h\\w+t$|hit\\b', is_regex: true },
    ]) {
      const { matches } = await grep({ ...search, output_mode: 'content' });
      const found = (matches as { line_number: number; line: string }[]).map(
        ({ line_number, line }) => `${String(line_number).padStart(6)}→${line}`,
      );
      expect(content.split('\n').filter((line) => line.includes('hit'))).toEqual(found);
    }
    expect((await grep({ pattern: 'hit', output_mode: 'count' })).matches).toEqual([{ path: 'f', count: 2 }]);
  });
});

describe('full searches', () => {
  it('run expressions that nest repeats', async () => {
    setUp(['a.txt = foobarfoo', 'b.txt = fo'], 'full');
    expect(await grep({ pattern: '(foo|bar)+', is_regex: true })).toMatchObject({ matches: ['a.txt'] });
    expect(await grep({ pattern: '(\\w+)+o$', is_regex: true, case_insensitive: true })).toMatchObject({
      matches: expect.arrayContaining(['a.txt', 'b.txt']),
      truncated: false,
    });
  });

  it('leave out files of .gitignore unless they are asked for', async () => {
    setUp(['.gitignore = out/\\n', 'out/a.ts = hit', 'b.ts = hit', 'c.tsx = hit'], 'full');
    const found = async (more: object) => ((await grep({ pattern: 'hit', ...more })).matches as string[]).toSorted();
    expect(await found({})).toEqual(['b.ts', 'c.tsx']);
    expect(await found({ glob: '*.{ts,tsx}' })).toEqual(['b.ts', 'c.tsx']);
    expect(await found({ include_ignored: true, glob: '*.{ts}' })).toEqual([]);
    expect(await found({ include_ignored: true, glob: '*.ts' })).toEqual(['b.ts', 'out/a.ts']);
  });

  it('report progress and stop when cancelled', async () => {
    const call = setUp(
      numbered(3000, (i) => `d${i % 50}/f${i}.txt = text`),
      'full',
    );
    const seen: number[] = [];
    await call('grep_search', { pattern: 'nowhere' }, { onProgress: (count) => seen.push(count) });
    expect(seen.every((count, i) => i === 0 || count >= (seen[i - 1] as number))).toBe(true);
    const controller = new AbortController();
    const running = call('grep_search', { pattern: 'text', output_mode: 'content' }, { signal: controller.signal });
    controller.abort();
    expect((await running).data.error).toBe('The call was cancelled');
  });

  it('that stop at a deadline return their matches so far, and full adds a hint', async () => {
    const lines = `${'a'.repeat(4_000)}\n`.repeat(50);
    const data = {
      status: 'ok',
      pattern: '(a{1,30}){1,30}b',
      output_mode: 'files_with_matches',
      matches: ['a.txt'],
      truncated: true,
    };
    for (const toolset of ['files', 'full'] as const) {
      bench?.close();
      bench = makeBench(toolset, ['a.txt = ab'], { workspace: { limits: { backtrackTimeoutMs: 600 } } });
      writeFileSync(join(bench.scratch.workspace, 'b.txt'), lines);
      expect(await grep({ pattern: data.pattern, is_regex: true })).toEqual(
        toolset === 'files'
          ? data
          : {
              ...data,
              files_searched: 1,
              hint: 'The search was stopped after 1 s, so matches may be missing. Narrow path, glob or pattern.',
            },
      );
    }
  });

  it('count what cannot be read, and cut a long line', async () => {
    setUp(['a.txt = hit'], 'full');
    writeFileSync(join(bench.scratch.workspace, 'long.txt'), `hit${'x'.repeat(3_000)}`);
    const { matches } = await grep({ pattern: 'hit', output_mode: 'content', path: 'long.txt' });
    expect(matches).toEqual([{ path: 'long.txt', line_number: 1, line: expect.stringMatching(/^hitx{1997}… \(3003/) }]);
    expect(await grep({ pattern: 'hit', path: 'a.txt' })).not.toHaveProperty('skipped');
  });

  it('give the log their pattern, and their path where they have one', () => {
    setUp([], 'full');
    const tool = bench.table.tools.find(({ name }) => name === 'grep_search');
    expect(tool?.pattern?.({ pattern: 'hit' })).toBe('hit');
    expect([tool?.paths?.({ pattern: 'x', path: 'a' }), tool?.paths?.({ pattern: 'x' })]).toEqual([['a'], []]);
  });
});

it('says after how many whole seconds a search was stopped', () => {
  expect(stoppedHint(5_001)).toContain('stopped after 6 s');
  expect(stoppedHint(5_000)).toContain('stopped after 5 s');
});

it('describes itself and the arguments of its set', () => {
  const described = (flavour: 'full' | 'files') =>
    describedTool(grepSearchTool({ flavour } as FileToolkit), {
      pattern: 'x',
      path: 'a',
      case_insensitive: false,
      output_mode: 'content',
      is_regex: false,
    });
  const full = {
    name: 'grep_search',
    title: 'Search file contents',
    description:
      'Search file contents line by line. Literal by default; is_regex opts into regular expressions. output_mode: files_with_matches (paths), content (path, line_number, line; at most 250 lines), count (matching lines a file). Files named by .gitignore are left out unless include_ignored. skipped counts files and directories that cannot be read.',
    tags: ['grep_search'],
    annotations: READS,
    input: {
      pattern: field('string', 'Text to look for; a regular expression when is_regex is true.'),
      path: field(['string', 'null'], 'Optional file or directory to search in.'),
      glob: field(['string', 'null'], "Only files that match, e.g. '*.py'."),
      case_insensitive: {
        default: false,
        type: 'boolean',
      },
      output_mode: {
        default: 'files_with_matches',
        description: "'files_with_matches', 'content' or 'count'.",
        type: 'string',
      },
      is_regex: {
        default: false,
        description: 'Treat pattern as a regular expression.',
        type: 'boolean',
      },
      include_ignored: field('boolean', 'Also search what .gitignore leaves out.'),
    },
    paths: ['a'],
  };
  expect(described('full')).toEqual(full);
  const { include_ignored: _, ...input } = full.input;
  expect(described('files')).toEqual({
    ...full,
    description:
      'Search file contents line by line. Literal by default; is_regex opts into regular expressions (nested unbounded quantifiers are rejected). output_mode: files_with_matches (paths), content (path, line_number, line; at most 250 lines), count (matching lines a file).',
    input,
  });
});
