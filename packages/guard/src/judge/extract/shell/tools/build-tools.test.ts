import { expect, it } from 'vitest';
import { effects } from '../testing.ts';

it.each([
  ['make -C sub test', 'sub'],
  ['make SHELL=/bin/x', '/bin/x ?'],
  ['make PREFIX=/usr/local install', '/usr/local'],
  ["make CC='rm x'", 'x'],
  ["make OUT='$(shell rm x)'", 'x ?'],
  ['cmake -B build -S .', 'build'],
  ['cmake --build build', 'build'],
  ['cmake --install build', 'build ?'],
  ['cmake --install build --prefix out', 'build out'],
  ['cmake -E copy a b', 'b'],
  ['cmake -E remove a', 'a'],
  ['cmake -E chdir sub touch x', 'x sub/x'],
  ['gcc -o out a.c', 'out'],
  ['gcc -oout.exe a.c', 'out.exe'],
  ['gcc -Wl,-Map=m.map a.c', 'm.map'],
  ['rustc --out-dir target a.rs', 'target'],
  ['javac -d classes A.java', 'classes'],
  ['gcc -MF dep.d a.c', 'dep.d'],
])('builds and compilers: finds what is written by %s', (command, expected) => {
  expect(effects(command)).toBe(expected);
});

it.each(['make', 'make -C . test', 'make -f other.mk', 'gcc -I /usr/include a.c'])(
  'builds and compilers: finds nothing that is written by %s',
  (command) => {
    expect(effects(command)).toBe('');
  },
);

it.each(["make --eval 'x:' ", 'cat x | make -f -', 'gcc -fplugin=x.so a.c', 'gcc -B/x a.c'])(
  'builds and compilers: cannot tell what is written by %s',
  (command) => {
    expect(effects(command)).toBe('?');
  },
);
