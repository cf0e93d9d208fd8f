import { expect, it } from 'vitest';
import { effects } from './testing.ts';

it.each([
  ['cd src && touch x', 'src/x'],
  ['cd /etc && touch x', '/etc/x'],
  ['cd .. && touch x', '../x'],
  ['cd && touch x', '~/x'],
  ['pushd src && touch x && popd && touch y', 'src/x y'],
  ['(cd src && touch x); touch y', 'src/x y'],
  ['cd src; touch x', 'src/x'],
  ['cd src || exit; touch x', 'src/x'],
  ['cd -P src && touch x', 'src/x'],
  ['cd nowhere && touch x', 'nowhere/x'],
  ['pushd src; pushd; touch x', 'x'],
  ['popd; touch x', 'x ?'],
  ['cd src && cd - && touch x', 'x'],
  ['cd "" && touch x', 'x'],
  ['HOME=/h; cd; touch x', '/h/x x ?'],
  ['cd src/../.. && touch x', '../x'],
  ['mkdir d && cd d && touch x', 'd d/x'],
  ['cd "$X" && cd /src && touch y', '/src/y ?'],
  ['pushd src && popd && popd; touch x', 'x ?'],
])('cd and pushd: finds what is written by %s', (command, expected) => {
  expect(effects(command)).toBe(expected);
});

it.each([
  'cd - && touch x',
  'cd "$D" && touch x',
  'cd "$X/src" && touch x',
  'cd "x$X" && touch y',
  'cd "$X" && cd src && touch y',
])('cd and pushd: cannot tell what is written by %s', (command) => {
  expect(effects(command)).toBe('?');
});
