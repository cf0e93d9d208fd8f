import { describe, expect, it } from 'vitest';
import { costOf } from '../../../../tests/support/yardstick.ts';
import { DEFAULT_PROTECT } from '../policy/default-patterns.ts';
import { pathRules } from './protect.ts';

describe('rules for paths', () => {
  it('match a file, a whole directory, and a name at any depth', () => {
    const rules = pathRules(['.git/hooks/**', '**/.envrc', '*.pem', 'a?c/x']);
    for (const path of [
      '.git/hooks/x/y',
      '.git/hooks',
      '.envrc',
      'a/b/.envrc',
      'k.pem',
      'd/k.pem',
      'abc/x',
      'abc/x/y',
      './.envrc',
    ])
      expect(rules.match(path), path).toBeDefined();
    for (const path of ['.git/config', 'x.envrc', 'k.pems', 'ac/x', 'hooks', 'b/.git/hooks/x'])
      expect(rules.match(path), path).toBeUndefined();
  });

  it('return the first glob that matches a path, with or without wildcards', () => {
    const globs = ['*.key', 'a/**', '**/b/c.key', 'a/b/c.key', '**/A*/x', 'q/**/.git/z'];
    const rules = pathRules(globs);
    for (const path of ['a/b/c.key', 'b/c.key', 'x/b/c.key', 'q/b', 'q/r/.git/z/y', 'q/r/z', 'as/x', 'A/x', 'b', 'q'])
      for (const ask of ['match', 'below'] as const)
        expect(rules[ask](path), `${ask} ${path}`).toBe(globs.find((glob) => pathRules([glob])[ask](path)));
    expect(rules.match('z/b/c.key')).toBe('*.key');
    expect(rules.match('a/b/c')).toBe('a/**');
    expect(rules.below('q/r')).toBe('q/**/.git/z');
  });

  it('treat names as equal that are equal on some file system', () => {
    const rules = pathRules(['.git/hooks/**']);
    for (const path of [
      '.GIT/Hooks/x',
      '.g\u200cit/hooks/x',
      '.ｇit/hooks/x',
      '.git./hooks /x',
      '.git::$INDEX_ALLOCATION/hooks/x',
    ])
      expect(rules.match(path), path).toBeDefined();
  });

  it('match entries below a directory', () => {
    const rules = pathRules(['**/.git/hooks/**', 'a/b/c']);
    for (const path of ['.git', 'x/.git', 'a', 'a/b']) expect(rules.below(path), path).toBeDefined();
    for (const path of ['src', 'a/x', 'b']) expect(rules.below(path), path).toBeUndefined();
  });

  it('match the short names of Windows', () => {
    const rules = pathRules(['**/.git/hooks/**', '**/.claude/settings.json']);
    for (const path of ['GIT~1/hooks/x', 'a/GIT~2/HOOKS~1/x', 'CLAUDE~1/SETTIN~1.JSO', 'CL1A2B~1/settings.json'])
      expect(rules.match(path), path).toBeDefined();
    for (const path of ['GITS~1/hooks', 'a~1/hooks/x', 'CLAUDE~1/SETTIN~1.TXT'])
      expect(rules.match(path), path).toBeUndefined();
  });

  it('match the possible expansions of a wildcard', () => {
    const rules = pathRules(['**/.git/hooks/**', '**/croft.config.yaml', '**/*.code-workspace']);
    for (const path of ['*.yaml', 'croft.config.y?ml', '.g*/hooks/x', '.git/hook*', '.git/hooks/*', '*.code-workspace'])
      expect(rules.mayMean(path, false), path).toBeDefined();
    for (const path of ['*', 'src/*', 'src/*.yaml', '*.ts', 'a*', '.git/x*', '*/hooks/x', '.g*'])
      expect(rules.mayMean(path, false), path).toBeUndefined();
    expect(rules.mayMean('.g*', true)).toBeDefined();
  });
});

/** For a path: what matches it, what is below it, and what a wildcard may mean when it writes or removes; `-` for none. */
function answers(path: string, globs: readonly string[], paths: readonly string[] = []): string {
  const rules = pathRules(globs, paths);
  return [rules.match(path), rules.below(path), rules.mayMean(path, false), rules.mayMean(path, true)]
    .map((found) => found ?? '-')
    .join(' ');
}

it.each<[string, string, string]>([
  ['./a/b', 'a/b', './a/b - ./a/b ./a/b'],
  ['./a/b', 'a', '- ./a/b - ./a/b'],
  ['/a/b', './a/b', '/a/b - /a/b /a/b'],
  ['a/b/', 'a/b/c', 'a/b/ - a/b/ a/b/'],
  ['a/', 'x/a/b', 'a/ - - -'],
  ['*/c', 'c', '- */c - */c'],
  ['*/c', 'a/b/c', '- - - -'],
  ['**', 'a', '** - ** **'],
  ['.git', '.', '- - - -'],
  ['.git', '.*', '- - - -'],
  ['.git', '?git', '- - - -'],
  ['.git', '.g[h-j]t', '- - .git .git'],
  ['.git', 'a/.g*', '- - .git .git'],
  ['a/.b', 'a/*', '- - - -'],
  ['a/.b', 'a/.*', '- - a/.b a/.b'],
  ['a/.b', '*/.b', '- - - -'],
  ['a/b', 'a/*', '- - a/b a/b'],
  ['a/b', '?/b', '- - - -'],
  ['longname.json', 'LONGNA~1.JSO', 'longname.json - longname.json longname.json'],
  ['longname.json', 'LONGNA~12.JSO', 'longname.json - longname.json longname.json'],
  ['longname.json', 'LONGNA~1', '- - - -'],
  ['longname.json', 'LO1A2B~1.JSO', 'longname.json - longname.json longname.json'],
  ['longname.json', 'L1A2B~1.JSO', 'longname.json - longname.json longname.json'],
  ['longname.json', 'LON1A2B~1.JSO', '- - - -'],
  ['longname.json', 'XX1A2B~1.JSO', '- - - -'],
  ['longname.json', 'LO1A2G~1.JSO', '- - - -'],
  ['a b.c.d', 'ABC~1.D', 'a b.c.d - a b.c.d a b.c.d'],
  ['a b.c.d', 'AB~1.C', '- - - -'],
  ['a:b', 'a', 'a:b - a:b a:b'],
  ['a.', 'A..', 'a. - a. a.'],
  ['a/b', 'a//./b/', 'a/b - a/b a/b'],
  ['xxxxx', '*'.repeat(1_001), '- - - -'],
  ['xxxxx', `x${'*'.repeat(1_000)}`, '- - xxxxx xxxxx'],
  ['xxxxx', `y${'*'.repeat(1_000)}`, '- - xxxxx xxxxx'],
  ['xxxxx', `y${'*'.repeat(999)}`, '- - - -'],
])('the rule %s answers about %.20s', (glob, path, expected) => {
  expect(answers(path, [glob])).toBe(expected);
});

it('a rule with several `**` matches by the parts between them', () => {
  const rules = pathRules(['**/a/**/a/b', 'c/**/d/**/e/**']);
  const path = (text: string) => text.split('').join('/');
  expect(['aab', 'axab', 'xaxaxab', 'aaaab', 'cde', 'cxdxexx', 'cdde'].map((text) => rules.match(path(text)))).toEqual([
    ...Array(4).fill('**/a/**/a/b'),
    ...Array(3).fill('c/**/d/**/e/**'),
  ]);
  for (const text of ['ab', 'aaxb', 'aaaax', 'aaaaxxb', 'ce', 'ced', 'cdddx', 'dce'])
    expect(rules.match(path(text)), text).toBeUndefined();
});

it('a further file is matched by its whole path', () => {
  const of = (path: string) => answers(path, [], ['x/A.txt', '/y/b']);
  expect(['x/a.txt', 'X/A.TXT', 'x', 'z/x/a.txt', 'y/b', '*.txt'].map(of)).toEqual([
    'x/A.txt - x/A.txt x/A.txt',
    'x/A.txt - x/A.txt x/A.txt',
    '- x/A.txt - x/A.txt',
    '- - - -',
    '/y/b - /y/b /y/b',
    '- - - -',
  ]);
  expect([pathRules([]).isEmpty, pathRules(['a']).isEmpty, pathRules([], ['a']).isEmpty]).toEqual([true, false, false]);
});

describe('a path of 100,000 components', () => {
  it('is compared with the rules without running out of stack', () => {
    const rules = pathRules(['**/x/**/y', 'q/**/z', '*.key']);
    const long = 'a/'.repeat(100_000);
    expect([rules.match(long), rules.match(`${long}x/${long}y`), rules.match(`${long}b.key`)]).toEqual([
      undefined,
      '**/x/**/y',
      '*.key',
    ]);
    expect([rules.below(`q/${long}`), rules.below(long), rules.mayMean(`x/${long}y*`, true)]).toEqual([
      'q/**/z',
      undefined,
      '**/x/**/y',
    ]);
  });
});

describe('the time of rules for paths', () => {
  // Without bounds, the wildcards take years, and the repeated letters minutes.
  it.each([
    `${'*'.repeat(40)}z?`,
    `${'*?'.repeat(20)}z?`,
    `${'*s'.repeat(20)}z?`,
    '['.repeat(100_000),
    `${'.'.repeat(100_000)}x`,
  ])('is short for the name %.3s that an agent writes', async (name) => {
    const rules = pathRules(DEFAULT_PROTECT);
    const work = () => [rules.mayMean(name, true), rules.match(name)];
    await expect.poll(() => costOf(work)).toBeLessThan(20);
  });

  it('is short for the globs of a project', async () => {
    const rules = pathRules([`${'*a'.repeat(30)}b*`, `${'**/a/'.repeat(20)}b`]);
    const path = `${'a/'.repeat(40)}${'a'.repeat(200)}`;
    await expect
      .poll(() => costOf(() => [rules.match(path), rules.below(path), rules.mayMean(path, true)]))
      .toBeLessThan(20);
  });
});
