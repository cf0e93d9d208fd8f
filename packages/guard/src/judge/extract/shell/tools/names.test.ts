import { expect, it } from 'vitest';
import { effects, isOpen } from '../testing.ts';

it.each([
  ['grep -l x src | xargs rm', 'src'],
  ['ls *.js | xargs rm', '*.js'],
])('listed names: finds what is written by %s', (command, expected) => {
  expect(effects(command)).toBe(expected);
});

it.each([
  'rg x | xargs rm',
  'ls | head -1 | xargs rm',
  'git ls-files | xargs rm',
  'git ls-files ../x | xargs rm',
  'git diff | xargs rm',
  'grep -rl x src | sed s/a/b/ | xargs rm',
  'grep -R -l x src | xargs rm',
])('listed names: cannot tell what is written by %s', (command) => {
  expect(effects(command)).toBe('?');
});

it.each([
  'rg -l x | xargs rm',
  'grep -rl x src | sort | uniq | head -2 | xargs rm',
  'grep -rl x src | grep -v y | xargs sed -i s/a/b/',
  'git diff --name-only | xargs rm',
  'git grep -l x | xargs rm',
])('listed names: are below the project where they come from %s', (command) => {
  expect(isOpen(command)).toBe(false);
});
