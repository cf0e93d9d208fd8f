import { describe, expect, it } from 'vitest';
import { leastCpuMs, yardstickMs } from '../../../../../tests/support/yardstick.ts';
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

  it('are found in linear time', () => {
    const cost = leastCpuMs(() => {
      readPatch('<<<<<<< SEARCH\n'.repeat(20_000));
      readPatch(`--- ${' a'.repeat(50_000)}\n+++ ${'\\'.repeat(100_000)}\n@@ x`);
      readPatch('*** Update File: ->'.repeat(20_000));
      readPatch('diff --git '.concat('" '.repeat(50_000)));
    }, 2);
    expect(cost / yardstickMs()).toBeLessThan(100);
  });
});
