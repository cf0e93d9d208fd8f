import { describe, expect, it } from 'vitest';
import { isOpen, outcome, writes } from './testing.ts';

describe('commands in a list', () => {
  it.each([
    ['cd d && touch a', 'd/a'],
    ['cd d || touch a', 'a'],
    ['cd d; touch a', 'd/a a'],
    ['cd d || exit; touch a', 'd/a'],
    ['cd d & touch a', 'a'],
    ['touch a & touch b', 'a b'],
    ['exit; touch a', 'a'],
    ['true && touch a || touch b', 'a b'],
    ['cd d && test x || touch a', 'a d/a'],
    ['! cd d && touch a', 'a'],
    ['! cd d || touch a', 'd/a'],
    ['(cd d); touch a', 'a'],
    ['(touch a)', 'a'],
    ['{ cd src; }; touch a', 'src/a'],
    ['coproc cd src; touch a', 'a'],
    ['cd src | true; touch a', 'a'],
    ['true | cd src; touch a', 'a src/a'],
    ['{ touch a; } > b', 'b a'],
    ['f() { touch a; }; true', ''],
    ['X=a && Y=b; touch "$X$Y"', 'ab'],
  ])('write where the shell may be: %s', (command, expected) => {
    expect(writes(command).join(' ')).toBe(expected);
  });
});

describe('branches', () => {
  it.each([
    ['if touch a; then touch b; elif touch c; then touch d; else touch e; fi', 'a b c d e'],
    ['if cd d; then touch a; else touch b; fi', 'd/a b'],
    ['if t; then cd src; fi; touch a', 'a src/a'],
    ['if t; then cd src; else cd src; fi; touch a', 'src/a'],
    ['case x in a) touch a;; b|c) touch b;; esac; touch c', 'a b c'],
    ['case x in a) cd src;; esac; touch a', 'a src/a'],
    ['case $(touch a) in $(touch b)) ;; esac', 'a b'],
    ['[[ $(touch a) ]]; (( $(touch b) )) ', 'a b'],
  ])('are all read: %s', (command, expected) => {
    expect(writes(command).toSorted().join(' ')).toBe(expected.split(' ').toSorted().join(' '));
  });
});

describe('loops', () => {
  it.each([
    ['for f in a b; do touch "$f"; done', 'a b'],
    ['for f in a b; do touch "$f"; done; touch "$f.x"', 'a b b.x'],
    ['for f in; do touch a; done', ''],
    ['set -- a b; for f; do touch "$f"; done', 'a b'],
    ['for f in {a,b}; do touch "$f"; done', 'a b'],
    ['X=a; for f in 1 2; do touch "$X"; X=b; done', 'a b'],
    ['while touch a; do touch b; done', 'a b'],
    ['while cd d; do touch a; break; done; touch b', 'd/a'],
    ['for f in $(ls); do touch a; done', 'a'],
    ['for ((i=0; i<$(touch a); i++)); do touch b; done', 'a b'],
    ['until touch a; do touch b; done', 'a b'],
  ])('are followed: %s', (command, expected) => {
    const found = writes(command);
    for (const path of expected.split(' ').filter(Boolean)) expect(found).toContain(path);
    if (expected === '') expect(found).toEqual([]);
  });

  it('with more than 32 turns are open', () => {
    const loop = (count: number) => `for f in {1..${count}}; do touch "$f"; done`;
    expect([isOpen(loop(32)), isOpen(loop(33))]).toEqual([false, true]);
    expect(writes(loop(32))).toHaveLength(32);
  });

  it('make values unknown that change in each turn', () => {
    expect(isOpen('X=a; while t; do touch "$X"; X=a$X; done')).toBe(true);
    expect(isOpen('X=a; while t; do touch "$X"; X=b; done')).toBe(false);
    expect(isOpen('while t; do cd d; touch a; done')).toBe(true);
    expect(isOpen('while t; do touch a; done')).toBe(false);
    expect(isOpen('select f in a b; do touch "$f"; done')).toBe(true);
  });
});

describe('output', () => {
  it.each([
    ['touch "$(echo a; echo b)"', 'a\nb'],
    ['touch "$(true; echo a)"', 'a'],
    ['touch "$(echo a; true)"', 'a'],
    ['touch "$(echo x | echo a)"', 'a'],
    ['touch "$({ echo a; })"', 'a'],
  ])('of commands is joined: %s', (command, expected) => {
    expect(writes(command)).toContain(expected);
  });

  it('of a loop, a branch or a long text is not known', () => {
    for (const command of [
      'touch "$(for f in a; do echo $f; done)"',
      'touch "$(if t; then echo a; fi)"',
      'touch "$(case x in x) echo a;; esac)"',
    ])
      expect(isOpen(command), command).toBe(true);
  });
});

it.each([
  ['if x; then A=a; else A=b; fi; touch $A', 'b a'],
  ['if x; then cd src; else :; fi; touch b', 'b src/b'],
  ['if x; then :; else cd src; fi; touch b', 'src/b b'],
  [
    'if x; then exit; else A=b; fi; touch $A',
    "b ? It is not known what 'touch' is given. ? It is not known what '$A' stands for.",
  ],
  ['if x; then A=a; elif y; then A=b; else A=c; fi; touch $A', 'c a b'],
  [
    'if x; then A=a; fi; touch z$A',
    "za ? It is not known what 'touch' is given. ? It is not known what 'z$A' stands for.",
  ],
  ['while x; do touch a; done', 'a'],
  ['for i in a b; do touch $i; done', 'a b'],
  ['for ((i=0; i<2; i++)); do touch a; done', 'a'],
  ['case x in a) touch b;; *) touch c;; esac', 'b c'],
  [
    'case $X in a) A=1;; b) A=2;; esac; touch z$A',
    "z1 z2 ? It is not known what 'touch' is given. ? It is not known what 'z$A' stands for.",
  ],
  ['(cd src; touch a); touch b', 'src/a b'],
  ['{ cd src; touch a; }; touch b', 'src/a src/b'],
  ['f() { touch $1; }; f a b', "a ? It is not known what 'touch' is given. ? It is not known what '$1' stands for."],
  ['f() { cd src; }; f; touch a', 'src/a'],
  ['touch a & touch b', 'a b'],
  ['touch a | touch b', 'a b'],
  ['! touch a', 'a'],
  ['a=b; a=c touch $a', 'b'],
  ['[[ -f a ]] && touch b', 'b'],
  ['((1)) && touch b', 'b'],
  ['coproc touch a', 'a'],
  ['time touch a', 'a'],
])('control flow: finds the effects of %s', (command, expected) => {
  expect(outcome(command)).toBe(expected);
});
