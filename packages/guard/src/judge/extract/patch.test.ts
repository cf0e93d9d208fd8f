import { describe, expect, it } from 'vitest';
import { costOf } from '../../../../../tests/support/yardstick.ts';
import { readPatch } from './patch.ts';

describe('the headers of a patch', () => {
  it('are those of Codex, padded, moved and in any case', () => {
    const text = [
      '*** Begin Patch',
      ' *** Update File: a b.ts ',
      '*** Move to: c.ts',
      '@@',
      '-*** Update File: no1',
      '+*** Update File: no2',
      '*** ADD file: d.ts\r',
      '+--- no3',
      '+++ no4',
      '*** Delete File: e.ts',
      '*** End Patch',
    ].join('\n');
    expect(readPatch(text).paths).toEqual(['a b.ts', 'c.ts', 'd.ts', 'e.ts']);
  });

  it('are those of unified diffs, and their hunks are content', () => {
    const text = [
      'diff --git a/x.ts b/x.ts',
      '--- a/x.ts\t2024-01-01',
      '+++ b/x.ts',
      '@@ -1,2 +1,2 @@',
      '--- no1',
      '+++ no2',
      ' rename',
      '--- a/y.ts',
      '+++ b/z.ts',
      '@@ -1 +1 @@',
      '-a',
      '+b',
    ].join('\n');
    expect(readPatch(text).paths).toEqual(['a/x.ts', 'x.ts', 'b/x.ts', 'a/y.ts', 'y.ts', 'b/z.ts', 'z.ts']);
  });

  it('are found after a hunk with a wrong count', () => {
    const text = '--- a\n+++ a\n@@ -1,99 +1,99 @@\n-a\n--- b\n+++ /etc/x\n@@ -1 +1 @@\n-a\n+b\n';
    expect(readPatch(text).paths).toContain('/etc/x');
  });

  it('are read as git quotes them', () => {
    expect(readPatch('--- "a/\\303\\244"\n+++ "b/\\056\\056/x"\n@@ -1 +1 @@\n').paths).toEqual([
      'a/ä',
      'ä',
      'b/../x',
      '../x',
    ]);
    expect(readPatch('rename from a b\nrename to ../c d\n').paths).toEqual(['a b', '../c d']);
  });

  it('are not read in search and replace blocks, unless the block never ends', () => {
    const block = '<<<<<<< SEARCH\n*** Update File: no\n=======\n+++ no\n>>>>>>> REPLACE';
    expect(readPatch(`src/a.ts\n\`\`\`ts\n${block}\n\`\`\``).paths).toEqual(['src/a.ts']);
    expect(readPatch('<<<<<<< SEARCH\n*** Update File: yes\n').paths).toEqual(['yes']);
    expect(readPatch(`*** Begin Patch\n${block}`).paths).toEqual(['no']);
  });

  it('show when a link or a submodule is created', () => {
    expect(readPatch('diff --git a/l b/l\nnew file mode 120000\n').undecidable).toHaveLength(1);
    expect(readPatch('diff --git a/l b/l\nnew file mode 100644\n').undecidable).toEqual([]);
  });

  it('are not found in other text, and /dev/null is not a path', () => {
    expect(readPatch('hello\nworld')).toEqual({ paths: [], undecidable: [], isPatch: false });
    expect(readPatch('--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+a').paths).toEqual(['b/x', 'x']);
  });

  const after = '--- c\n+++ d\nno hunk';
  it.each([
    ['a hunk of one line each', `--- a\n+++ b\n@@ -1 +1 @@\n-a\n+b\n${after}`, ['a', 'b', 'c', 'd']],
    ['a hunk whose last lines are missing', `--- a\n+++ b\n@@ -1,2 +1 @@\n-a\n+b\n${after}`, ['a', 'b']],
    ['a hunk with more new lines', `--- a\n+++ b\n@@ -1 +1,2 @@\n-a\n+b\n${after}`, ['a', 'b']],
    ['an unchanged line', `--- a\n+++ b\n@@ -1,2 +1,2 @@\n x\n-a\n+b\n${after}`, ['a', 'b', 'c', 'd']],
    ['more lines than the hunk has', `--- a\n+++ b\n@@ -1 +0,0 @@\n-a\n+b\n${after}`, ['a', 'b', 'c', 'd']],
    ['a note about the last line', `--- a\n+++ b\n@@ -1 +1 @@\n-a\n\\ No newline\n${after}`, ['a', 'b']],
    ['a header of Codex in an open hunk', `@@ -9,9 +9,9 @@\n*** Update File: e\n${after}`, ['e', 'c', 'd']],
    ['a new pair in an open hunk', `@@ -9,9 +9,9 @@\n--- a\n+++ b\n@@ -1 +0,0 @@\n-x\n${after}`, ['a', 'b', 'c', 'd']],
  ])('are counted with the lines of their hunks: %s', (_, text, expected) => {
    expect(readPatch(text)).toEqual({ paths: expected, undecidable: [], isPatch: true });
  });

  it.each([
    ['*** Rename File: a -> b\n*** Copy: c => d\n*** Move: e → f', ['a', 'b', 'c', 'd', 'e', 'f']],
    ['*** a.c\tMon\n--- b.c\tTue\n***************\n*** 1,2 ****\n--- 1,2 ----', ['a.c', 'b.c']],
    ['*** 1,2 ****\n--- 1,2 ----', []],
    ['+++ b/only\n@@ -1 +1 @@', ['b/only', 'only']],
    ['+++ b/only\nno hunk', []],
    ['copy from a\ncopy to b\nIndex: c\nPrereq: d\nProperty changes on: e', ['a', 'b', 'c', 'd', 'e']],
    ['Only in dir: x\nBinary files y and z differ', ['dir', 'x', 'y', 'z']],
    ['diff --cc x\ndiff --combined y', ['x', 'y']],
    ['diff --git a/x y b/x y', ['a/x y', 'x y', 'b/x y']],
    ['diff --git "a/\\tx" b/y', ['a/\tx', '\tx', 'b/y', 'y']],
    ['diff --git x y', ['x', 'y']],
    ['--- a/x 2024-01-01 10:00:00 +0000\n+++ c//y', ['a/x', 'x', 'c//y', '/y']],
    ['--- "\\n\\r\\a\\b\\f\\v\\q€"\n+++ x/../y', ['\n\r\x07\b\f\vq€', 'x/../y', '../y']],
  ])('are found in %j', (text, expected) => {
    expect(readPatch(text).paths).toEqual(expected);
  });

  it.each([
    ['# `src/a.ts`:\n\n', 'src/a.ts'],
    ['src/my file.ts\n```ts\n', 'src/my file.ts'],
    ['two words\n', undefined],
    [':start_line:3\n', undefined],
    ['a.ts\n\n\n\n', undefined],
    ['>>>>>>> REPLACE\n', undefined],
    [`${'x'.repeat(8_193)}\n`, undefined],
  ])('of a block are in the lines above it: %j', (above, name) => {
    const block = '<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE';
    expect(readPatch(above + block)).toEqual({
      paths: name === undefined ? [] : [name],
      undecidable: [],
      isPatch: true,
    });
  });

  it('are whole where they are longer than any path', () => {
    const [most, long] = ['x'.repeat(8_192), 'x'.repeat(8_193)];
    expect(readPatch(`*** Update File: ${most} -> y`).paths).toEqual([`${most} -> y`]);
    expect(readPatch(`rename from ${most}\t1\nrename to b/${most}`).paths).toEqual([`${most}\t1`, `b/${most}`]);
    expect(readPatch(`rename to ${long}`).paths).toEqual([long]);
    expect(readPatch(`diff --git a/${long} b/${long}`).paths).toEqual([`a/${long} b/${long}`]);
  });

  it.each(['new file mode 120000', 'old mode 160000', 'deleted file mode 120000', 'index 1a..2b 120000'])(
    'show a link or a submodule in %j',
    (line) => {
      expect(readPatch(line).undecidable).toEqual([
        'The patch makes a link or a submodule, and a write through it may change any file',
      ]);
    },
  );

  it('are found in linear time', async () => {
    const read = () => {
      readPatch('<<<<<<< SEARCH\n'.repeat(20_000));
      readPatch(`--- ${' a'.repeat(50_000)}\n+++ ${'\\'.repeat(100_000)}\n@@ x`);
      readPatch('*** Update File: ->'.repeat(20_000));
      readPatch('diff --git '.concat('" '.repeat(50_000)));
    };
    await expect.poll(() => costOf(read)).toBeLessThan(100);
  });
});
