import { describe, expect, it } from 'vitest';
import { costOf } from '../../../../tests/support/yardstick.ts';
import { readingsOf } from './spellings.ts';

const paths = (written: string) => readingsOf(written, { home: '/home/u' }).map((reading) => reading.path);

describe('the readings of a path', () => {
  it('are one for an ordinary path', () => {
    for (const path of ['src/a.ts', 'app/[id]/(x)/page.tsx', '/work/x', 'docs/my notes.md', 'ä/文.md'])
      expect(new Set(paths(path)), path).toEqual(new Set([path]));
  });

  it('include the reading of each lenient client', () => {
    for (const [written, read] of [
      ['"/etc/x"', '/etc/x'],
      [' /etc/x\n', '/etc/x'],
      ['%252e%252e/x', '../x'],
      ['..\\x', '../x'],
      ['．．／x', '../x'],
      ['.\u200b./x', '../x'],
      ['file://localhost/etc/x', '/etc/x'],
      ['file:///etc/x?y', '/etc/x'],
      ['a/../b', 'b'],
      ['.. /x', '../x'],
      ['\\u002e\\u002e/x', '../x'],
      ['&#46;./x', '../x'],
      ['@/etc/x', '/etc/x'],
      ['~/x', '/home/u/x'],
    ] as const)
      expect(paths(written), written).toContain(read);
  });

  it('are unresolvable for variables, other homes, shares, drives and schemes', () => {
    for (const written of [
      '$HOME/x',
      'a/${X}',
      '%TEMP%\\x',
      '$env:X',
      '$(pwd)/x',
      '~root/x',
      '\\\\srv\\x',
      'C:x',
      'sftp://h/x',
    ])
      expect(
        readingsOf(written).some((reading) => reading.unresolvable),
        written,
      ).toBe(true);
    for (const written of [
      'app/$slug.tsx',
      '$id.tsx',
      'Foo$Bar.class',
      '100%.md',
      'a%20b.md',
      '~$x.docx',
      '~backup.md',
      '$URLParam.ts',
    ])
      expect(
        readingsOf(written).some((reading) => reading.unresolvable),
        written,
      ).toBe(false);
  });

  it('are unresolvable, and found at once, for a path that no system opens', async () => {
    const written = `${'../'.repeat(40_000)}x`;
    expect(readingsOf(written)).toMatchObject([{ unresolvable: 'more characters than a path has' }]);
    // About 46 where its `..` are resolved.
    await expect.poll(() => costOf(() => readingsOf(written))).toBeLessThan(5);
  });

  it('are bounded at any nesting of encodings', async () => {
    for (const written of [
      '%25'.repeat(1_000),
      '"'.repeat(4_000),
      '\\u005c'.repeat(600),
      '&amp;'.repeat(800),
      '@'.repeat(4_000),
      '$('.repeat(2_000),
      '`'.repeat(4_000),
      ' '.repeat(4_000),
      `./a${' '.repeat(100_000)}b`,
      '[~'.repeat(2_000),
    ]) {
      expect(readingsOf(written).length).toBeLessThan(1_500);
      await expect.poll(() => costOf(() => readingsOf(written)), { message: written.slice(0, 9) }).toBeLessThan(50);
    }
  });
});
