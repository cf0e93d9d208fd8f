import { describe, expect, it } from 'vitest';
import type { Found } from './findings.ts';
import { addSplitCommand, commandsIn, isJsonText } from './split-command.ts';

/** The commands of an object of arguments, each as one line, and why it may write more. */
function commands(value: Record<string, unknown>): string[] {
  const found = { commands: [], undecidable: undefined } as unknown as Found;
  addSplitCommand(found, value);
  const lines = found.commands.map((one) => (typeof one === 'string' ? one : one.join(' | ')));
  return found.undecidable === undefined ? lines : [...lines, '?'];
}

describe('a command in several arguments', () => {
  it.each([
    [{ command: 'rm', args: ['-rf', 'x'] }, ['rm | -rf | x']],
    [{ command: 'rm -r', args: ['x', 7] }, ['rm -r x']],
    [{ program: 'rm', arguments: '-rf x' }, ['rm -rf x']],
    [{ command: 'rm', args: '["-rf"]' }, []],
    [{ command: 'rm', args: [] }, []],
    [{ command: 'rm', other: ['x'] }, []],
    [{ command: 'clone x y' }, ['git clone x y']],
    [{ command: '-C .. status' }, ['git -C .. status']],
    [{ command: 'cloned' }, []],
    [{ language: 'bash', code: 'rm x' }, ['rm x']],
    [{ shell: 'pwsh', script: 'rm x' }, ['rm x']],
    [{ language: 'bash', note: 'rm x' }, []],
    [{ language: 'python', script: 'x' }, ['?']],
    [{ language: 'python', code: 'x' }, []],
    [{ tool: 'bash', input: 'rm x' }, ['rm x']],
    [{ tool: 'bash', input: ['rm x', 'ls'] }, ['rm x | ls', 'rm x', 'ls']],
    [{ tool: 'write', input: 'rm x' }, []],
  ])('is put together: %j', (value, expected) => {
    expect(commands(value)).toEqual(expected);
  });
});

it('reads a list as one command of several words, and as several commands where its first has a blank', () => {
  expect(commandsIn(['bash', '-c', 'x'], false)).toEqual([['bash', '-c', 'x']]);
  expect(commandsIn(['npm ci', 'npm test'], false)).toEqual([['npm ci', 'npm test'], 'npm ci', 'npm test']);
  expect(commandsIn(['ls', 'rm'], true)).toEqual([['ls', 'rm'], 'ls', 'rm']);
});

it('takes a text that begins as JSON does for JSON', () => {
  for (const text of ['{}', ' [1]', '"x"']) expect(isJsonText(text)).toBe(true);
  for (const text of ['rm {}', '', 7, undefined]) expect(isJsonText(text)).toBe(false);
});
