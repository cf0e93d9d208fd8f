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
    ['rm x', true, ['rm x']],
    ['', false, ['']],
    [null, false, []],
    [7, false, []],
    [{ a: null, b: 7, c: true, d: '' }, false, []],
    [[['rm x'], 'ls'], false, ['rm x', 'ls']],
    [{ argv: [] }, false, []],
    [{ argv: ['rm', 7] }, false, ['rm']],
    [{ argv: [['rm', 'x']] }, false, [['rm', 'x'], 'rm', 'x']],
    [{ other: ['rm', 'x'] }, false, ['rm', 'x']],
    [{ Input_Text: 'a', 'shell-line': 'b' }, false, ['a', 'b']],
    [{ script: 'a', other: 'b' }, false, ['a']],
    [{ Session_Id: 'a', 'dir-path': 'b', reason: 'c' }, false, []],
    [{ text: { cwd: 'a', x: 'b' } }, false, ['b']],
    [{ command: 'a', chars: ['\u0003', 'b'] }, true, [['\u0003', 'b'], 'b']],
    [{ command: 'a', chars: '\u0003' }, true, []],
    [{ command: 'a', keys: 'b\u0003' }, true, ['b\u0003']],
    [{ keys: '\\x0d\\X1F\u007f\r' }, false, []],
    [{ keys: '\\x2d' }, false, ['\\x2d']],
    [{ other: '\u0004' }, false, []],
    [{ command: 'a', argv: ['x'], lines: 'b' }, true, []],
    [{ command: 'a', arguments: ['x'], code: 'b' }, true, [['x'], 'x', 'b']],
    [{ command: 'a', args: 'x', script: 'b' }, true, ['x', 'b']],
    [[{ args: ['x'] }], true, [['x'], 'x']],
    [null, true, []],
    ...['script', 'input', 'inputtext', 'code', 'chars', 'stdin', 'text'].map((key): [unknown, boolean, unknown] => [
      { args: 'x', [key]: 'y' },
      true,
      ['x', 'y'],
    ]),
  ])('%j', (args, hasCommand, expected) => {
    expect(shellTexts(args, hasCommand)).toEqual(expected);
  });
});

it('tells an answer to a program from a command', () => {
  for (const text of ['y', ' yes\n', 'No', 'n', 'q', 'quit', 'EXIT', '12', '123456789', '', ' \n'])
    expect(isPlainAnswer(text), text).toBe(true);
  for (const text of ['yes; rm x', 'rm', '1234567890', 'y n', 'yy', '1a'])
    expect(isPlainAnswer(text), text).toBe(false);
  expect(isPlainAnswer(['y'])).toBe(false);
});
