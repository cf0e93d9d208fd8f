import { expect, it } from 'vitest';
import { effects, outcome } from '../testing.ts';

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

it.each([
  ["deno eval 'console.log(1)'", ''],
  ["deno eval --print 'x()'", "? A program is written into the command line of 'deno'."],
  ['bun x rimraf a', 'a'],
  ['bun x github:o/r', "? It is not known what 'github:o/r' runs. ? It is not known what 'r' is given to run later."],
  ['bun x --bun touch a', 'a'],
  ['bun run s.ts /x', '(s.ts) (/x)'],
  ['bun run https://h/x', '? A program is loaded from a URL.'],
  ['deno run data:x', '(data:x) ? A program is loaded from a URL.'],
  ['deno serve blob:x', '<serve (blob:x) ? A program is loaded from a URL.'],
  ['deno test https://h/x', '? A program is loaded from a URL.'],
  ['deno bench https://h/x', '? A program is loaded from a URL.'],
  ['deno cache https://h/x', '? A program is loaded from a URL.'],
  ['deno install https://h/x', "? A program is loaded from a URL. ? 'deno install' writes outside the project."],
  ['deno exec https://h/x', '<exec ? A program is loaded from a URL.'],
  ["echo 'x()' | deno run -", "? A program is written into the command line of 'deno'."],
  ['deno run -', "? A program is written into the command line of 'deno'."],
  ["echo 'console.log(1)' | bun run -", ''],
  ['bun add -g x', "? 'bun add' writes outside the project."],
  ['bun install --global x', "? 'bun install' writes outside the project."],
  ['bun pm -g ls', ''],
  ['bun run -g x', '(x)'],
  ['bun test -g', ''],
  ['bun add x', ''],
  ['bun remove x', ''],
  ['bun link', "? 'bun link' writes outside the project."],
  ['bun upgrade', "? 'bun upgrade' writes outside the project."],
  ['deno upgrade', "? 'deno upgrade' writes outside the project."],
  ['deno install x', "? 'deno install' writes outside the project."],
  ['bun build a.ts --outdir d', 'd'],
  ['bun build a.ts --outfile o', 'o'],
  ['bun build --cwd sub a.ts --outdir d', 'sub sub/d'],
  ['bun install --root sub', 'sub'],
  ['deno compile --output o a.ts', 'o'],
  ['deno compile -o o a.ts', 'o'],
  ['deno test --coverage-dir d', 'd'],
  ['bun test --reporter-outfile f', 'f'],
  ['deno fmt f', '(fmt) (f)'],
  ['deno lint', '(lint)'],
  ['deno check a.ts', ''],
  ['deno task x', ''],
  ['deno doc a.ts', ''],
  ['bun create x', '(create) (x)'],
  ['bun init', '(init)'],
  ['bun patch x', ''],
  ['bun publish', ''],
  ['bun audit', ''],
  ['deno outdated', ''],
  ['bun s.ts', '<s.ts'],
  ['deno s.ts', '<s.ts'],
])('bun and deno: finds the effects of %s', (command, expected) => {
  expect(outcome(command)).toBe(expected);
});
