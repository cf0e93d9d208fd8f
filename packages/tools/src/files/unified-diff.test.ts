import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fileDir } from '../../../../tests/support/temp-dir.ts';
import { costOf } from '../../../../tests/support/yardstick.ts';
import { unifiedDiff } from './unified-diff.ts';

const dir = fileDir();

/** A diff of the file at `path`. */
interface Change {
  readonly path: string;
  readonly before: string;
  readonly diff: string;
}

/** Applies diffs to their files with one `git apply -p0` or `patch -p0`, and returns what the files hold then. */
function apply(tool: 'git' | 'patch', changes: readonly Change[]): string[] {
  for (const { path, before } of changes) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), before);
  }
  const args =
    tool === 'git'
      ? ['apply', '-p0', '--whitespace=nowarn', '--unsafe-paths', '-']
      : ['-p0', '--binary', '--quiet', '--no-backup-if-mismatch', '--fuzz=0'];
  const input = changes.map(({ diff }) => diff).join('');
  // Outside of repositories, because git would skip ignored files.
  execFileSync(tool, args, { cwd: dir, input, env: { ...process.env, GIT_DIR: join(dir, 'none') } });
  const made = changes.map(({ path }) => readFileSync(join(dir, path), 'utf8'));
  for (const { path } of changes) rmSync(join(dir, path));
  return made;
}

const tools: ('git' | 'patch')[] = ['git', 'patch'];
const bothMake = (before: string, after: string, path = 'file.txt') => {
  const diff = unifiedDiff(path, before, after);
  for (const tool of tools) expect(apply(tool, [{ path, before, diff }]), `${tool}:\n${diff}`).toEqual([after]);
};

describe('a unified diff', () => {
  it('of equal texts is empty', () => {
    expect(unifiedDiff('a', 'x\n', 'x\n')).toBe('');
  });

  it('has three lines of context and counts lines of the whole file', () => {
    const lines = Array.from({ length: 100 }, (_, i) => `line ${i + 1}`);
    const after = lines.with(49, 'changed');
    expect(unifiedDiff('d/a.txt', `${lines.join('\n')}\n`, `${after.join('\n')}\n`)).toBe(
      '--- d/a.txt\n+++ d/a.txt\n@@ -47,7 +47,7 @@\n line 47\n line 48\n line 49\n-line 50\n+changed\n line 51\n line 52\n line 53\n',
    );
  });

  it('turns one text into the other with mixed line endings', () => {
    const rows: [string, string][] = [
      ['a\n', 'a'],
      ['a', 'a\n'],
      ['a\nb\nc', 'a\nb\nc\n'],
      ['a\nb', 'a\nc'],
      ['a\r\nb\r\n', 'a\r\nc\r\n'],
      ['a\r\nb', 'a\nb'],
      ['a\rb\n', 'a\rc\n'],
      ['x\n', 'x\ny\n'],
      ['x\ny\n', 'y\n'],
      ['\n\n\n', '\n\n'],
      ['-- a\n++ b\n', '++ b\n-- a\n'],
      ['a\u2028b\n', 'a\u2028c\n'],
      ['1\n2\n3\n4\n5\n6\n7\n8\n9\n', '1\n2\n3\n4\n5\n6\n7\n8\nnine'],
    ];
    for (const [before, after] of rows) bothMake(before, after);
  });

  it('empties a file, with the line numbers of an empty side', () => {
    expect(unifiedDiff('a', 'x\n', '')).toBe('--- a\n+++ a\n@@ -1,1 +0,0 @@\n-x\n');
    expect(unifiedDiff('a', '', 'x\n')).toBe('--- a\n+++ a\n@@ -0,0 +1,1 @@\n+x\n');
  });

  it('of a change that is too large to compare shows the whole block, and applies', () => {
    const block = (word: string, end: string) =>
      `head\n${Array.from({ length: 3_000 }, (_, i) => `${word} ${i}`).join('\n')}${end}`;
    for (const [before, after] of [
      [block('old', '\ntail\n'), block('new', '\ntail\n')],
      [block('old', ''), block('new', '\n')],
      [block('old', '\n'), block('new', '')],
    ] as const) {
      bothMake(before, after);
    }
  });

  it('of two changes far apart has two short hunks', () => {
    const lines = Array.from({ length: 50_000 }, (_, i) => `line ${i}`);
    const after = lines.with(10, 'first').with(49_000, 'second');
    expect(unifiedDiff('a', `${lines.join('\n')}\n`, `${after.join('\n')}\n`).split('\n')).toHaveLength(21);
  });

  it('of millions of changed lines ends where the result does, and does not hold the event loop for seconds', async () => {
    const [before, after] = ['a\n'.repeat(4_000_000), 'b\n'.repeat(4_000_000)];
    let diff = '';
    const compare = () => {
      diff = unifiedDiff('a', before, after, 100_000);
    };
    // About 20; a diff of all lines took 600.
    await expect.poll(() => costOf(compare)).toBeLessThan(150);
    expect(diff.length).toBeGreaterThan(100_000);
    expect(diff.length).toBeLessThan(101_000);
  });

  it('quotes file names with spaces, quotes and line breaks in one line', () => {
    for (const path of ['with space.txt', 'a "quoted" one', 'back\\slash', 'line\nbreak', 'tab\there', 'é ü.txt']) {
      const diff = unifiedDiff(path, 'a\n', 'b\n');
      expect(diff.split('\n').filter((line) => /^(---|\+\+\+) /.test(line))).toHaveLength(2);
      expect(diff.split('\n')).toHaveLength(6);
    }
    bothMake('a\nb\n', 'a\nc\n', 'with space.txt');
  });

  it('turns any text into any other', () => {
    const line = fc.constantFrom(
      '',
      'a',
      'b',
      'long line of text',
      '\t',
      ' lead',
      '@@ -1 +1 @@',
      '-',
      '+',
      '\\ No newline',
      'é',
    );
    const text = fc
      .array(fc.tuple(line, fc.constantFrom('\n', '\n', '\r\n')), { maxLength: 14 })
      .chain((lines) =>
        fc
          .boolean()
          .map((ended) =>
            lines.map(([words, end], i) => words + (i === lines.length - 1 && !ended ? '' : end)).join(''),
          ),
      );
    // A diff of lines cannot create or remove an empty file.
    const pairs = fc
      .sample(fc.tuple(text, text), 200)
      .filter(([before, after]) => before !== after && before !== '' && after !== '');
    expect(pairs.length).toBeGreaterThan(150);
    const changes = pairs.map(([before, after], i) => {
      const path = `${i}.txt`;
      return { path, before, diff: unifiedDiff(path, before, after) };
    });
    for (const tool of tools) expect(apply(tool, changes), tool).toEqual(pairs.map(([, after]) => after));
  });
});
