import { describe, expect, it } from 'vitest';
import { isPlainAnswer, shellTexts } from './shell-texts.ts';

describe('the texts of a shell tool', () => {
  it.each([
    ['rm x', false, ['rm x']],
    [{ command: 'ls', input: 'rm x' }, true, ['rm x']],
    [{ Script: 'rm x', description: 'Lists' }, false, ['rm x']],
    [{ unknown: 'rm x', cwd: '/tmp', description: 'd' }, false, ['rm x']],
    [{ unknown: 'rm x' }, true, []],
    [{ argv: ['rm', 'x'] }, false, [['rm', 'x'], 'rm', 'x']],
    [{ command: 'rm', args: ['x'] }, true, []],
    [{ command: 'sh', args: ['x'], stdin: 'rm y' }, true, [['x'], 'x', 'rm y']],
    [{ nested: { lines: [{ text: 'rm x' }] } }, false, ['rm x']],
    [{ keys: '\u0003', code: '' }, false, []],
    [{ keys: '\\u0003' }, false, []],
  ])('%j', (args, hasCommand, expected) => {
    expect(shellTexts(args, hasCommand)).toEqual(expected);
  });
});

it('tells an answer to a program from a command', () => {
  for (const text of ['y', ' yes\n', 'No', 'q', '12', '']) expect(isPlainAnswer(text), text).toBe(true);
  for (const text of ['yes; rm x', 'rm', '1234567890']) expect(isPlainAnswer(text), text).toBe(false);
  expect(isPlainAnswer(['y'])).toBe(false);
});
