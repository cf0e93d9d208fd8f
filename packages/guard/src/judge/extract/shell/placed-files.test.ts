import { expect, it } from 'vitest';
import { effects } from './testing.ts';

it.each([
  ['cp a src', 'src src/a'],
  ['cp a b', 'b'],
  ['cp a b src', 'src src/a src/b'],
  ['cp -T a src', 'src'],
  ['cp -t src a b', 'src src/a src/b'],
  ['cp -r a/. dir', 'dir'],
  ['cp -r a new', 'new'],
  ['mv a src', 'a src src/a'],
  ['mv a b', 'a b'],
  ['ln -s /etc/x', '/etc/x x'],
  ['ln -s a b', 'a b'],
  ['rsync -a a/ dir', 'dir'],
  ['cp --parents a/b src', 'src src/a/b'],
  ['cp *.ts src', 'src src/*.ts'],
  ['install -D a b/c', 'b/c'],
  ['cp a/.git src', 'src src/.git'],
  ['mv a b src', 'a b src src/a src/b'],
  ['rsync -a a dir', 'dir'],
  ['ln /etc/x .', '/etc/x . ./x'],
  ['cp a/ src', 'src src/a'],
  ['cp a src/', 'src/ src/a'],
  ['cp -r a .', '. ./a'],
  ['mv a', 'a'],
  ['ln a', 'a'],
  ['rsync -a src/ d', 'd'],
  ['rsync -a src d', 'd'],
  ['cp a b h:c', 'h:c h:c/a h:c/b'],
  ['cp ../x .', '. ./x'],
  ['install a src', 'src src/a'],
])('files put into directories: finds what is written by %s', (command, expected) => {
  expect(effects(command)).toBe(expected);
});
