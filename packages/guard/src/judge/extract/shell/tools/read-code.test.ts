import { expect, it } from 'vitest';
import { effects, outcome } from '../testing.ts';

it.each([
  [`python -c "import os; os.remove('/etc/x')"`, '/etc/x ?'],
  [`ruby -e 'File.write(ENV["HOME"], "")'`, '~ ?'],
  [`python -c "open('/x/y','w')"`, '/x/y ?'],
  [`node -e "fs.writeFileSync('../x', '')"`, '../x ?'],
  [`ruby -e "File.write('/x', 1)"`, '/x ?'],
  [`node -e "f(process.env.HOME + '/x'); fs.rmSync(x)"`, '/x ~ ?'],
  [`osascript -e 'do shell script "touch /x/y"'`, '/x/y ?'],
  [`python -c "open('~/x','w')"`, '~/x ?'],
])('code in the command line: finds what is written by %s', (command, expected) => {
  expect(effects(command)).toBe(expected);
});

it.each([`osascript -e 'display notification "x"'`, 'python -c "x = 1"', `python -c "print('/x/y')"`])(
  'code in the command line: finds nothing that is written by %s',
  (command) => {
    expect(effects(command)).toBe('');
  },
);

it.each([
  `osascript -e 'do shell script "rm x"'`,
  `node -e "fs.writeFileSync('x', '')"`,
  `node -e "f('/x/y')"`,
  'python -c "$X"',
])('code in the command line: cannot tell what is written by %s', (command) => {
  expect(effects(command)).toBe('?');
});

it.each([
  ['osascript -e \'display notification "a" with title "b" sound name "c"\'', ''],
  ['osascript -e \'display dialog "a" buttons {"x", "y"} default button 1\'', ''],
  ['osascript -e \'say "x"\'', ''],
  ["osascript -e 'beep 2'", ''],
  ['osascript -e \'tell application "x" to quit\'', "? A program is written into the command line of 'osascript'."],
  [
    'osascript -e \'do shell script "rm /etc/x"\'',
    "/etc/x <rm /etc/x ? A program is written into the command line of 'osascript'.",
  ],
  ['python -c \'print(open("a/b.txt").read())\'', '<a/b.txt'],
  ['python -c \'print(open("~/b.txt").read())\'', '<~/b.txt'],
  ['python -c \'print("word")\'', ''],
  ['python -c \'open("/etc/x", "w")\'', "/etc/x </etc/x ? A program is written into the command line of 'python'."],
  ['python -c \'open("../x", "w")\'', "../x <../x ? A program is written into the command line of 'python'."],
  ['python -c \'f("~/x", "w"); write()\'', "~/x <~/x ? A program is written into the command line of 'python'."],
  ['python -c \'f("/etc/x")\'', "</etc/x ? A program is written into the command line of 'python'."],
  ["python -c 'remove(/x)'", "? A program is written into the command line of 'python'."],
  ["python -c 'remove(/a/b/c)'", "/a/b/c ? A program is written into the command line of 'python'."],
  ['python -c \'remove("C:/x/y")\'', "C:/x/y <C:/x/y ? A program is written into the command line of 'python'."],
  ['python -c \'os.remove(os.path.expanduser("x"))\'', "~ ? A program is written into the command line of 'python'."],
  ["node -e 'fs.rmSync(os.homedir())'", "~ ? A program is written into the command line of 'node'."],
  ["python -c 'Path.home().touch()'", "~ ? A program is written into the command line of 'python'."],
  ['ruby -e \'File.write(ENV["HOME"])\'', "~ ? A program is written into the command line of 'ruby'."],
  ["node -e 'fs.writeFileSync(process.env.HOME)'", "~ ? A program is written into the command line of 'node'."],
  ['python -c \'os.environ["HOME"]; write()\'', "~ ? A program is written into the command line of 'python'."],
  ['python -c "print(\'$X\')"', "? A program is written into the command line of 'python'."],
  ['python -c \'x("https://h/x"); write()\'', "? A program is written into the command line of 'python'."],
  ["python -c 'x(1/2); write()'", "? A program is written into the command line of 'python'."],
])('programs in a command line: finds the effects of %s', (command, expected) => {
  expect(outcome(command)).toBe(expected);
});
