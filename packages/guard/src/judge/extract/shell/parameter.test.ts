import { expect, it } from 'vitest';
import { effects, outcome } from './testing.ts';

it.each([
  ['f=a.txt; touch ${f%.txt}.md', 'a.md'],
  ['f=a/b.c; touch ${f##*/}', 'b.c'],
  ['f=a/b.c; touch ${f%/*}/x', 'a/x'],
  ['f=ab; touch ${f/a/c}', 'cb'],
  ['f=ab; touch ${f:1}', 'b'],
  ['f=ab; touch ${f^^}', 'AB'],
  ['f=AB; touch ${f,,}', 'ab'],
  ['touch ${f:-x}', 'x ?'],
  ['touch ${f:=x}', 'x ?'],
  ['f=y; touch ${f:-x}', 'y'],
  ['f=y; touch ${f:+x}', 'x'],
  ['f=x; g=f; touch ${!g}', 'x'],
  ['set -- x y; touch $2', 'y ?'],
  ['set -- x y; touch "$@"', 'x y ?'],
  ['touch $HOME/x', '~/x'],
  ['touch "$PWD/x"', 'x'],
  ['touch ~/x', '~/x'],
  ['touch ~root/x', '~root/x'],
  ['touch ${f:+x}', 'x'],
  ['touch x${f:+}', 'x'],
  ['touch "x${f-}"', 'x ?'],
  ['f=a.b.c; touch ${f%%.*}', 'a'],
  ['f=a.b.c; touch ${f#*.}', 'b.c'],
  ['f=abab; touch ${f//a/c}', 'cbcb'],
  ['f=abc; touch ${f:0:2}', 'ab'],
  ['f=; touch ${f:-x}', 'x'],
  ['f=; touch a${f-x}', 'a'],
  ['a=(a.ts b.ts); touch "${a[@]%.ts}"', 'a b'],
  ['f=x; touch a${f/x/}', 'a'],
  ['f=ab; touch ${f/#a/c}', 'cb'],
  ['f=ab; touch ${f/%b/c}', 'ac'],
  ['f=ab; touch ${f//}', 'ab'],
])('parameters: finds what is written by %s', (command, expected) => {
  expect(effects(command)).toBe(expected);
});

it.each(['f=x; touch ${f/x}'])('parameters: finds nothing that is written by %s', (command) => {
  expect(effects(command)).toBe('');
});

it.each(['touch ${f:?}', 'a=(x y z); touch ${a[@]:1}', 'touch "${f:?}"'])(
  'parameters: cannot tell what is written by %s',
  (command) => {
    expect(effects(command)).toBe('?');
  },
);

it.each([
  ['touch $X', "? It is not known what 'touch' is given. ? It is not known what '$X' stands for."],
  ['touch x$?', 'x0'],
  ['touch x$RANDOM', 'x0'],
  ['touch $HOME/a', '~/a'],
  ['touch $USERPROFILE/a', '~/a'],
  ['touch $PWD/a', 'a'],
  ['cd src; touch $OLDPWD/a', 'a'],
  ['touch $PATH', '/usr/local/bin:/usr/bin:/bin'],
  ['touch $TMPDIR/a', '/tmp/a'],
  ['touch $TEMP/a', '/tmp/a'],
  ['touch $TMP/a', '/tmp/a'],
  ['touch $XDG_CONFIG_HOME/a', '~/.config/a'],
  ['touch $APPDATA/a', '~/.config/a'],
  ['touch $LOCALAPPDATA/a', '~/.config/a'],
  ['touch $XDG_CACHE_HOME/a', '~/.cache/a'],
  ['touch $XDG_DATA_HOME/a', '~/.local/share/a'],
  ['touch "a$IFS"', 'a \t\n'],
  ['touch x$0', "? It is not known what 'touch' is given. ? It is not known what 'x$0' stands for."],
  ['touch x$1', 'x'],
  ['set -- a b; touch x$1$2$3', 'xab ? The positional parameters have other values for later commands.'],
  ['set -- a b; touch $@', 'a b ? The positional parameters have other values for later commands.'],
  ['set -- a b; touch "$*"', 'a b ? The positional parameters have other values for later commands.'],
  ['set -- a b; touch "$@"', 'a b ? The positional parameters have other values for later commands.'],
  ['set -- a b; touch "${@}"', 'a b ? The positional parameters have other values for later commands.'],
  ['set -- a b; touch "${@%b}"', 'a ? The positional parameters have other values for later commands.'],
  [
    'set -- a b; touch "${@:1}"',
    "? It is not known what 'touch' is given. ? It is not known what '\"${@:1}\"' stands for. ? The positional parameters have other values for later commands.",
  ],
  ['A=abc; touch ${#A}', '0'],
  ['A=B; B=c; touch ${!A}', 'c'],
  ['touch ${!X}', "? It is not known what 'touch' is given. ? It is not known what '${!X}' stands for."],
  ['touch ${!X*}', "? It is not known what 'touch' is given. ? It is not known what '${!X*}' stands for."],
  ['A=(a b); touch ${A[1]}', 'b a'],
  ['A=(a b); touch ${A[0]}', 'a'],
  ['A=(a b); touch $A', 'a b'],
  ['A=(a b); touch "${A[@]}"', 'a b'],
  ['A=(a b); touch "${A[*]}"', 'a b'],
  ['A=(a b); touch ${A[x]}', 'a b'],
  ['A=(a b); touch ${A[5]}', ''],
  ['A=(); touch x$A', 'x'],
  ['A=a; touch ${A[0]}', 'a'],
  ['A=a; touch ${A[1]}', "a ? It is not known what 'touch' is given. ? It is not known what '${A[1]}' stands for."],
  ['A=a; touch ${A:-b}', 'a'],
  ['touch ${X:-b}', "b ? It is not known what 'touch' is given. ? It is not known what '${X:-b}' stands for."],
  ['touch ${X-b}', "b ? It is not known what 'touch' is given. ? It is not known what '${X-b}' stands for."],
  ['A=; touch ${A:-b}', 'b'],
  ['A=; touch x${A-b}', 'x'],
  ['touch ${X:=b}', "b ? It is not known what 'touch' is given. ? It is not known what '${X:=b}' stands for."],
  ['A=; : ${A:=b}; touch $A', 'b'],
  ['A=a; touch ${A:?x}', 'a'],
  ['touch ${X?x}', "? It is not known what 'touch' is given. ? It is not known what '${X?x}' stands for."],
  ['A=a; touch ${A:+b}', 'b'],
  ['A=; touch x${A:+b}', 'x'],
  ['A=; touch x${A+b}', 'xb'],
  ['touch x${X+b}', 'x xb'],
  ['A=a.b.c; touch ${A%.*}', 'a.b'],
  ['A=a.b.c; touch ${A%%.*}', 'a'],
  ['A=a.b.c; touch ${A#*.}', 'b.c'],
  ['A=a.b.c; touch ${A##*.}', 'c'],
  ['A=a.b.c; touch ${A%?}', 'a.b.'],
  ['A=a.b.c; touch ${A%x}', 'a.b.c'],
  [
    'A=a.b.c; touch ${A%[bc]}',
    "? It is not known what 'touch' is given. ? It is not known what '${A%[bc]}' stands for.",
  ],
  [
    'A=a.b.c; touch ${A#*.*.*.}',
    "? It is not known what 'touch' is given. ? It is not known what '${A#*.*.*.}' stands for.",
  ],
  ['A=/x/y; touch ${A##*/}', 'y'],
  ['A=$HOME/x; touch ${A##*/}', '0'],
  ['A=$HOME/x; touch ${A#*/}', "? It is not known what 'touch' is given. ? It is not known what '${A#*/}' stands for."],
  ['A=$HOME/x; touch ${A%x}', "? It is not known what 'touch' is given. ? It is not known what '${A%x}' stands for."],
  [
    'A=$HOME/..; touch ${A##*/}',
    "? It is not known what 'touch' is given. ? It is not known what '${A##*/}' stands for.",
  ],
  ['A=a; touch ${A%$X}', "? It is not known what 'touch' is given. ? It is not known what '${A%$X}' stands for."],
  ['A=aba; touch ${A/a/c}', 'cba'],
  ['A=aba; touch ${A//a/c}', 'cbc'],
  ['A=aba; touch ${A/#a/c}', 'cba'],
  ['A=aba; touch ${A/%a/c}', 'abc'],
  ['A=aba; touch ${A/a}', 'ba'],
  ['A=aba; touch ${A//a/&}', "? It is not known what 'touch' is given. ? It is not known what '${A//a/&}' stands for."],
  [
    'A=aba; touch ${A//$X/c}',
    "? It is not known what 'touch' is given. ? It is not known what '${A//$X/c}' stands for.",
  ],
  ['A=a.a; touch ${A/./b}', 'aba'],
  ['A=abcd; touch ${A:1}', 'bcd'],
  ['A=abcd; touch ${A:1:2}', 'bc'],
  ['A=abcd; touch ${A: -2}', 'cd'],
  [
    'A=abcd; touch ${A:0:-1}',
    "? It is not known what 'touch' is given. ? It is not known what '${A:0:-1}' stands for.",
  ],
  ['A=abcd; touch ${A:x}', "? It is not known what 'touch' is given. ? It is not known what '${A:x}' stands for."],
  ['A=$HOME; touch ${A:1}', "? It is not known what 'touch' is given. ? It is not known what '${A:1}' stands for."],
  ['A=aBc; touch ${A^}', 'ABc'],
  ['A=aBc; touch ${A^^}', 'ABC'],
  ['A=aBc; touch ${A,,}', 'abc'],
  ['A=ABc; touch ${A,}', 'aBc'],
  ['A=aBc; touch ${A^^b}', "? It is not known what 'touch' is given. ? It is not known what '${A^^b}' stands for."],
  ['A=a; touch ${A@Q}', "? It is not known what 'touch' is given. ? It is not known what '${A@Q}' stands for."],
  ['touch ${X%.*}', "? It is not known what 'touch' is given. ? It is not known what '${X%.*}' stands for."],
  ['touch ${X/a/b}', "? It is not known what 'touch' is given. ? It is not known what '${X/a/b}' stands for."],
  ['touch x$UID.$USER', 'x0.0'],
  ["bash -c 'touch $0 $1' a b", 'a b'],
  ['touch x${PWD}', 'x/~'],
  ['cd /a; touch $PWD/b', '/a/b b'],
  ['cd src; touch $PWD', 'src'],
  ['A=ab; touch ${A##a*}x', 'x'],
  ['A=a.b.c.d; touch ${A#*.*.}', 'c.d'],
  ['A=abc; touch ${A/#b/x}', 'abc'],
  [
    'A=abc; touch ${A/b/$RANDOM}',
    "? It is not known what 'touch' is given. ? It is not known what '${A/b/$RANDOM}' stands for.",
  ],
  ['A=abc; touch ${A: -5}', 'abc'],
  ['A=abc; touch ${A:0:0}x', 'x'],
  [
    'A=$RANDOM.x; touch ${A#*.}',
    "? It is not known what 'touch' is given. ? It is not known what '${A#*.}' stands for.",
  ],
  [
    'A=.$RANDOM.x; touch ${A%.x}',
    "? It is not known what 'touch' is given. ? It is not known what '${A%.x}' stands for.",
  ],
  ['A=(a b c d e f g h); touch $A', 'a b c d e f g h'],
  [
    'A=(a b c d e f g h i); touch $A',
    "? It is not known what 'touch' is given. ? It is not known what '$A' stands for.",
  ],
  ['A=(a b); touch ${A[*]#a}x', 'bx'],
  ['set -- a b; touch "${*}x"', 'a bx ? The positional parameters have other values for later commands.'],
  ['set -- a; touch ${2:-x}', 'x ? The positional parameters have other values for later commands.'],
  ['A=; touch x${A:?b}', 'x'],
])('parameters: finds the effects of %s', (command, expected) => {
  expect(outcome(command)).toBe(expected);
});

it('reads long texts and patterns up to a limit', () => {
  const unknown = (part: string) =>
    `? It is not known what 'touch' is given. ? It is not known what '${part}' stands for.`;
  const a = (count: number) => 'a'.repeat(count);
  expect(outcome(`A=${a(256)}; touch \${A%a}`)).toBe(a(255));
  expect(outcome(`A=${a(257)}; touch \${A%a}`)).toBe(unknown('${A%a}'));
  expect(outcome(`A=${a(256)}; touch \${A/a/b}`)).toBe(`b${a(255)}`);
  expect(outcome(`A=${a(257)}; touch \${A/a/b}`)).toBe(unknown('${A/a/b}'));
  expect(outcome(`A=b; touch \${A%${a(200)}}`)).toBe('b');
  expect(outcome(`A=b; touch \${A%${a(201)}}`)).toBe(unknown(`\${A%${a(201)}}`));
});
