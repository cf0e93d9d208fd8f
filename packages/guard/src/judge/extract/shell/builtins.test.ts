import { expect, it } from 'vitest';
import { effects } from './testing.ts';

it.each([
  ["touch x; trap 'touch y' EXIT", 'x y'],
  ["eval 'touch x'", 'x'],
  ["alias l='touch x'; l", 'x'],
  ['f() { touch $1; }; f x', 'x ?'],
  ['exit; touch x', 'x'],
  ['test -f x && touch y', 'y'],
  ['[ -f x ] || touch y', 'y'],
  ['[[ a == b ]] && touch y', 'y'],
  ['for f in a b; do touch $f; done', 'a b'],
  ['case $x in a) touch a;; *) touch b;; esac', 'a b'],
  ['echo x | tee y', 'y'],
  ['true || touch x', 'x'],
  ['declare -n r=x; touch y', 'y ?'],
  ['set -o posix; touch x', 'x ?'],
  ['set -eu; touch x', 'x'],
  ['set -- a b; touch "$1" "$2"', 'a b ?'],
  ['set -- a; shift; touch "x$1"', 'x'],
  ["trap -- 'touch y' EXIT", 'y'],
  ['history -w h', 'h'],
  ["alias l='touch x'", 'x'],
  ['set -o errexit; touch x', 'x'],
  ['set -f x; touch "$1"', 'x ?'],
])('builtins: finds what is written by %s', (command, expected) => {
  expect(effects(command)).toBe(expected);
});

it.each([
  'source s.sh',
  '. s.sh',
  'set -o noclobber; ls',
  'ulimit -n 10',
  'umask 022',
  'set +o posix',
  'enable -n echo',
  'fc -l',
  'shopt -u dotglob',
  'history',
  'trap',
  '.',
])('builtins: finds nothing that is written by %s', (command) => {
  expect(effects(command)).toBe('');
});

it.each([
  'eval "$X"',
  'while read f; do touch $f; done < l',
  'printf -v f x; touch $f',
  'mapfile -t a < l; touch "${a[0]}"',
  'getopts a f; touch $f',
  'hash -p /x ls',
  'enable -f ./x.so y',
  'fc',
  'shopt -s dotglob',
  "mapfile -C 'touch x' a < l",
  "wait -p 'a[$(touch x)]'",
  "test -v 'a[$(touch x)]'",
  "read 'a[$(touch x)]'",
  'zmodload zsh/files',
])('builtins: cannot tell what is written by %s', (command) => {
  expect(effects(command)).toBe('?');
});
