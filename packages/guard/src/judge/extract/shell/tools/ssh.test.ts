import { expect, it } from 'vitest';
import { effects } from '../testing.ts';

it.each([
  ['ssh -E log h', 'log'],
  ["ssh -o ProxyCommand='touch x' h", 'x ?'],
  ['ssh -L ./s:h:1 h', './s'],
])('ssh: finds what is written by %s', (command, expected) => {
  expect(effects(command)).toBe(expected);
});

it.each(['ssh h rm x', 'ssh -o StrictHostKeyChecking=no h', 'ssh -F none h'])(
  'ssh: finds nothing that is written by %s',
  (command) => {
    expect(effects(command)).toBe('');
  },
);

it.each([
  'ssh localhost rm x',
  'ssh user@127.0.0.1 x',
  'ssh $H x',
  'ssh -o ControlPath=/x h',
  'ssh -F conf h',
  'ssh -I lib h',
])('ssh: cannot tell what is written by %s', (command) => {
  expect(effects(command)).toBe('?');
});
