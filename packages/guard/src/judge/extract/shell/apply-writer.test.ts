import { expect, it } from 'vitest';
import { effects, outcome, read } from './testing.ts';

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

it.each([
  ['touch $X', "? It is not known what 'touch' is given. ? It is not known what '$X' stands for."],
  ['touch a $X', "a ? It is not known what 'touch' is given. ? It is not known what '$X' stands for."],
  ['prettier $X', ''],
  ['rsync -e ssh a h:b', 'h:b:replaces <a'],
  ["rsync -e 'ssh -p 22 -i key' a h:b", 'h:b:replaces <a ? An option names a program that is run for the transport.'],
  ["rsync -e 'ssh -F cfg' a h:b", 'h:b:replaces <a ? An option names a program that is run for the transport.'],
  [
    "rsync -e 'ssh -o ProxyCommand=x' a h:b",
    'h:b:replaces <a ? An option names a program that is run for the transport.',
  ],
  ['rsync --rsh=/usr/bin/ssh a h:b', 'h:b:replaces <a'],
  ['rsync --rsh x a h:b', 'h:b:replaces <a ? An option names a program that is run for the transport.'],
  ["rsync --rsync-path 'rm x' a h:b", 'h:b:replaces <a ? An option names a program that is run for the transport.'],
  ['rsync -M --log-file=x a h:b', 'h:b:replaces <a ? An option names a program that is run for the transport.'],
  ['rsync a localhost:b', "<a ? 'rsync' may write on this machine under another name."],
  ['rsync h:a b', 'b:replaces <h:a'],
  ['rsync --remove-source-files a b', 'b:replaces a <a'],
  ['rsync a b --info x', 'b:replaces <a'],
  ['rsync a b c', 'c:replaces c/a:replaces c/b:replaces <a <b'],
  ['rsync a b --info=x', 'b:replaces <a'],
  ['scp a h:b', 'h:b <a'],
  ["scp -o ProxyCommand='touch x' a h:b", 'x h:b <a ? An option of ssh runs a command.'],
  ['scp -F cfg a h:b', 'h:b <a ? ssh reads its options from a file.'],
  ['scp -S prog a h:b', 'h:b <a ? An option names a program that is run for the transport.'],
  ['scp -D prog a h:b', 'h:b <a ? An option names a program that is run for the transport.'],
  ['scp a localhost:b', "<a ? 'scp' may write on this machine under another name."],
  ['scp h:a b', 'b <h:a'],
  ['rename s/a/b/ f g', 'f g'],
  ["rename 's/a/..\\/b/' f", 'f ? It is not known which names the expression gives.'],
  ["rename 's/a/b/e' f", 'f ? It is not known which names the expression gives.'],
  ["rename 's/a/`x`/' f", 'f ? It is not known which names the expression gives.'],
  ['rename -e x f', 'f'],
  ['cp -s a b', 'a b'],
  ['cp -l a b', 'a b'],
  ['cp --symbolic-link a b', 'a b'],
  ['cp --link a b', 'a b'],
  ['install -d a b', 'a b'],
  ['install --directory a b', 'a b'],
  ['chmod +x a', 'a'],
  ['chmod 644 a b', 'a b'],
  ['chmod -x a b', 'a b'],
  ['chmod -R 644 a', 'a'],
  ['chmod --reference=r a b', 'a b'],
  ['chown --reference=r a', 'a'],
  ['chown me a', 'a'],
  ['cp -t d a b', 'd d/a d/b <a <b'],
  ['cp --target-directory=d a', 'd d/a <a'],
  ['mv -t d a b', 'd:replaces a:removes b:removes d/a:replaces d/b:replaces'],
  ['mv a b', 'a:removes b:replaces'],
  ['mv a b d/', 'a:removes b:removes d/:replaces d/a:replaces d/b:replaces'],
  ['ln -s a b', 'a:replaces b:replaces'],
  ['ln -s ../a src/b', 'src/../a:replaces src/b:replaces'],
  ['ln -s a src/b', 'src/a:replaces src/b:replaces'],
  ['ln -s a ./', 'a:replaces ./:replaces ./a:replaces'],
  ['ln -s a .', 'a:replaces .:replaces ./a:replaces'],
  ['ln -s /a b', '/a b:replaces'],
  ['ln -s ~/a b', '~/a b:replaces'],
  ['ln -s a', 'a'],
  ['ln --symbolic a src', 'a:replaces src:replaces src/a:replaces'],
  ['ln a b', 'a b:replaces'],
  ["prettier --write 'src/*.ts' '!src/x*.ts'", 'src/*.ts'],
  ["eslint --fix '!x[a]' y", 'y'],
  ["rimraf 'src/*'", 'src/*'],
  ["del-cli 'src/?'", 'src/?'],
  ["cpx 'src/*' d", 'd:fills <src/*'],
  ['rm a', 'a'],
  ['rmdir a', 'a'],
  ['shred a', 'a'],
  ['mkdir a/b; cd a/b && touch c', 'a/b a/b/c'],
  ['cd src; split f', 'src <src/f'],
  ['cd src; csplit f', 'src'],
  ['split f', '<f'],
  ['emacs --eval x f', "f ? An option of 'emacs' runs a command."],
  ['sort --compress-program x f', "<f ? An option of 'sort' runs a command."],
  ['fzf --bind x', "? An option of 'fzf' runs a command."],
  ['black --check a', '<a'],
  ['black a', 'a'],
  ['prettier a', '<a'],
  ['gzip -c a', '<a'],
  ["rename -e 's/a/b/' -e 's/c/../' f g", 'f g ? It is not known which names the expression gives.'],
  ['mv --target-directory=src a*', 'src:replaces a*:removes src/a*:replaces'],
  ['rm **', '0'],
  ['ln -s a ..', '../a:replaces ..:replaces'],
  ['chmod u+x "$X"', "? It is not known what 'chmod' is given. ? It is not known what '\"$X\"' stands for."],
  ['cp a --backup b', 'a b'],
])('writers: finds the effects of %s', (command, expected) => {
  expect(outcome(command)).toBe(expected);
});

it.each([
  ...'rm rmdir unlink rimraf del-cli trash trash-put shred wipe srm'.split(' ').map((name) => [`${name} a`, 'a', '']),
  ['mv a b', 'a', 'b'],
  ['mv a b src', 'a b', 'src src/a src/b'],
  ['mv -t src a', '', 'src a src/a'],
  ['mv --target-directory src a', '', 'src a src/a'],
  ['mv a', '', 'a'],
  ['cp a b', '', 'b'],
  ['touch a', '', 'a'],
])('writers: finds which paths are only removed by %s', (command, taken, put) => {
  const reading = read(command);
  expect([[...reading.taken].join(' '), [...reading.put].join(' ')]).toEqual([taken, put]);
});

it.each([
  ["prettier --write 'a*'", 'a* pattern'],
  ["eslint --fix 'a?'", 'a? pattern'],
  ["stylelint --fix 'a*'", 'a* pattern'],
  ["biome format --write 'a*'", 'format a* pattern'],
  ["rimraf '[a]b'", '[a]b pattern'],
  ["del-cli 'a*'", 'a* pattern'],
  ["cpx a '*b'", '*b pattern'],
  ["copyfiles a '*b'", '*b pattern'],
  ['rimraf a*', 'a* pattern'],
  ["rm 'a*'", 'a*'],
  ['rm a*', 'a* pattern'],
])('writers: finds which paths are wildcards in %s', (command, expected) => {
  expect(
    read(command)
      .writes.map(({ path, isPattern }) => (isPattern === true ? `${path} pattern` : path))
      .join(' '),
  ).toBe(expected);
});
