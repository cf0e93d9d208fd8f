import { expect, it } from 'vitest';
import { effects } from '../testing.ts';

it.each([
  ['vim a.txt', 'a.txt'],
  ["vim -c 'w b.txt' a.txt", 'b.txt a.txt'],
  ["vim +'w !touch c' a.txt", 'c a.txt'],
  ["ex -s a.txt -c 'saveas d'", 'd a.txt'],
  [String.raw`printf 'w e\n!touch f\n' | ed a`, 'a e f'],
  [String.raw`printf 'a\nw g\n.\nw h\n' | ed a`, 'a h'],
  ['vim -S script a.txt', 'a.txt ?'],
  ['vim -u NONE a.txt', 'a.txt'],
  [`vim -c 'call system("x")' a`, 'a ?'],
  ['vim -w keys a', 'keys a'],
  [String.raw`printf 'w z\n' | ex -s a`, 'a z'],
])('editors: finds what is written by %s', (command, expected) => {
  expect(effects(command)).toBe(expected);
});

it.each(['vim -R a.txt', 'view a.txt'])('editors: finds nothing that is written by %s', (command) => {
  expect(effects(command)).toBe('');
});
