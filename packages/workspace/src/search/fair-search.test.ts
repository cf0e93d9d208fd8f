import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, expect, it } from 'vitest';
import { makeScratch, memoryDir, type Scratch } from '../testing.ts';
import { openWorkspace, type Workspace, type WorkspaceOptions } from '../workspace.ts';
import { mayBacktrack } from './may-backtrack.ts';
import { closeSearchWorkers } from './worker-pool.ts';

/** Takes V8 longer over one line than any deadline here. */
const SLOW = { pattern: '(a{1,30}){1,30}b', isRegex: true } as const;
const SLOW_LINES = `${'a'.repeat(4_000)}\n`.repeat(50);

let scratch: Scratch;
let opened: Workspace[];

beforeEach(() => {
  scratch = makeScratch([], undefined, memoryDir());
  opened = [];
});
afterEach(() => {
  for (const workspace of opened) workspace.close();
  scratch.remove();
});
afterAll(closeSearchWorkers);

function open(name: string, limits: WorkspaceOptions['limits'] = { backtrackTimeoutMs: 300 }): Workspace {
  mkdirSync(join(scratch.workspace, name), { recursive: true });
  const workspace = openWorkspace(join(scratch.workspace, name), { limits });
  opened.push(workspace);
  return workspace;
}

const put = (path: string, content: string) => writeFileSync(join(scratch.workspace, path), content);

it.each([
  ['caller of the same workspace', 'one', 'bob'],
  ['workspace', 'two', 'ann'],
])('eight slow searches of one caller let the search of another %s pass', async (_, name, caller) => {
  // No slow search ends before it is cancelled.
  const mine = open('one', { backtrackTimeoutMs: 600_000, searchTimeoutMs: 600_000 });
  const other = open(name);
  put('one/slow', SLOW_LINES);
  put(`${name}/needle`, 'needle');
  const ending = new AbortController();
  const ended: string[] = [];
  const slow = Array.from({ length: 8 }, () =>
    mine.grep({ ...SLOW, caller: 'ann', signal: ending.signal }).catch((error: { code: string }) => {
      ended.push(error.code);
    }),
  );
  for (let i = 0; i < 3; i++)
    expect((await other.grep({ pattern: 'needle', path: 'needle', caller })).matches).toHaveLength(1);
  expect(ended).toEqual([]);
  ending.abort();
  await Promise.all(slow);
  expect(ended).toEqual(Array.from({ length: 8 }, () => 'cancelled'));
});

it('a search waits in turn of its caller where every thread is taken', async () => {
  const workspace = open('one', { backtrackTimeoutMs: 100 });
  put('one/slow', SLOW_LINES);
  const done: string[] = [];
  const search = (caller: string) => workspace.grep({ ...SLOW, caller }).then(() => done.push(caller));
  await Promise.all(['ann', 'ann', 'bob', 'ann', 'ann', 'ann', 'ann', 'ann', 'cat'].map(search));
  // The second turn is hers. In order of arrival at most two would end after her, on the other threads.
  expect(done.slice(done.indexOf('cat')).filter((caller) => caller === 'ann').length).toBeGreaterThan(2);
});

it('a search that ends at its deadline gives what it found, also where its thread is stuck in a line', async () => {
  const workspace = open('one');
  for (const name of ['a', 'b']) put(`one/${name}`, 'xaab\n');
  put('one/c', SLOW_LINES);
  put('one/d', 'aab');
  const seen: number[] = [];
  const found = await workspace.grep({ ...SLOW, onProgress: (files) => seen.push(files) });
  expect(found).toMatchObject({
    matches: [{ path: 'a' }, { path: 'b' }],
    truncated: true,
    filesSearched: 2,
    stoppedAfterMs: 300,
  });
  expect(seen).toContain(2);
});

it('a search that ends between two files gives what it found', async () => {
  const workspace = open('one', { backtrackTimeoutMs: 1 });
  // Milliseconds a file: all of them take seconds, in which a busy main thread notices the deadline.
  for (let i = 0; i < 3_000; i++) put(`one/f${i}`, `needle\n${'a'.repeat(18)}\n`);
  const found = await workspace.grep({ pattern: '(?=n)needle|(?=a)(a+)+b', isRegex: true });
  expect(found).toMatchObject({ truncated: true, stoppedAfterMs: 1 });
  expect(found.matches.length).toBeLessThan(3_000);
});

it('a search without a free thread fails with the reason', async () => {
  // No slow search ends before it is cancelled.
  const busy = open('one', { backtrackTimeoutMs: 600_000, searchTimeoutMs: 600_000 });
  const waiting = open('one', { searchTimeoutMs: 600 });
  put('one/slow', SLOW_LINES);
  const ending = new AbortController();
  const slow = [1, 2].map(() =>
    busy.grep({ ...SLOW, signal: ending.signal }).catch((error: { code: string }) => error.code),
  );
  await expect(waiting.grep({ pattern: 'a' })).rejects.toMatchObject({
    code: 'deadline',
    message: 'Other searches kept this one waiting for 0.6 s. Try again in a moment.',
  });
  ending.abort();
  expect(await Promise.all(slow)).toEqual(['cancelled', 'cancelled']);
});

it.each([
  ['(a{1,30}){1,30}b', true],
  ['(?:a|b)*c', true],
  ['((a+)b?){2,}', true],
  ['(?=x)y', true],
  ['(?<!x)y', true],
  ['(a)\\1', true],
  ['(?P<n>a)(?P=n)', true],
  ['a{1,500}b', true],
  ['import .* from', false],
  ['(foo|bar)baz', false],
  ['(ab)+', false],
  ['(a+)?b', false],
  ['\\(a+\\)*', false],
  ['[(a+)]*', false],
  ['a{2,3}', false],
])('knows whether a pattern can take long by its form: %s', (pattern, may) => {
  expect(mayBacktrack({ pattern, isRegex: true, caseInsensitive: false })).toBe(may);
  expect(mayBacktrack({ pattern, isRegex: false, caseInsensitive: false })).toBe(false);
});
