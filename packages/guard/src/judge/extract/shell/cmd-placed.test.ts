import { expect, it } from 'vitest';
import { CMD_PUTS, joinSources } from './cmd-placed.ts';
import { windowsEffects } from './testing.ts';

const effects = (command: string) => windowsEffects(command, 'cmd');

it.each(['copy', 'xcopy', 'robocopy', 'move', 'ren', 'rename', 'replace', 'mklink'])('places files with %s', (name) => {
  expect(CMD_PUTS.test(name)).toBe(true);
});

it('places no files with other commands', () => {
  expect(['del', 'copyx', 'xmove'].some((name) => CMD_PUTS.test(name))).toBe(false);
});

it.each([
  [
    ['a', 'b'],
    ['a', 'b'],
  ],
  [
    ['a', '+', 'b', 'c'],
    ['a+b', 'c'],
  ],
  [
    ['a+', 'b', 'c'],
    ['a+b', 'c'],
  ],
  [['a', '+b', '+c'], ['a+b+c']],
  [['+', 'a'], ['+a']],
  [[], []],
])('joins the sources %j', (operands, expected) => {
  expect(joinSources(operands)).toEqual(expected);
});

it.each([
  ['copy', ''],
  ['copy a', './a:appears a'],
  ['copy a b', 'b/a:appears b'],
  ['copy a b\\', 'b/a:appears b/'],
  ['copy a+b c', 'c/a:appears c'],
  ['copy a\\b\\ c', 'c/b:appears c'],
  ['copy C:x c', 'c/x:appears c'],
  ['copy . d', 'd:fills'],
  ['copy \\ d', 'd:fills'],
  ['copy a *.bak', '*.bak:appears'],
  ['xcopy a', './a:appears a'],
  ['xcopy /s a b', 'b:fills b/a:appears'],
  ['xcopy /E a b', 'b:fills b/a:appears'],
  ['xcopy /y a b', 'b/a:appears b'],
  ['robocopy a b', 'b:fills a'],
  ['robocopy a b f g', 'b:fills b/f:appears b/g:appears a f g'],
  ['robocopy /mir a b', 'b:fills a'],
  ['move a', 'a'],
  ['move a b', 'b/a:appears b:replaces a'],
  ['mklink a b', 'b/a:appears b:replaces a'],
  ['ren a b', 'b/a:appears a b'],
  ['replace a d', 'd/a:appears d'],
])('finds which files appear by %s', (command, expected) => {
  expect(effects(command)).toBe(expected);
});
