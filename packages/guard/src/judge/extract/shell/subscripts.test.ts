import { expect, it } from 'vitest';
import { effects } from './testing.ts';

it.each([
  ['a[0]=x; touch ${a[0]}', 'x'],
  ['declare -A m; m[k]=x; touch ${m[k]}', 'x'],
  ['a=(x); touch ${a[-1]}', 'x'],
  ['a=(x y); touch ${a[$i]}', 'x y'],
  ['a[$(touch z)]=1', 'z'],
])('subscripts: finds what is written by %s', (command, expected) => {
  expect(effects(command)).toBe(expected);
});

it.each(['((a[0]++))', 'x=1; ((x+1))', 'x=x; ((x))', `x='${'1+'.repeat(2_047)}'; ((x))`])(
  'subscripts: finds nothing that is written by %s',
  (command) => {
    expect(effects(command)).toBe('');
  },
);

it.each([
  "let 'a[$(touch z)]=1'",
  "x='a[$(touch y)]'; ((x))",
  "x='a[$(touch y)]'; [[ $x -eq 1 ]]",
  "x='a[$(touch y)]'; z=x; ((z))",
  "let 'a[`touch z`]=1'",
  "a=b; b=c; c=d; d=e; e='q[$(touch y)]'; ((a))",
  `x='a[$(touch y)]'; ((${Array.from({ length: 100 }, (_, at) => `v${at}`).join('+')}+x))`,
  `x='a[$(touch y)]'; ((${'1+'.repeat(2_000)}x))`,
  `x='${'1+'.repeat(2_048)}1'; ((x))`,
  String.raw`a[\$(touch z)]=1`,
])('subscripts: cannot tell what is written by %s', (command) => {
  expect(effects(command)).toBe('?');
});
