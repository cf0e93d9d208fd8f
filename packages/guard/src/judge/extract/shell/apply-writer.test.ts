import { expect, it } from 'vitest';
import { effects } from './testing.ts';

it.each([
  ['tee x y', 'x y'],
  ['tee -a x', 'x'],
  ['cp a b', 'b'],
  ['rm -rf d', 'd'],
  ['mkdir -p a/b', 'a/b'],
  ['chmod +x s', 's'],
  ['chown u f', 'f'],
  ['truncate -s 0 f', 'f'],
  ['ln -sf a b', 'a b'],
  ['rmdir d', 'd'],
  ['shred f', 'f'],
  ['split -b 1 f pre', 'pre'],
  ['sort -o out f', 'out'],
  ['uniq a b', 'b'],
  ['install a b', 'b'],
  ['touch -r a b', 'b'],
  ['chmod --reference=a b', 'b'],
  ['mv -t src a', 'src a src/a'],
  ['unlink f', 'f'],
  ['mkfifo p', 'p ?'],
  ['mknod p p', 'p ?'],
  ['mkdir -p d && cp a d', 'd d/a'],
  ['install -d d', 'd'],
  ['sort -o out --compress-program=x f', 'out ?'],
])('writers: finds what is written by %s', (command, expected) => {
  expect(effects(command)).toBe(expected);
});

it.each(['sort f', 'cut -f1 f', 'tr a b', 'head f', 'cp', 'chmod'])(
  'writers: finds nothing that is written by %s',
  (command) => {
    expect(effects(command)).toBe('');
  },
);

it.each(["split --filter='touch x' f"])('writers: cannot tell what is written by %s', (command) => {
  expect(effects(command)).toBe('?');
});
