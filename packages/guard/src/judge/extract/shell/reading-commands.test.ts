import { expect, it } from 'vitest';
import { effects } from './testing.ts';

it.each([
  ['tree -o f', 'f'],
  ['bat -o f', 'f'],
  ['less -o log f', 'log'],
])('reading commands: finds what is written by %s', (command, expected) => {
  expect(effects(command)).toBe(expected);
});

it.each([
  'cat /etc/passwd',
  'less f',
  'wc -l f',
  'diff a b',
  'stat f',
  'file f',
  'tree',
  'du -sh',
  'less +G f',
  'man ls',
  'frobnicate -o f',
])('reading commands: finds nothing that is written by %s', (command) => {
  expect(effects(command)).toBe('');
});

it.each(['less +!sh f', 'rg --pre ./x p', 'man -Hx ls'])(
  'reading commands: cannot tell what is written by %s',
  (command) => {
    expect(effects(command)).toBe('?');
  },
);
