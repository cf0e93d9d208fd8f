import { expect, it } from 'vitest';
import { effects, outcome } from './testing.ts';

it.each([
  ['f=x; touch $f', 'x'],
  ['f=a; f+=b; touch $f', 'ab'],
  ['a=(x y); touch "${a[@]}"', 'x y'],
  ['a=(x y); touch ${a[1]}', 'y x'],
  ['export f=x; touch $f', 'x'],
  ['declare f=x; touch $f', 'x'],
  ['readonly f=x; touch $f', 'x ?'],
  ['f=x; f=y; touch $f', 'y'],
  ['if a; then f=x; else f=y; fi; touch $f', 'y x'],
  ['declare -a a; a=([0]=x); touch "${a[0]}"', 'x'],
  ['a=([1]=x [0]=y); touch ${a[0]}', 'x y'],
  ['a=(x); a+=(y); touch "${a[@]}"', 'x y'],
  ['f=a; f+=(b); touch "${f[@]}"', 'a b'],
])('assignments: finds what is written by %s', (command, expected) => {
  expect(effects(command)).toBe(expected);
});

it.each(['local f=x'])('assignments: finds nothing that is written by %s', (command) => {
  expect(effects(command)).toBe('');
});

it.each([
  'f=x touch $f',
  'touch $UNSET',
  'unset f; touch "$f"',
  'read f; touch $f',
  'PATH=/x',
  'export PATH=/x:$PATH; ls',
  'f+=b; touch $f',
])('assignments: cannot tell what is written by %s', (command) => {
  expect(effects(command)).toBe('?');
});

it.each([
  ['A=a; touch $A', 'a'],
  ['A=a B=b; touch $A$B', 'ab'],
  ['A=a; A+=b; touch $A', 'ab'],
  ['A+=b; touch x$A', "? It is not known what 'touch' is given. ? It is not known what 'x$A' stands for."],
  ['A=(a b); touch "${A[@]}"', 'a b'],
  ['A=(a b); A+=(c); touch "${A[@]}"', 'a b c'],
  ['A=(a); A+=b; touch $A', "? It is not known what 'touch' is given. ? It is not known what '$A' stands for."],
  ['A=a; A+=(b); touch "${A[@]}"', 'a b'],
  ['A[0]=b; touch "${A[@]}"', 'b'],
  ['A=(a); A[1]=b; touch "${A[@]}"', 'a b'],
  ['A=a; A[1]=b; touch "${A[@]}"', 'a b'],
  ['A=([1]=b [0]=a); touch "${A[@]}"', 'b a'],
  ['A=([1]+=b); touch "${A[@]}"', 'b'],
  ['A[$(touch b)]=c', 'b'],
  ['A=([$(touch b)]=c)', 'b'],
  ['A=(\'x[0]\' b); touch "${A[@]}"', 'x[0] b'],
  ['A={a,b}; touch $A', '{a,b}'],
  ['PATH=/x', '? PATH decides what runs, or where it writes.'],
  ['PATH=(/x)', '? PATH decides what runs, or where it writes.'],
  ['A=a touch $A', "? It is not known what 'touch' is given. ? It is not known what '$A' stands for."],
  ["A=a sh -c 'touch $A'", 'a'],
  [
    'for i in a b c d e f g h i; do A+=$i; done; touch $A',
    "? It is not known what 'touch' is given. ? It is not known what '$A' stands for.",
  ],
  ['A=${X:-b}; A+=c; touch $A', "bc ? It is not known what 'touch' is given. ? It is not known what '$A' stands for."],
])('assignments: finds the effects of %s', (command, expected) => {
  expect(outcome(command)).toBe(expected);
});
