import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import fc from 'fast-check';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { WorkspaceError } from '../errors.ts';
import type { GrepOptions } from '../operations/search.ts';
import type { ResolverKind } from '../resolve/root.ts';
import { failureOf, makeScratch, memoryDir, type Scratch } from '../testing.ts';
import { openWorkspace, type Workspace, type WorkspaceOptions } from '../workspace.ts';
import { closeSearchWorkers } from './worker-pool.ts';

let scratch: Scratch;
let workspace: Workspace;
afterEach(() => {
  workspace.close();
  scratch.remove();
});
afterAll(closeSearchWorkers);

function setUp(lines: readonly string[], options: WorkspaceOptions = {}): Workspace {
  scratch = makeScratch(lines, undefined, memoryDir());
  workspace = openWorkspace(scratch.workspace, options);
  return workspace;
}

const put = (name: string, content: string | Uint8Array) => {
  mkdirSync(dirname(join(scratch.workspace, name)), { recursive: true });
  writeFileSync(join(scratch.workspace, name), content);
};
const lines = async (options: GrepOptions) =>
  (await workspace.grep({ outputMode: 'content', ...options })).matches.map(
    (match) => `${match.path}:${match.lineNumber}:${match.line}`,
  );

const KINDS: ResolverKind[] = ['openat2', 'walk', 'portable'];

describe.each(KINDS)('glob, resolver %s', (resolver) => {
  it('matches files, directories, dot-files and links inside, by path from the workspace', async () => {
    setUp(
      [
        'a.py',
        '.hid/b.py',
        'd/e/c.py',
        'd/l => ../a.py',
        'd/out => $OUT/secret.txt',
        'd/safe => ../.env',
        '.env',
        '.git/x.py',
        'd/.lfsig/x.py',
        'd/dangling => none',
      ],
      { resolver },
    );
    const all = async (pattern: string, path?: string) => (await workspace.glob(pattern, { path })).matches;
    expect(await all('**/*')).toEqual(['.hid', '.hid/b.py', 'a.py', 'd', 'd/dangling', 'd/e', 'd/e/c.py', 'd/l']);
    expect(await all('**/*.py')).toEqual(['.hid/b.py', 'a.py', 'd/e/c.py']);
    expect(await all('*.py', 'd/e')).toEqual(['d/e/c.py']);
    expect(await all('*', 'd/e')).toEqual(['d/e/c.py']);
    expect(await all('none*')).toEqual([]);
  });
});

describe('glob', () => {
  it('returns the first hundred and names the branches left out', async () => {
    setUp(Array.from({ length: 110 }, (_, i) => `a${String(i).padStart(3, '0')}.md`).concat('b/x.md', 'c/d/y.md'));
    const found = await workspace.glob('**/*.md');
    expect(found.matches).toHaveLength(100);
    expect(found.truncated).toBe(true);
    expect(found.truncatedBranches).toEqual([...Array.from({ length: 10 }, (_, i) => `a${100 + i}.md`), 'b', 'c']);
    expect(await workspace.glob('b/*')).toEqual({ matches: ['b/x.md'], truncated: false, truncatedBranches: [] });
  });
  it('stops collecting at its ceiling and says that there is more', async () => {
    setUp([], { limits: { globResults: 2_000, globScanCeiling: 50 } });
    for (let i = 0; i < 60; i++) put(`f${i}`, '');
    expect(await workspace.glob('*')).toMatchObject({ truncated: true, matches: { length: 50 } });
  });
  it.each([
    ['', 'Pattern must not be empty'],
    ['  ', 'Pattern must not be empty'],
    ['../*', "Pattern must not contain '..' (path traversal not allowed)"],
    ['a/../../*', "Pattern must not contain '..' (path traversal not allowed)"],
    ['/etc/*', 'Pattern must be relative; use path to search below a directory'],
    ['a\0', 'Pattern contains NUL byte'],
  ])('refuses the pattern %j', async (pattern, message) => {
    setUp([]);
    expect((await failureOf(() => workspace.glob(pattern))).message).toBe(message);
  });
  it('refuses a base that is not a directory', async () => {
    setUp(['f']);
    expect((await failureOf(() => workspace.glob('*', { path: 'f' }))).message).toBe('Base path is not a directory: f');
    expect((await failureOf(() => workspace.glob('*', { path: 'no' }))).message).toBe('Path does not exist: no');
    expect((await failureOf(() => workspace.glob('*', { path: '..' }))).code).toBe('outside');
  });
});

describe.each(KINDS)('grep, resolver %s', (resolver) => {
  it('answers in three modes, literal unless asked otherwise', async () => {
    setUp(['a.txt = foo\\nbar\\nFoo.o', 'd/b.py = foo\\nfoo\\n', 'c.bin = foo', '.env = foo', 'l => a.txt'], {
      resolver,
    });
    put('c.bin', 'foo\0');
    const grep = async (options: Partial<GrepOptions>) =>
      (await workspace.grep({ pattern: 'foo', ...options })).matches;
    expect(await grep({})).toEqual([{ path: 'a.txt' }, { path: 'd/b.py' }]);
    expect(await grep({ outputMode: 'count' })).toEqual([
      { path: 'a.txt', count: 1 },
      { path: 'd/b.py', count: 2 },
    ]);
    expect(await lines({ pattern: 'foo', caseInsensitive: true })).toEqual([
      'a.txt:1:foo',
      'a.txt:3:Foo.o',
      'd/b.py:1:foo',
      'd/b.py:2:foo',
    ]);
    expect(await grep({ glob: '*.py' })).toEqual([{ path: 'd/b.py' }]);
    expect(await grep({ path: 'a.txt', glob: '*.py' })).toEqual([{ path: 'a.txt' }]);
    expect(await grep({ path: 'l' })).toEqual([{ path: 'a.txt' }]);
    expect(await grep({ pattern: 'o.o' })).toEqual([{ path: 'a.txt' }]);
    expect(await grep({ pattern: 'fo.' })).toEqual([]);
    expect(await lines({ pattern: '^fo.$', isRegex: true })).toEqual(['a.txt:1:foo', 'd/b.py:1:foo', 'd/b.py:2:foo']);
  });
});

describe('grep', () => {
  it('stops at 250 lines over all files, and says so only when there is one more', async () => {
    setUp([]);
    put('a', 'x\n'.repeat(200));
    put('b', 'x\n'.repeat(50));
    expect(await workspace.grep({ pattern: 'x', outputMode: 'content' })).toMatchObject({
      truncated: false,
      matches: { length: 250 },
    });
    put('c/d', 'x\n');
    for (const search of [
      { pattern: 'x' },
      { pattern: 'x', caseInsensitive: true },
      { pattern: '^x$', isRegex: true },
    ]) {
      expect(await workspace.grep({ ...search, outputMode: 'content' })).toMatchObject({
        truncated: true,
        matches: { length: 250 },
      });
    }
    put('b', 'x\n'.repeat(60));
    expect(await workspace.grep({ pattern: 'x', outputMode: 'content' })).toMatchObject({
      truncated: true,
      matches: { length: 250 },
    });
    expect((await workspace.grep({ pattern: 'x', outputMode: 'count' })).matches).toEqual([
      { path: 'a', count: 200 },
      { path: 'b', count: 60 },
      { path: 'c/d', count: 1 },
    ]);
    expect(await workspace.grep({ pattern: 'x', maxMatches: 2 })).toMatchObject({
      truncated: true,
      matches: { length: 2 },
    });
  });
  it('reads UTF-16, a marked first line, CRLF lines, and the end of a file without one', async () => {
    setUp([]);
    put('wide', Buffer.from('\ufeffone\r\ntwo é\r\n', 'utf16le'));
    put('marked', '\ufefftwo\n');
    put('crlf', 'one\r\ntwo\r\n\r\nx');
    put('latin', Buffer.from([0x74, 0x77, 0x6f, 0xe9]));
    expect(await lines({ pattern: '^two', isRegex: true })).toEqual([
      'crlf:2:two',
      'latin:1:two\ufffd',
      'marked:1:two',
      'wide:2:two é',
    ]);
    expect(await lines({ pattern: 'two$', isRegex: true })).toEqual(['crlf:2:two', 'marked:1:two']);
    expect(await lines({ pattern: '^$', isRegex: true })).toEqual(['crlf:3:']);
    expect(await lines({ pattern: 'e\\s', isRegex: true })).toEqual([]);
    expect(await lines({ pattern: 'one\r' })).toEqual([]);
    expect(await lines({ pattern: 'one\r\ntwo' })).toEqual([]);
  });
  it('leaves long lines and late lines to literal searches', async () => {
    setUp([]);
    put('long', `${'a'.repeat(4_097)}needle\nneedle\n`);
    put('late', `${'x\n'.repeat(50_000)}needle\n`);
    expect(await lines({ pattern: 'needl.', isRegex: true })).toEqual(['long:2:needle']);
    expect((await workspace.grep({ pattern: 'needle', outputMode: 'count' })).matches).toEqual([
      { path: 'late', count: 1 },
      { path: 'long', count: 2 },
    ]);
    expect((await lines({ pattern: 'needle', path: 'long', maxLineChars: 10 }))[0]).toBe(
      `long:1:${'a'.repeat(10)}… (4103 characters)`,
    );
  });
  it('leaves a large file out, or searches it by chunks with the right line numbers', async () => {
    setUp([]);
    const fd = openSync(join(scratch.workspace, 'huge'), 'w');
    const block = Buffer.from(`${'y'.repeat(99)}\n`.repeat(10_000));
    for (let i = 0; i < 64; i++) {
      writeSync(fd, block);
      writeSync(fd, `needle é ${i}\n`);
    }
    closeSync(fd);
    expect((await workspace.grep({ pattern: 'needle' })).matches).toEqual([]);
    const expectedLines = Array.from({ length: 64 }, (_, i) => `huge:${(i + 1) * 10_001}:needle é ${i}`);
    for (const search of [
      { pattern: 'needle' },
      { pattern: 'needle .', isRegex: true },
      { pattern: 'NEEDLE', caseInsensitive: true },
    ]) {
      expect(await lines({ ...search, anySize: true })).toEqual(expectedLines);
      expect((await workspace.grep({ ...search, anySize: true, outputMode: 'count' })).matches).toEqual([
        { path: 'huge', count: 64 },
      ]);
      expect(await workspace.grep({ ...search, anySize: true, outputMode: 'content', maxMatches: 10 })).toMatchObject({
        truncated: true,
        matches: { length: 10 },
      });
      expect(await workspace.grep({ ...search, anySize: true, outputMode: 'content', maxMatches: 64 })).toMatchObject({
        truncated: false,
        matches: { length: 64 },
      });
    }
  });
  it('finds the lines a plain loop over lines finds', async () => {
    setUp(['f']);
    const piece = fc.constantFrom(
      'a',
      'b',
      'ab',
      'A',
      ' ',
      '.',
      '\n',
      '\r\n',
      '\r',
      '\u2028',
      'é',
      '😀',
      '\n\n',
      'abba',
      '\t',
      '\u0085',
      '\u000b',
    );
    const atom = fc.constantFrom(
      'a',
      'b',
      'ab',
      '.',
      '\\s',
      '\\w',
      '[^a]',
      '^',
      '$',
      '\\b',
      'é',
      'a+',
      '.*',
      '(ab)?',
      '(?=b)',
      '(?<!a)b',
      'a|b',
      '\\S{2,}',
      '😀',
      '\\W',
      '[\\s\\S]',
    );
    const pattern = fc.oneof(
      fc.array(atom, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('')),
      fc.array(piece, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('')),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(piece, { minLength: 1, maxLength: 25 }),
        pattern,
        fc.boolean(),
        fc.boolean(),
        async (pieces, source, isRegex, caseInsensitive) => {
          const text = pieces.join('');
          put('f', text);
          let test: (line: string) => boolean;
          try {
            const compiled = new RegExp(
              isRegex ? source : source.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&'),
              caseInsensitive ? 'i' : '',
            );
            test = (line) => compiled.test(line);
          } catch {
            return;
          }
          const split = text.split('\n');
          if (split.at(-1) === '') split.pop();
          const expectedLines = split
            .map((line, i) => [i + 1, line.replace(/\r$/, '')] as const)
            .filter(([, line]) => test(line))
            .map(([number, line]) => `f:${number}:${line}`);
          expect(await lines({ pattern: source, isRegex, caseInsensitive })).toEqual(expectedLines);
        },
      ),
      { numRuns: 500 },
    );
  });
  it('ends the classic catastrophe in time', async () => {
    setUp(['small = x'], { limits: { searchTimeoutMs: 10_000, backtrackTimeoutMs: 10_000 } });
    put('evil', `${'a'.repeat(50_000)}b\n`);
    put('short', `${'a'.repeat(4_000)}b\n`);
    await workspace.grep({ pattern: 'x' });
    for (const pattern of ['(a+)+$', '(a+){2,}$', '((a)+)+$', '(a+){2,}(a+){2,}$', '((a*)*)*$']) {
      // A backtracking engine alone would need years: in time means before the deadline.
      const ended = await workspace.grep({ pattern, isRegex: true }).catch((thrown: WorkspaceError) => thrown);
      if (ended instanceof WorkspaceError) expect(ended.code, pattern).toBe('invalid');
      else expect(ended.stoppedAfterMs, pattern).toBeUndefined();
    }
  });
});

describe('a search', () => {
  it('is cancelled before, while waiting and while running, and the next ones go on', async () => {
    setUp([]);
    for (let i = 0; i < 300; i++) put(`d${i % 10}/f${i}`, 'text\n'.repeat(100));
    expect((await failureOf(() => workspace.grep({ pattern: 'x', signal: AbortSignal.abort() }))).code).toBe(
      'cancelled',
    );
    for (let round = 0; round < 30; round++) {
      const aborts = Array.from({ length: 8 }, () => new AbortController());
      const calls = aborts.map((abort) =>
        workspace.grep({ pattern: 'nothing', signal: abort.signal }).then(
          () => 'done',
          (error: WorkspaceError) => error.code,
        ),
      );
      await sleep(Math.random() * 4);
      // Those in line give up in the very moment a thread becomes free.
      aborts.forEach((abort, i) => i % 3 !== round % 3 && abort.abort());
      const outcomes = await Promise.all(calls);
      outcomes.forEach((outcome, i) => expect(['done', i % 3 !== round % 3 ? 'cancelled' : 'done']).toContain(outcome));
    }
    expect((await workspace.grep({ pattern: 'text', maxMatches: 1 })).matches).toHaveLength(1);
  });

  it('that is stuck in one expression loses its thread, at its deadline or when cancelled', async () => {
    setUp([], { limits: { backtrackTimeoutMs: 300 } });
    put('evil', `${'a'.repeat(4_000)}\n`.repeat(50));
    const pattern = '(a{1,30}){1,30}b';
    const slow = { pattern, isRegex: true } as const;
    expect(await workspace.grep(slow)).toMatchObject({ matches: [], truncated: true, stoppedAfterMs: 300 });
    const abort = new AbortController();
    const call = failureOf(() => workspace.grep({ ...slow, signal: abort.signal }));
    setTimeout(() => abort.abort(), 50);
    expect((await call).code).toBe('cancelled');
    put('f', 'needle');
    expect((await workspace.grep({ pattern: 'needle' })).matches).toEqual([{ path: 'f' }]);
  });

  it('leaves no descriptor behind, however it ends', async () => {
    setUp([]);
    for (let i = 0; i < 400; i++) put(`d${i % 20}/e/f${i}`, 'text\n'.repeat(50));
    await closeSearchWorkers();
    const open = () => readdirSync('/proc/self/fd').length;
    const before = open();
    for (let i = 0; i < 300; i++) {
      const abort = new AbortController();
      const call = (
        i % 2
          ? workspace.glob('**/*', { signal: abort.signal })
          : workspace.grep({ pattern: 'nothing', signal: abort.signal })
      ).catch(() => {});
      if (i % 3) await sleep(0);
      abort.abort();
      await call;
    }
    await closeSearchWorkers();
    // A thread's own descriptors go a moment after it.
    await expect.poll(open).toBeLessThanOrEqual(before);
  });

  it('goes on when an idle thread fails or is gone', async () => {
    setUp(['f']);
    await closeSearchWorkers();
    const workers: Worker[] = [];
    const note = (worker: Worker) => void workers.push(worker);
    process.on('worker', note);
    try {
      await workspace.glob('*');
      workers[0]?.emit('error', new Error('out of memory'));
      await workspace.glob('*');
      expect(workers).toHaveLength(2);
      await Promise.all(workers.map((worker) => worker.terminate()));
      expect((await workspace.glob('*')).matches).toEqual(['f']);
      expect(workers).toHaveLength(3);
    } finally {
      process.off('worker', note);
    }
  });

  it('leaves the searched directory once it is done', async ({ skip }) => {
    setUp(['a/b/f']);
    if (!existsSync('/proc/self/task')) skip();
    for (const limit of [1, 9]) await workspace.grep({ pattern: 'f', outputMode: 'content', maxMatches: limit });
    await workspace.glob('a/**');
    const places = readdirSync('/proc/self/task').flatMap((id) => {
      try {
        return readlinkSync(`/proc/self/task/${id}/cwd`);
      } catch {
        // A thread that ended meanwhile.
        return [];
      }
    });
    expect(places.length).toBeGreaterThan(0);
    expect(places.filter((place) => place.startsWith(scratch.workspace))).toEqual([]);
  });

  it('can be ended at any moment of its start', async () => {
    setUp(['f']);
    for (let delayMs = 0; delayMs < 40; delayMs += 3) {
      const call = workspace.glob('*').catch(() => {});
      await sleep(delayMs);
      await closeSearchWorkers();
      await call;
    }
    expect((await workspace.glob('*')).matches).toEqual(['f']);
  });

  it('holds few roots, however many workspaces it is asked for', async () => {
    setUp([]);
    const count = () => readdirSync('/proc/self/fd').length;
    await closeSearchWorkers();
    const before = count();
    for (let i = 0; i < 200; i++) {
      mkdirSync(join(scratch.workspace, `u${i}`));
      const user = openWorkspace(join(scratch.workspace, `u${i}`));
      await user.glob('*');
      user.close();
    }
    // The startup sweeps of the last workspaces may still hold theirs.
    await expect.poll(() => count() - before).toBeLessThan(120);
    expect(readFileSync('/proc/self/status', 'utf8')).toContain('Threads');
  });
});
