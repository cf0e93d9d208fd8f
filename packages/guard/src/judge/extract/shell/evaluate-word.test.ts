import { expect, it } from 'vitest';
import { effects, outcome } from './testing.ts';

it.each([
  ["touch 'a b'", 'a b'],
  ['touch "a $(echo b)"', 'a b'],
  [String.raw`touch a\ b`, 'a b'],
  [String.raw`touch $'a\x62'`, 'ab'],
  ['touch a{b,c}', 'ab ac'],
  ['touch "a{b,c}"', 'a{b,c}'],
  ['touch `echo x`', 'x'],
  ['touch *.ts', '*.ts'],
  ['touch a?', 'a?'],
  [`touch x"y"'z'`, 'xyz'],
  ['touch $(printf x)', 'x'],
  ['touch "$(pwd)/x"', 'x'],
  ['touch $(basename /a/b)', 'b'],
  ['touch $(dirname a/b)/x', 'a/x'],
  ['touch {a,b}{c,d}', 'ac ad bc bd'],
  ['touch {1..3}', '1 2 3'],
  ["f='a b'; touch $f", 'a b'],
  [`f='a b'; touch "$f"`, 'a b'],
  ['touch a{b}', 'a{b}'],
  ['f=x; touch "$f"{1,2}', 'x1 x2'],
  ['touch ${a[$(touch y)]}', 'y ?'],
  ['touch *(e:touch:)', '*(e:touch:) ?'],
  ['set -- a b; touch "$*"', 'a b ?'],
  [`f='a b'; g=$f; touch "$g"`, 'a b'],
  ['touch a~/x', 'a~/x'],
  [
    'a && f=1 || f=2; touch $f$f$f$f',
    '1111 1112 1121 1122 1211 1212 1221 1222 2111 2112 2121 2122 2211 2212 2221 2222',
  ],
  ['touch x > >(touch y)', 'y x'],
  ['set -- a b; touch "x$@"', 'xa b ?'],
  ['set -- a b; touch "x$*"', 'xa b ?'],
  ['bash <<E\ntouch "$(echo y)"\nE', 'y'],
])('words: finds what is written by %s', (command, expected) => {
  expect(effects(command)).toBe(expected);
});

it.each(['touch <(ls)'])('words: finds nothing that is written by %s', (command) => {
  expect(effects(command)).toBe('');
});

it.each([
  'touch "$(cat f)"',
  'touch "${f:$(touch y):1}"',
  `f='$(touch y)'; echo "\${f@P}"`,
  'a && f=1 || f=2; touch $f$f$f$f$f',
  "f=abc; x='a[$(touch y)]'; touch ${f:x}",
  "x='a[$(touch y)]'; touch ${f[x]}",
  "x='a[$(touch y)]'; touch ${!x}",
])('words: cannot tell what is written by %s', (command) => {
  expect(effects(command)).toBe('?');
});

it.each([
  ['touch a{b,c}', 'ab ac'],
  ['touch {a,b}{1,2}', 'a1 a2 b1 b2'],
  ['touch a{b}', 'a{b}'],
  ['touch {1..3}', '1 2 3'],
  ["touch a\"b\"'c'$'\\x64'", 'abcd'],
  ['touch ~/a', '~/a'],
  ['touch ~', '~'],
  ['touch "~"', './~'],
  ['touch a~', 'a~'],
  ['A=~/x; touch $A', '~/x'],
  ['A=a:~/b; touch ${A#a:}', "? It is not known what 'touch' is given. ? It is not known what '${A#a:}' stands for."],
  ['touch "a b"', 'a b'],
  ['touch a\\ b', 'a b'],
  ["A='b c'; touch a$A", 'ab c'],
  ['A=\'b c\'; touch "a$A"', 'ab c'],
  ['touch *', '*'],
  ['touch ?.x', '?.x'],
  ['touch [ab]', '[ab]'],
  ['touch "*"', '*'],
  ['touch +(a|b)', '+(a|b)'],
  ["touch *(e:'touch b':)", "*(e:'touch b':) ? A pattern with a qualifier may run a command."],
  ['touch *(+f)', '*(+f) ? A pattern with a qualifier may run a command.'],
  ['touch $(echo a)', 'a'],
  ['touch `echo a`', 'a'],
  [
    'touch "$(touch b; echo a)"',
    "b ? It is not known what 'touch' is given. ? It is not known what '\"$(touch b; echo a)\"' stands for.",
  ],
  ['touch $((1+1))', '0'],
  ['touch $(($(touch b)))', 'b 0'],
  ['touch x$[1+1]', 'x0'],
  ['touch <(touch b)', 'b'],
  ['tee >(touch b)', 'b'],
  ['touch ""', ''],
  ["touch '' a", 'a'],
  ['touch $"a"', 'a'],
  ['A=(a \'b c\'); touch "${A[@]}"', 'a b c'],
  ["A=(a 'b c'); touch ${A[@]}", 'a b c'],
  ['A=(a \'b c\'); touch "x${A[@]}y"', 'xa b cy'],
  ['A=(a \'b c\'); touch "${A[*]}"', 'a b c'],
  [
    "A='x[$(touch b)]'; touch ${!A}",
    "? A subscript that is evaluated runs a command. ? It is not known what 'touch' is given. ? It is not known what '${!A}' stands for.",
  ],
  ["A='$(touch b)'; echo ${A@P}", '? A text is expanded as a prompt, which runs commands in it.'],
  ['echo ${X@P}', '? A text is expanded as a prompt, which runs commands in it.'],
  ['A=a; echo ${A@P}', ''],
  [
    'touch ${A[$(touch b)]}',
    "b ? It is not known what 'touch' is given. ? It is not known what '${A[$(touch b)]}' stands for.",
  ],
  [
    'A=abc; touch ${A:$(touch b)}',
    "? It is not known what 'touch' is given. ? It is not known what '${A:$(touch b)}' stands for.",
  ],
  ['A[$(touch b)]=c', 'b'],
  ['A=([$(touch b)]=c)', 'b'],
  ['A=([x]=c); touch ${A[x]}', 'c'],
  ['A=a; A+=b; touch $A', 'ab'],
  ['A=(a); A+=(b); touch ${A[1]}', 'b a'],
  ['A=(a); A[1]=b; touch $A', 'a b'],
  ['A=a; A+=(b); touch $A', 'a b'],
  ['A=(a); A+=b; touch $A', "? It is not known what 'touch' is given. ? It is not known what '$A' stands for."],
  ['B+=b; touch $B', "? It is not known what 'touch' is given. ? It is not known what '$B' stands for."],
  ['for i in a b; do touch $i.x; done', 'a.x b.x'],
  ['touch {a,$X}', "a ? It is not known what 'touch' is given. ? It is not known what '{a,$X}' stands for."],
  ['touch {a,"b c"}', 'a b c'],
  ['touch {$(echo a),b}', 'a b'],
  [
    'a && f=1 || f=2; touch {$f,$f}{$f,$f}',
    "? The command could not be read: too many possible words. ? It is not known what 'touch' is given. ? It is not known what '{$f,$f}{$f,$f}' stands for.",
  ],
  [
    "x='a[$(touch y)]'; touch src/${f[x]}",
    "src/* ? A subscript that is evaluated runs a command. ? It is not known what 'touch' is given. ? It is not known what 'src/${f[x]}' stands for.",
  ],
  ['A=a:~/b; touch $A', 'a:/~/b'],
  ['A=(a b); B="${A[@]}"; touch "$B"', 'a b'],
  ["touch ''~/x", './~/x'],
  ['A=(a touch \'b c\'); "x${A[@]}y"', 'b cy (touch)'],
  [
    "A='x[$(touch b)]'; B=abc; touch ${B:1:A}",
    "? A subscript that is evaluated runs a command. ? It is not known what 'touch' is given. ? It is not known what '${B:1:A}' stands for.",
  ],
  ['A=(x y); touch ${!A}', "? It is not known what 'touch' is given. ? It is not known what '${!A}' stands for."],
  [
    'A=(a); touch ${A@P}',
    "? A text is expanded as a prompt, which runs commands in it. ? It is not known what 'touch' is given. ? It is not known what '${A@P}' stands for.",
  ],
  ["A='x[$(touch b)]'; touch $[A]", '0 ? A subscript that is evaluated runs a command.'],
  ['touch $((A[$(touch b)]))', 'b 0'],
  ['A={a,b}; touch $A', '{a,b}'],
  ['set -- a b; A=$@; touch "$A"', 'a b ? The positional parameters have other values for later commands.'],
  ['A=(a b); touch "x$A"', 'xa xb'],
  [
    'a && f=1 || f=2; touch "$f$f$f$f"',
    '1111 1112 1121 1122 1211 1212 1221 1222 2111 2112 2121 2122 2211 2212 2221 2222',
  ],
  [
    'a && f=1 || f=2; touch "$f$f$f$f$f"',
    "? The command could not be read: too many possible words. ? It is not known what 'touch' is given. ? It is not known what '\"$f$f$f$f$f\"' stands for.",
  ],
  [
    'a && f=1 || f=2; A=$f$f$f$f$f; touch $A',
    "? The command could not be read: too many possible words. ? It is not known what 'touch' is given. ? It is not known what '$A' stands for.",
  ],
  ["x='a[$(touch y)]'; A[x]=1", '? A subscript that is evaluated runs a command.'],
  ['touch {a..1}', '{a..1}'],
  [
    'touch {a,b}{c..1}$X',
    "? It is not known what 'touch' is given. ? It is not known what '{a,b}{c..1}$X' stands for.",
  ],
  ['f=x; touch {a..1}$f', '{a..1}x'],
  ['f=\'a  b\'; A=$f; touch "$A"', 'a  b'],
  ['A=(a \'b c\'); cp -t src "x${A[*]}"', 'src src/xa b c <xa b c'],
  [
    'a && f=1 || f=2; bash <<E\ntouch $f$f$f$f$f\nE',
    '? The command could not be read: too many possible texts. ? Commands are made from text that is not known. ? The command that runs is not known.',
  ],
  [
    'a && f=1 || f=2; bash <<E\ntouch $f$f$f$f\nE',
    '1111 1112 1121 1122 1211 1212 1221 1222 2111 2112 2121 2122 2211 2212 2221 2222',
  ],
  [
    'a && f=1 || f=2; touch {$f,$f}{$f,$f}x',
    "? It is not known what 'touch' is given. ? It is not known what '{$f,$f}{$f,$f}x' stands for.",
  ],
  ["A='$(touch y)'; a && A=x; echo ${A@P}", '? A text is expanded as a prompt, which runs commands in it.'],
])('words: finds the effects of %s', (command, expected) => {
  expect(outcome(command)).toBe(expected);
});
