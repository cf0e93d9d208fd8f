import { expect, it } from 'vitest';
import { effects } from '../testing.ts';

it.each([
  ['git clone https://h/a/b.git', 'b'],
  ['git clone https://h/a/b dir', 'dir'],
  ['git clone --bare https://h/a/b', 'b.git'],
  ['git clone --template t u', 'u ?'],
  ['git clone --separate-git-dir g u', 'g u ?'],
  ['git init sub', 'sub'],
  ['git init --bare', '.'],
  ['git worktree add ../w', '../w'],
  ['git worktree remove w', 'w'],
  ['git submodule add u p', 'p'],
  ["git submodule foreach 'touch x'", 'x'],
  ['git rm a', 'a'],
  ['git mv a b', 'a b'],
  ['git clean -fd sub', 'sub'],
  ['git checkout -- a', 'a'],
  ['git checkout ./a', './a'],
  ['git restore a', 'a'],
  ["git rebase -x 'touch y' main", 'y'],
  ['git bisect run touch z', 'z'],
  ['git apply --directory d p', 'd'],
  ['git bundle create b.bundle HEAD', 'b.bundle'],
])('changes of git: finds what is written by %s', (command, expected) => {
  expect(effects(command)).toBe(expected);
});

it.each(['git init', 'git rm --cached a', 'git clean -fd', 'git checkout main', 'git commit -m x'])(
  'changes of git: finds nothing that is written by %s',
  (command) => {
    expect(effects(command)).toBe('');
  },
);

it.each(['git filter-branch --tree-filter x', 'git apply --unsafe-paths p', 'git maintenance start'])(
  'changes of git: cannot tell what is written by %s',
  (command) => {
    expect(effects(command)).toBe('?');
  },
);
