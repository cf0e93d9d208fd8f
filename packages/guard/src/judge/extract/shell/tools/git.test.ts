import { expect, it } from 'vitest';
import { effects } from '../testing.ts';

it.each([
  ['git -C sub commit -m x', 'sub'],
  ['git -C .. commit -m x', '..'],
  ['git --git-dir x commit', 'x'],
  ['git config --global user.name x', '~/.gitconfig'],
  ['git config -f f user.name x', 'f'],
  ['git config --edit', '.git/config'],
  ["git difftool -x 'touch y'", 'y'],
  ['gh release download -D dir', 'dir'],
  ['gh repo clone a/b', 'b'],
  ['gh repo clone a/b dir', 'dir'],
  ['git lfs install', '.git/hooks ?'],
  ['git -C src init', 'src'],
  ['git --git-dir ../x init', '../x'],
  ['cd src && git commit', 'src'],
  ['git config --system a.b c', '/etc/gitconfig ?'],
  ['git config set --global a.b c', '~/.gitconfig ?'],
  ['gh release download -O f', 'f'],
  ['gh repo clone a/b -- --depth 1', 'b'],
])('git: finds what is written by %s', (command, expected) => {
  expect(effects(command)).toBe(expected);
});

it.each([
  'git status',
  'git -C .. status',
  'git -c user.name=x commit',
  'git stash list',
  'git config user.name x',
  'gh pr list',
  'hg status',
  'git -C src log',
  'cd src && git log',
  'git stash',
  'git -C sub stash list',
  'git config --global a.b',
  'gh release view -O f',
  'gh repo view a/b',
])('git: finds nothing that is written by %s', (command) => {
  expect(effects(command)).toBe('');
});

it.each([
  "git -c core.pager='rm x' log",
  'git --exec-path=x status',
  'git frobnicate',
  'git config core.hooksPath x',
  'git grep -O x',
  'gh extension install x',
  'gh auth login',
  'hg --config x.y=z st',
  'cd "$(git rev-parse --show-toplevel)" && touch x',
  'git -C "$X" commit',
  'git "$X"',
  'gh alias set a b',
  'scalar register',
])('git: cannot tell what is written by %s', (command) => {
  expect(effects(command)).toBe('?');
});
