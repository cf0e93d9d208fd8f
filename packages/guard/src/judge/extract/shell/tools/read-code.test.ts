import { expect, it } from 'vitest';
import { effects } from '../testing.ts';

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
