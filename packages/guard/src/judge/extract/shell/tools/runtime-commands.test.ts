import { expect, it } from 'vitest';
import { effects } from '../testing.ts';

it.each([
  ['bun x rimraf d', 'd'],
  ['bun build a.ts --outfile o.js', 'o.js'],
  ['bun --cwd /etc install', '/etc'],
  ['deno compile -o out a.ts', 'out'],
])('bun and deno: finds what is written by %s', (command, expected) => {
  expect(effects(command)).toBe(expected);
});

it.each(["deno eval 'console.log(1)'", 'bun add x', 'bun s.ts'])(
  'bun and deno: finds nothing that is written by %s',
  (command) => {
    expect(effects(command)).toBe('');
  },
);

it.each([`deno eval 'Deno.removeSync("x")'`, 'bun run https://h/x', 'bun add -g x', 'deno install x'])(
  'bun and deno: cannot tell what is written by %s',
  (command) => {
    expect(effects(command)).toBe('?');
  },
);
