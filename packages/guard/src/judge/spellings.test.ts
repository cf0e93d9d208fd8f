import { describe, expect, it } from 'vitest';
import { costOf } from '../../../../tests/support/yardstick.ts';
import { MAX_PATH, type Reading, readingsOf, shellReadingsOf } from './spellings.ts';

const paths = (written: string) => readingsOf(written, { home: '/home/u' }).map((reading) => reading.path);

const described = ({ path, shown, unresolvable, isAlias }: Reading) =>
  path +
  (shown === path ? '' : ` shown ${shown}`) +
  (unresolvable === undefined ? '' : ` ? ${unresolvable}`) +
  (isAlias === true ? ' alias' : '');

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

  it.each([
    ['a, /b', ['a, /b', 'a,/b', 'a', '/b']],
    ['a\n~/b', ['a\n~/b', 'a', '~/b ? a home directory', 'a~/b']],
    ['a\u2044.\u2216b', ['a⁄.∖b', 'a/.\\b', 'a/./b', 'a/b']],
    ['$A1/x', ['$A1/x ? a variable that is filled in later']],
    ['%~dp0/x', ['%~dp0/x ? a variable that is filled in later']],
    ['!DIR!/x', ['!DIR!/x ? a variable that is filled in later']],
    ['{{ env.DIR }}/x', ['{{ env.DIR }}/x ? a variable that is filled in later']],
    ['$home/x', ['$home/x ? a variable that is filled in later']],
    ['`a b`', ['`a b` ? a variable that is filled in later', 'a b']],
    ['@', ['@']],
    ["'@/x'", ["'@/x'", '@/x', '/x alias']],
    ['~/x', ['~/x ? a home directory']],
    ['~root/x', ["~root/x ? another user's home directory"]],
    ['file:///a?b', ['/a?b', '/a']],
    ['file:\\a', ['/a']],
    ['FILE:///a', ['/a']],
    ['file://host/a', ['\\\\host/a ? a network share or a device', '\\host/a', '/host/a']],
    ['file://LOCALHOST/a', ['/a']],
    ['file://127.0.0.1/a', ['/a']],
    ['file://localhost', ['/']],
    ['file:///C:/a', ['C:/a ? a drive of Windows']],
    ['ab:/x', ['ab:/x ? a URL']],
    ['//?/C:/x', ['//?/C:/x ? a device']],
    ['... /b', ['... /b', './b', 'b']],
    ['a//b', ['a//b']],
    ['%2525252e/a', ['%2525252e/a', '%25252e/a', '%252e/a', '%2e/a']],
    ['%c0%ae%C0%AE%c0%af', ['%c0%ae%C0%AE%c0%af', '../']],
    ['%ff%2e%2E/a', ['%ff%2e%2E/a', '%ff../a', '%ff/a']],
    ['\\u{110000}a', ['\\u{110000}a', '/u{110000}a']],
    ['\\u{10ffff}a', ['\\u{10ffff}a', '/u{10ffff}a', '\u{10ffff}a']],
    ['\\056\\056/a', ['\\056\\056/a', '/056/056/a', '../a']],
    ['\\ a', ['\\ a', '/ a', ' a', 'a']],
    [
      '&amp;&quot;&apos;&lt;&gt;&sol;&bsol;&period;&nbsp;x',
      ['&amp;&quot;&apos;&lt;&gt;&sol;&bsol;&period;&nbsp;x', `&"'<>/\\. x`, `&"'<>//. x`, `&"'<>/. x`],
    ],
    [
      '&#46;&#x2E;&#1114111;&#1114112;&#x110000;',
      ['&#46;&#x2E;&#1114111;&#1114112;&#x110000;', '..\u{10ffff}&#1114112;&#x110000;'],
    ],
    ['&PERIOD;&foo;', ['&PERIOD;&foo;', '.&foo;']],
    ['\u201ca\u201d', ['“a”', 'a']],
    ['@"/x"', ['@"/x"', '@"/x', '"/x"', '"/x', '/x']],
  ])('of %j are exactly these', (written, expected) => {
    expect(readingsOf(written).map(described)).toEqual(expected);
  });

  it('show `~` in place of the home directory', () => {
    expect(readingsOf('~/a/../x', { home: '/home/u' })).toEqual([
      { path: '/home/u/a/../x', shown: '~/a/../x' },
      { path: '/home/u/x', shown: '~/a/../x' },
    ]);
  });

  it('of a path on Windows have the backslash as a separator', () => {
    expect(readingsOf('C:\\a', { isWindows: true }).map(described)).toEqual(['C:\\a', 'C:/a']);
    expect(readingsOf('file:///C:/a', { isWindows: true }).map(described)).toEqual(['C:/a']);
  });

  it('of a list of paths are all its paths, and unresolvable if they are too many to judge', () => {
    const list = (count: number) => Array.from({ length: count }, (_, at) => `/${at}`).join(',');
    expect(paths(list(200)).sort()).toEqual([list(200), ...list(200).split(',')].sort());
    const tooMany = (written: string) => [
      { path: written, shown: written, unresolvable: 'more paths than can be judged' },
    ];
    expect(readingsOf(list(201))).toEqual(tooMany(list(201)));
    const long = (length: number) => `${'a'.repeat(length - 3)},/b`;
    expect(paths(long(8_192))).toContain('/b');
    expect(readingsOf(long(8_193))).toEqual(tooMany(long(8_193)));
    expect(readingsOf(list(201).replaceAll(',', '%2C'))).toMatchObject([
      { unresolvable: 'more paths than can be judged' },
    ]);
  });

  it('of a path that a shell has processed have nothing decoded', () => {
    expect([...new Set(shellReadingsOf('%2e%2e/@x').map(described))]).toEqual(['%2e%2e/@x']);
    expect([...new Set(shellReadingsOf('~/x', { home: '/h' }).map(described))]).toEqual(['/h/x shown ~/x']);
    expect([...new Set(shellReadingsOf('x\\y', { isWindows: true }).map(described))]).toEqual(['x\\y', 'x/y']);
    expect(shellReadingsOf(`../${'x'.repeat(MAX_PATH)}`)).toHaveLength(1);
  });

  it('are unresolvable, and found at once, for a path that no system opens', async () => {
    const longest = `../${'x'.repeat(32_765)}`;
    expect(readingsOf(longest).map(described)).toEqual([longest]);
    const longer = `${longest}x`;
    const unresolvable = 'more characters than a path has';
    expect(readingsOf(longer)).toEqual([{ path: longer, shown: longer, unresolvable }]);
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
