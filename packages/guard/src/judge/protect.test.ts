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
