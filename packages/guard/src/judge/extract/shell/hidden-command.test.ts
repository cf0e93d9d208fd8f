import { expect, it } from 'vitest';
import { effects, outcome } from './testing.ts';

it.each([
  ["concurrently 'rm x' 'ls'", 'x'],
  ['some-tool -- touch x', 'x'],
  ['some-tool exec touch x', 'x'],
  ["some-tool --on-change='rm x'", 'x'],
  ["some-tool sh -c 'touch x'", 'x'],
])('hidden commands: finds what is written by %s', (command, expected) => {
  expect(effects(command)).toBe(expected);
});

it.each(["some-tool --message 'rm x'", 'some-tool rm', 'some-tool run build', "echo 'rm x'", "jest 'rm x'"])(
  'hidden commands: finds nothing that is written by %s',
  (command) => {
    expect(effects(command)).toBe('');
  },
);

it.each([
  ['unknown rm a', 'a (rm) (a)'],
  ['unknown -- touch a', 'a (touch) (a)'],
  ['unknown -- ls', '(ls)'],
  ['unknown exec touch a', 'a (exec) (touch) (a)'],
  ['unknown exec ls > a', 'a (exec) (ls)'],
  ["unknown -c 'touch a'", 'a'],
  ["unknown 'touch a'", 'a'],
  ["unknown 'cd x && touch a'", 'x/a'],
  ["unknown 'echo a > b'", 'b'],
  ["unknown 'echo a'", ''],
  ["unknown 'cat a > b'", 'b <a'],
  ["unknown 'A=b touch a'", 'a'],
  ["unknown 'shell touch a'", 'a'],
  ["unknown '! touch a'", 'a'],
  ["unknown 'system touch a'", 'a'],
  ["unknown 'time touch a'", 'a'],
  ["unknown 'see touch a'", ''],
  ["unknown '(touch a)'", 'a'],
  ["unknown '{ touch a; }'", 'a'],
  ["unknown '/bin/rm a'", 'a (/bin/rm a)'],
  ["unknown '!rm a'", 'a'],
  ["unknown 'rm'", '(rm)'],
  ['unknown rm', '(rm)'],
  ["unknown -m 'rm a'", ''],
  ["unknown --message 'rm a'", ''],
  ["unknown --message='rm a'", ''],
  ["unknown --cmd='rm a'", 'a'],
  ['unknown --title rm a', '(rm) (a)'],
  ['unknown --x=rm a', '(a)'],
  ['unknown -e rm a', 'a (rm) (a)'],
  ['unknown --exec /bin/rm a', 'a (/bin/rm) (a)'],
  ['unknown --run chmod 1 a', 'a (chmod) (1) (a)'],
  ['unknown RM a', 'a (RM) (a)'],
  ['unknown touch a touch b', 'a touch b (touch) (a) (b)'],
  ['unknown -c "$X"', '? The command that runs is not known.'],
  ['unknown -- "$X"', '? The command that runs is not known.'],
  ["echo 'touch a' | unknown sh", 'a (sh)'],
  ['logger rm a', '(rm) (a)'],
  ["notify-send 'rm a'", ''],
  ['jest rm a', '(rm) (a)'],
  ["vitest 'rm a'", ''],
])('hidden commands: finds the effects of %s', (command, expected) => {
  expect(outcome(command)).toBe(expected);
});
