import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import type { WorkspaceError } from '../errors.ts';
import { useWorkspaces } from '../use-workspaces.ts';
import { addRules, type IgnoreRules } from './ignore-rules.ts';
import { closeSearchWorkers } from './worker-pool.ts';

const open = useWorkspaces();
afterAll(closeSearchWorkers);

describe('.gitignore', () => {
  const gitIn =
    (dir: string) =>
    (...args: string[]) =>
      execFileSync('git', ['-C', dir, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });

  it('leaves out what git leaves out, by files of every level', async () => {
    const { workspace, at } = open([
      '.gitignore = *.log\\n/build/\\nnode_modules\\n!keep.log\\ndoc/*.txt\\n# comment\\n\\\\#hash\\ntrail  \\n',
      'a.log',
      'keep.log',
      'build/x',
      'sub/build/x',
      'node_modules/p/i.js',
      'sub/node_modules/q.js',
      'doc/a.txt',
      'doc/b/c.txt',
      '#hash',
      'trail',
      'sub/.gitignore = !b.log\\n*.tmp',
      'sub/b.log',
      'sub/c.log',
      'sub/x.tmp',
      'x.tmp',
      'deep/a/.gitignore = /only',
      'deep/a/only',
      'deep/a/b/only',
    ]);
    const git = gitIn(at(''));
    git('init', '-q');
    const kept = git('ls-files', '-z', '--others', '--exclude-standard').split('\0').filter(Boolean).sort();
    expect(
      await workspace
        .grep({ pattern: '', isRegex: true, gitignore: true })
        .catch((error: WorkspaceError) => error.code),
    ).toBe('invalid');
    const found = (await workspace.grep({ pattern: '^', isRegex: true, gitignore: true })).matches
      .map((match) => match.path)
      .sort();
    expect(found).toEqual(kept);
    expect((await workspace.grep({ pattern: 'c.log', path: 'sub', gitignore: true })).matches).toEqual([]);
    expect((await workspace.grep({ pattern: 'i.js', path: 'node_modules', gitignore: true })).matches).toEqual([
      { path: 'node_modules/p/i.js' },
    ]);
    expect((await workspace.glob('**/*.log')).matches).toEqual(['a.log', 'keep.log', 'sub/b.log', 'sub/c.log']);
  });

  it('says of any path what git says', async () => {
    const { at } = open();
    const git = gitIn(at(''));
    git('init', '-q');
    const names = ['a', 'b', 'ab', 'a.b', '.b', 'a b', 'a-b', '#a', '!a', 'x]y', 'A', '7', 'é'];
    const paths = names
      .flatMap((name) => [name, `a/${name}`, `b/${name}`, `b/a/${name}`])
      .filter((path, _, all) => !all.some((other) => other.startsWith(`${path}/`)));
    for (const path of paths) {
      mkdirSync(dirname(at(path)), { recursive: true });
      writeFileSync(at(path), '');
    }
    const part = fc.constantFrom(
      'a',
      'b',
      '*',
      '**',
      '?',
      'a*',
      '*b',
      '[ab]',
      '[!a]',
      '[^b]',
      '[a-c]',
      'a.b',
      '.b',
      'a\\*',
      '\\a',
      '[',
      'a[',
      '[]x]y',
      '[[:digit:]]',
      '[[:alpha:]]b',
      'x]y',
      '\\#a',
      '\\!a',
      'a b',
      '***',
      '[a\\-]',
      '[\\]a]',
      '[!]',
      'a**b',
      '[[:nope:]]',
      '[z-a]',
    );
    const pattern = fc
      .tuple(
        fc.constantFrom('', '', '!', '/', '**/', '#', '!/', '\ufeff'),
        fc.array(part, { minLength: 1, maxLength: 3 }),
        fc.constantFrom('/', '/', ''),
        fc.constantFrom('', '', '/', '/**', ' ', '  ', '\\ ', '\\', '\\\\ ', '\t', '\r'),
      )
      .map(([head, parts, glue, tail]) => head + parts.join(glue) + tail);
    await fc.assert(
      fc.asyncProperty(fc.array(pattern, { minLength: 1, maxLength: 5 }), async (patterns) => {
        const text = patterns.join('\n');
        writeFileSync(at('.gitignore'), text);
        const kept = new Set(git('ls-files', '-z', '--others', '--exclude-standard').split('\0').filter(Boolean));
        const rules = addRules(undefined, '', text);
        const expected = paths.filter((path) => kept.has(path)).sort();
        expect(paths.filter((path) => !isIgnored(rules, path)).sort(), JSON.stringify(text)).toEqual(expected);
      }),
      { numRuns: 120, seed: 42 },
    );
  });
});

/** As a walk sees it: a directory that is left out is never entered. */
function isIgnored(rules: IgnoreRules | undefined, path: string): boolean {
  const parts = path.split('/');
  return parts.some((name, i) => rules?.ignores(parts.slice(0, i + 1).join('/'), name, i < parts.length - 1));
}
