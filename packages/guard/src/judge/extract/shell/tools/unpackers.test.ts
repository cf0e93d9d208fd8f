import { expect, it } from 'vitest';
import { effects } from '../testing.ts';

it.each([
  ['tar xf a.tar', '.'],
  ['tar xzf a.tgz -C dir', 'dir'],
  ['tar -cf a.tar x', 'a.tar'],
  ['tar -xf a.tar one two', 'one two'],
  ['tar -xPf a.tar', '. ?'],
  ["tar -xf a.tar --to-command='touch x'", 'x .'],
  ['tar cf a.tar --remove-files x', 'a.tar x'],
  ["tar -cf a.tar -I 'touch y' x", 'y a.tar'],
  ['tar -cf a.tar -I pigz x', 'a.tar'],
  ["tar --checkpoint-action=exec='touch z' -cf a.tar x", 'z a.tar'],
  ['tar -xf a.tar --transform s/a/b/', '. ?'],
  ['unzip a.zip', '.'],
  ['unzip a.zip -d dir', 'dir'],
  ['unzip a.zip one', 'one'],
  ['unzip -: a.zip', '. ?'],
  ['7z x a.7z', '.'],
  ['7z x a.7z -odir', 'dir'],
  ['7z a a.7z x', 'a.7z'],
  ['cpio -i < a', '. ?'],
  ['cpio -pd dir', 'dir'],
])('unpacking: finds what is written by %s', (command, expected) => {
  expect(effects(command)).toBe(expected);
});

it.each(['tar tf a.tar', 'tar -xOf a.tar', 'tar -cf - x', 'unzip -l a.zip', '7z l a.7z', 'cpio -it < a'])(
  'unpacking: finds nothing that is written by %s',
  (command) => {
    expect(effects(command)).toBe('');
  },
);
