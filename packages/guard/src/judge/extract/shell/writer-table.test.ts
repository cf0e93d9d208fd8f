import { describe, expect, it } from 'vitest';
import { effects } from './testing.ts';
import { WRITERS } from './writer-table.ts';

it.each([
  ['tee a b', 'a b'],
  ['touch -r x -d y a', 'a'],
  ['truncate -s 0 a', 'a'],
  ['mkdir -m 755 a', 'a'],
  ['shred -n 3 a', 'a'],
  ['mknod p b 1 2', 'p'],
  ['chmod 644 a b', 'a b'],
  ['chown --from u x a', 'a'],
  ['chattr -v 1 +i a', 'a'],
  ['xattr -w n v a', 'a'],
  ['xattr -l a', ''],
  ['cp a b c', 'c/a c/b c'],
  ['cp -t d a', 'd/a d'],
  ['mv a b', 'a b'],
  ['install -m 644 a b', 'b'],
  ['ln -s a b', 'a b'],
  ['split a p', 'p'],
  ['csplit -f p a 1', 'p'],
  ['uniq a b', 'b'],
  ['uniq a', ''],
  ['xxd -r a b', 'b'],
  ['sort a -o b', 'b'],
  ['shuf -o b a', 'b'],
  ['iconv -f x a -o b', 'b'],
  ['gzip a', 'a'],
  ['gzip -c a', ''],
  ['zstd -o b a', 'b a'],
  ['strip -o b a', 'b a'],
  ['pdftotext a.pdf b', 'b'],
  ['xmllint --output b a', 'b'],
  ['ss -D f', 'f'],
  ['cloc --out=f src', 'f'],
  ['convert a b.png', 'b.png'],
  ['prettier --write a', 'a'],
  ['prettier --check a', ''],
  ['eslint a', ''],
  ['eslint --fix a', 'a'],
  ['eslint -o f a', 'f'],
  ['black a', 'a'],
  ['black --check a', ''],
  ['gofmt -w a', 'a'],
  ['gofmt a', ''],
  ['clang-format -i a', 'a'],
  ['rustfmt --check a', ''],
  ['yq -i .x a', 'a'],
  ['yq .x a', ''],
  ['rsync a b', 'b'],
  ['rsync --log-file=f a b', 'f b'],
])('knows what is written by %s', (command, expected) => {
  const found = effects(command)
    .split(' ')
    .filter((path) => path !== '?');
  for (const path of expected.split(' ').filter(Boolean)) expect(found, effects(command)).toContain(path);
  if (expected === '') expect(effects(command)).toBe('');
});

it.each([
  'sort --compress-program ./x a',
  'split --filter ./x a',
  'fzf --bind x',
  'install --strip-program ./x a b',
  'emacs -l ./x',
])('knows that a program may run in %s', (command) => {
  expect(effects(command)).toContain('?');
});

describe('the table', () => {
  it('names options in its lists with a dash, and each option that is written among those with a value', () => {
    for (const [name, { values = '', writes, target, readsFrom, runs, only, unless, flags }] of WRITERS) {
      for (const list of [values, writes, target, readsFrom, runs, only, unless, flags])
        for (const option of (list ?? '').split(' ').filter(Boolean)) expect(option, name).toMatch(/^-{1,2}[\w:-]+$/);
      for (const option of `${writes ?? ''} ${target ?? ''}`.split(' ').filter(Boolean))
        expect(values.split(' '), `${name} ${option}`).toContain(option);
    }
  });

  it('has the commands that delete', () => {
    for (const name of ['rm', 'rmdir', 'unlink', 'rimraf', 'trash', 'shred'])
      expect(WRITERS.get(name)?.operands).toBe('all');
  });
});
