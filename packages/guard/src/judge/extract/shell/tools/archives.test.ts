import { expect, it } from 'vitest';
import { effects, outcome } from '../testing.ts';

it.each([
  ['zip a.zip x', 'a.zip'],
  ['zip -m a.zip x y', 'a.zip x y'],
  ['zip -b tmp a.zip x', 'tmp a.zip'],
  ['zip -O out.zip a.zip x', 'out.zip a.zip'],
  ["zip -T -TT 'touch z' a.zip x", 'z a.zip ?'],
  ['ar rcs lib.a a.o b.o', 'lib.a'],
  ['ar x lib.a', '.'],
  ['ar x lib.a one.o', 'one.o'],
  ['ar --output dir x lib.a', 'dir'],
  ['ar rb m.o lib.a a.o', 'm.o lib.a a.o'],
  ['pax -wf out.pax x', 'out.pax'],
  ['pax -rf in.pax', '. ?'],
  ['pax -rw x dir', 'dir'],
  ['pax -w -f o -s /a/b/ x', 'o ?'],
])('zip, ar and pax: finds what is written by %s', (command, expected) => {
  expect(effects(command)).toBe(expected);
});

it.each(['ar t lib.a'])('zip, ar and pax: finds nothing that is written by %s', (command) => {
  expect(effects(command)).toBe('');
});

it.each(['ar -M'])('zip, ar and pax: cannot tell what is written by %s', (command) => {
  expect(effects(command)).toBe('?');
});

it.each([
  ['zip a.zip x y', 'a.zip <x <y'],
  ['zip -r a.zip src', 'a.zip <src'],
  ['zip -m a.zip x', 'a.zip x:removes'],
  ['zip --move a.zip x', 'a.zip x:removes'],
  ['zip - x', '<x'],
  ['zip -b t -O out.zip a.zip x', 't out.zip a.zip <x'],
  ['zip --temp-path t --output-file o --out p a.zip', 't o p a.zip'],
  ['zip -P secret -n .x -s 1m -t 1 -tt 2 a.zip x', 'a.zip <x (2)'],
  ['zip -lf log a.zip x', 'log a.zip <x'],
  ['zip -rlf log a.zip x', 'log a.zip <x'],
  ['zip --logfile-path l a.zip x', 'l a.zip <x'],
  ["zip -T -TT 'touch y' a.zip x", 'y a.zip <x ? zip runs a command to test the archive.'],
  ["zip -rTT 'touch y' a.zip x", 'y a.zip <x ? zip runs a command to test the archive.'],
  ["zip -TT='touch y' a.zip x", 'y a.zip <x ? zip runs a command to test the archive.'],
  ["zip --unzip-command 'touch y' a.zip x", 'y a.zip <x ? zip runs a command to test the archive.'],
  ['zip a.zip x -TT', 'a.zip <x ? zip runs a command to test the archive.'],
  ['ar rcs lib.a x.o', 'lib.a'],
  ['ar -r -c lib.a x.o', 'lib.a'],
  ['ar rb member lib.a x.o', 'member lib.a x.o'],
  ['ar t lib.a', '<lib.a'],
  ['ar p lib.a x.o', '<lib.a <x.o'],
  ['ar tr lib.a x', 'lib.a'],
  ['ar x lib.a', '.:fills <lib.a'],
  ['ar x lib.a a b', 'a b <lib.a <a <b'],
  ['ar x --output d lib.a', 'd:fills <lib.a'],
  ['ar d lib.a x', 'lib.a'],
  ['ar -M', '? ar takes its commands from its input.'],
  ['ar --plugin p.so t lib.a', "<lib.a ? 'p.so' is code that ar loads."],
  ['ar --target x rcs lib.a', 'lib.a'],
  ['ar', ''],
  ['pax -rw . d', 'd:fills (.)'],
  ['pax -w -f a.tar x', 'a.tar'],
  ['pax -r -f a.tar', '.:fills ? Names of the archive are taken as they are.'],
  [
    'pax -r -s ,a,b, -f a.tar',
    '.:fills ? Names of the archive are rewritten. ? Names of the archive are taken as they are.',
  ],
  ['pax -f a.tar', ''],
  ['zip -mlf log a.zip x', 'log a.zip x:removes'],
  ['zip -ltt 2 a.zip x', 'a.zip <x (2)'],
  ['ar -Z v', 'v'],
  ['ar rb m.o lib.a a.o name', 'm.o lib.a a.o'],
  ['ar x --output d d lib.a', 'd:fills <d <lib.a'],
  ['pax -r -s ,a,b, -f a.tar -w', '? Names of the archive are rewritten.'],
])('archives: finds the effects of %s', (command, expected) => {
  expect(outcome(command)).toBe(expected);
});
