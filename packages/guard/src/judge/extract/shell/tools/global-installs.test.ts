import { expect, it } from 'vitest';
import { effects } from '../testing.ts';

it.each([
  ['gem install x --install-dir dir', 'dir'],
  ['mise use node@20', 'mise.toml'],
  ['asdf local node 20', '.tool-versions'],
])('installs for every project: finds what is written by %s', (command, expected) => {
  expect(effects(command)).toBe(expected);
});

it.each([
  'gem list',
  'cabal build',
  'pyenv local 3',
  'luarocks install --tree t x',
  'dotnet tool install x',
  'dotnet build',
])('installs for every project: finds nothing that is written by %s', (command) => {
  expect(effects(command)).toBe('');
});

it.each(['gem install x', 'cabal install', 'pyenv global 3', 'dotnet tool install -g x', 'mise use -g node@20'])(
  'installs for every project: cannot tell what is written by %s',
  (command) => {
    expect(effects(command)).toBe('?');
  },
);
