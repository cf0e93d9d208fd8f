import { expect, it } from 'vitest';
import { effects, outcome } from '../testing.ts';

it.each([
  ['find . -delete', './* .'],
  ['find . -type f -exec rm {} +', './*'],
  [String.raw`find src -exec touch {}.x \;`, 'src/*.x'],
  ['find . -fprint out', 'out'],
  [String.raw`find . -execdir touch y \;`, 'y'],
  ['find /etc -delete', '/etc/* /etc'],
  ["printf 'a b' | xargs touch", 'a b'],
  [String.raw`printf 'a\0b' | xargs -0 touch`, 'a b'],
  ["printf 'a' | xargs -I % touch %.x", 'a.x'],
  ['fd pattern src -X touch', 'src/*'],
])('find, fd and xargs: finds what is written by %s', (command, expected) => {
  expect(effects(command)).toBe(expected);
});

it.each(['find . -name x -print', 'fd pattern', 'xargs'])(
  'find, fd and xargs: finds nothing that is written by %s',
  (command) => {
    expect(effects(command)).toBe('');
  },
);

it.each([
  String.raw`find . -exec {} \;`,
  'find -files0-from l -delete',
  'ls | xargs rm',
  'xargs -a list rm',
  'fd -xrm',
])('find, fd and xargs: cannot tell what is written by %s', (command) => {
  expect(effects(command)).toBe('?');
});

it.each([
  ['find . -delete', './* . <.'],
  ['find', '<.'],
  ['find -L . -delete', "./* <. ? It is not known what '.' stands for."],
  ['find -H -P -D x -O2 src -delete', 'x/* x <x'],
  ['find /etc -delete', '/etc/* /etc </etc'],
  ['find src docs -name x -delete', 'src/0 src/x docs/0 docs/x <src <docs'],
  ['find . -type l -delete', './* <.'],
  ['find . -type f -delete', './* . <.'],
  ["find . -name '*.js' -delete", './0 ./*.js <.'],
  ["find . -iname 'A b' -delete", './0 <.'],
  ['find . -newer x -type d -delete', './0 <.'],
  ['find src/ -size +1 -delete', 'src/0 <src/'],
  ['find . -follow -delete', "./* <. ? It is not known what '.' stands for."],
  ['find . -fprint out', 'out <.'],
  ['find . -fprint0 out', 'out <.'],
  ['find . -fprintf out %p', 'out <.'],
  ['find . -fls out', 'out <.'],
  ['find . -type f -exec rm {} +', './* <.'],
  ["find src -exec touch {}.x ';'", 'src/*.x <src'],
  ["find src -ok touch {} ';'", 'src/* <src'],
  ["find . -execdir touch y ';'", 'y <.'],
  ["find src -execdir touch {} ';'", 'src/./* <src'],
  ["find /etc -okdir touch y ';'", '/etc/y </etc'],
  ["find . -exec {} ';'", "<. ? Every file that is found is run. ? It is not known which command './*' is."],
  ["find . -exec touch a ';' -exec touch b ';'", 'a b <.'],
  ['find . -exec touch a {} + -fprint c', 'a ./* c <.'],
  ['find -files0-from l -delete', '? find reads its start directories from a file.'],
  ['find -files0-from l', ''],
  ['find . "$X"', '<.'],
  ['find ! -name x', '<.'],
  ["find '(' -name x ')' -delete", './0 ./x <.'],
  ["printf 'a b' | xargs touch", 'a b'],
  ["printf 'a b' | gxargs touch", 'a b'],
  ['printf \'a "b" c\' | xargs touch', 'a b c'],
  ["printf 'a\\0b c' | xargs -0 touch", 'a b c'],
  ["printf 'a\\0b c' | xargs --null touch", 'a b c'],
  ["printf 'a b\\nc' | xargs -d '\\n' touch", 'a b c'],
  ["printf 'a b\\nc' | xargs --delimiter='\\n' touch", 'a b c'],
  ["printf 'a b\\nc' | xargs -I % touch %.x", 'a b.x c.x'],
  ["printf 'a' | xargs --replace=@ touch @.x", 'a.x'],
  ["printf 'a' | xargs -J % touch % b", 'a b'],
  [
    'xargs -a list rm',
    "<list ? It is not known what 'rm' is given. ? It is not known what 'what is piped in' stands for.",
  ],
  [
    'xargs --arg-file=list touch',
    "<list ? It is not known what 'touch' is given. ? It is not known what 'what is piped in' stands for.",
  ],
  ['xargs', ''],
  ['ls | xargs rm', "? It is not known what 'rm' is given. ? It is not known what 'what is piped in' stands for."],
  [
    'find . | xargs rm',
    "<. ? It is not known what 'rm' is given. ? It is not known what 'what is piped in' stands for.",
  ],
  [
    'find . -type f | xargs rm',
    "<. ? It is not known what 'rm' is given. ? It is not known what 'what is piped in' stands for.",
  ],
  ['find . -print0 | xargs -0 rm', './* <.'],
  [
    'find src | xargs touch',
    "<src ? It is not known what 'touch' is given. ? It is not known what 'what is piped in' stands for.",
  ],
  ["find . -name '*.o' | xargs rm", './0 ./*.o <.'],
  [
    "find . -exec echo {} ';' | xargs rm",
    "<. ? It is not known what 'rm' is given. ? It is not known what 'what is piped in' stands for.",
  ],
  [
    'find . -printf x | xargs touch',
    "<. ? It is not known what 'touch' is given. ? It is not known what 'what is piped in' stands for.",
  ],
  [
    'find -L . | xargs touch',
    "<. ? It is not known what 'touch' is given. ? It is not known what 'what is piped in' stands for.",
  ],
  ['fd pattern', ''],
  ['fd x src | xargs rm', 'src/0'],
  ['fd x src | xargs touch', 'src/**'],
  ['fd -t f x src | xargs touch', 'src/0'],
  [
    'fd -L x src | xargs touch',
    "? It is not known what 'touch' is given. ? It is not known what 'what is piped in' stands for.",
  ],
  [
    'fd --format y x | xargs touch',
    "? It is not known what 'touch' is given. ? It is not known what 'what is piped in' stands for.",
  ],
  ['fd pattern src -X touch', 'src/*'],
  ["fdfind pattern src -x touch {.}.y ';'", 'src/*.y'],
  ['fd pattern src --exec touch {/}', 'src/*'],
  ['fd -t f x src --exec-batch touch', 'src/0'],
  ['fd x src -x rm', 'src/0'],
  ['fd -L x src -x touch', "src/* ? It is not known what 'src' stands for."],
  ['fd --follow x src -x touch', "src/* ? It is not known what 'src' stands for."],
  ['fd --base-directory src x -x touch', 'src/./*'],
  ['fd --search-path src x -x touch', 'src/*'],
  ['fd x -x touch', './*'],
  ['fd -xrm', '? fd runs a command on each file.'],
  ['fd --exec=rm', '? fd runs a command on each file.'],
  ['fd -e js -d 2 -E node_modules -g x src', ''],
  ['gfind . -delete', './* . <.'],
  ["printf 'a\\\\b' | xargs touch", 'ab'],
  ['find src// -name x -delete', 'src/0 src/x <src//'],
  ['find . -exec touch a ; b', 'a <.'],
  ['find . -name x -exec touch a + -delete', 'a + <.'],
  ['find . -delete $X', "./* . <. ? It is not known what 'find' does."],
  [
    "touch $(find . -exec echo x ';')",
    "<. ? It is not known what 'touch' is given. ? It is not known what '$(find . -exec echo x ';')' stands for.",
  ],
  [
    "touch $(find src -type f -name 'x*')",
    "src/0 src/* <src ? It is not known what 'touch' is given. ? It is not known what '$(find src -type f -name 'x*')' stands for.",
  ],
  ['find src -name x -type l -exec touch {} +', 'src/** src/x <src'],
  ["cd src; find /a -execdir touch y ';'", '/a/y </a'],
  ["cd src; find . -execdir touch y ';'", 'src/./y <src'],
  ['find . -exec', '<.'],
  ['fd a --exec-batch=rm src', '? fd runs a command on each file.'],
  ['fd --type f x src | xargs touch', 'src/0'],
  [
    'fd --path-separator y x | xargs touch',
    "? It is not known what 'touch' is given. ? It is not known what 'what is piped in' stands for.",
  ],
  ['fd x a b c d | xargs touch', 'a/** b/** c/** d/**'],
  [
    'fd x a b c d e | xargs touch',
    "? It is not known what 'touch' is given. ? It is not known what 'what is piped in' stands for.",
  ],
  ['fd x src/ -x touch', 'src/*'],
  ['find . -size +1 | xargs mv -t d', 'd:fills:replaces ./**:removes <.'],
  [
    "printf 'a b' | xargs -a l touch",
    "<l ? It is not known what 'touch' is given. ? It is not known what 'what is piped in' stands for.",
  ],
  ['git ls-files | xargs touch', '././**'],
  [
    'find ././ -size +1 -type f | xargs rm',
    "<././ ? It is not known what 'rm' is given. ? It is not known what 'what is piped in' stands for.",
  ],
  ["cd src; printf 'a b\\nc' | xargs --delimiter='\\n' touch", 'src/a b src/c'],
  ["printf 'a' | xargs -I '' touch", 'a'],
])('find, fd and xargs: finds the effects of %s', (command, expected) => {
  expect(outcome(command)).toBe(expected);
});

it('find, fd and xargs: finds the last of many names', () => {
  const names = Array.from({ length: 70 }, (_, at) => `f${at}`);
  expect(outcome(`printf '%s ' ${names.join(' ')} | xargs touch`)).toBe(names.join(' '));
  expect(outcome('find . -name a -o -name b -o -name c -o -name d -o -name .git -delete')).toBe(
    './0 ./a ./b ./c ./d ./.git <.',
  );
});
