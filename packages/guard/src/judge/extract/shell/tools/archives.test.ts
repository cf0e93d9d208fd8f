import { expect, it } from 'vitest';
import { effects } from '../testing.ts';

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
