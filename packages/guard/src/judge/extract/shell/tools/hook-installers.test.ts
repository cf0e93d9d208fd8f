import { expect, it } from 'vitest';
import { effects } from '../testing.ts';

it.each([
  ['pre-commit install', '.git/hooks'],
  ['husky', '.git/hooks'],
  ['npx husky init', '.git/hooks'],
  ['lefthook install', '.git/hooks'],
  ['git-lfs install', '.git/hooks'],
  ['dvc install', '.git/hooks'],
  ['go run example.org/lefthook@latest install', '.git/hooks'],
  ['node node_modules/husky/bin.js install', '.git/hooks'],
  ['bd init', '.git/hooks'],
])('installers of hooks: finds what is written by %s', (command, expected) => {
  expect(effects(command)).toBe(expected);
});

it.each([
  'pre-commit run install',
  'pre-commit run',
  'husky --version',
  'lefthook run x',
  'go get example.org/lefthook',
])('installers of hooks: finds nothing that is written by %s', (command) => {
  expect(effects(command)).toBe('');
});
