import { expect, it } from 'vitest';
import { effects } from './testing.ts';

it.each([
  ['cd src; ls; touch x', 'src/x'],
  ['f=x; true; touch $f', 'x'],
  ['(f=y); touch "${f:-x}"', 'x ?'],
  ['f=x | true; touch "${f:-z}"', 'z ?'],
  ['{ cd src; }; touch x', 'src/x'],
])('kept state: finds what is written by %s', (command, expected) => {
  expect(effects(command)).toBe(expected);
});

it.each(['UID=x', 'DIR=/x', 'set -eu', 'set -o pipefail'])(
  'kept state: finds nothing that is written by %s',
  (command) => {
    expect(effects(command)).toBe('');
  },
);

it.each([
  'set -o posix',
  'shopt -s extglob',
  'readonly DIR',
  'readonly DIR=x',
  'HOME=/x',
  'HOME=x',
  'TMPDIR=/x',
  'UID=../x',
  'set -- a',
])('kept state: cannot tell what is written by %s', (command) => {
  expect(effects(command)).toBe('?');
});
