import { describe, expect, it } from 'vitest';
import { ARGUMENT_KEYS, handedOn, NAME_KEYS } from './dispatchers.ts';

describe('a value for a shell', () => {
  it.each([
    'bash',
    'Run_Command',
    'run-terminal-cmd',
    'functions.exec_command',
    'execute_bash',
    'zsh',
    'start_process',
  ])('is the arguments of a call of %s', (tool) => {
    expect(
      handedOn([
        ['tool', tool],
        ['input', 'rm x'],
      ]),
    ).toEqual(['rm x']);
    expect(
      handedOn([
        ['args', { command: 'x' }],
        ['name', tool],
        ['other', 1],
      ]),
    ).toEqual([{ command: 'x' }]);
  });

  it('is not the argument of other tools, or of a name under another key', () => {
    for (const tool of ['read_file', 'bashful', 'shell_docs', ''])
      expect(
        handedOn([
          ['tool', tool],
          ['input', 'x'],
        ]),
        tool,
      ).toEqual([]);
    expect(
      handedOn([
        ['text', 'bash'],
        ['input', 'x'],
      ]),
    ).toEqual([]);
    expect(
      handedOn([
        ['tool', 7],
        ['input', 'x'],
      ]),
    ).toEqual([]);
  });
});

it('knows the usual keys of dispatchers, and no longer ones', () => {
  expect(['name', 'toolname', 'function'].every((key) => NAME_KEYS.test(key))).toBe(true);
  expect(['arguments', 'input', 'kwargs'].every((key) => ARGUMENT_KEYS.test(key))).toBe(true);
  expect(['filename', 'names', ''].some((key) => NAME_KEYS.test(key))).toBe(false);
  expect(['inputs', 'myargs', ''].some((key) => ARGUMENT_KEYS.test(key))).toBe(false);
});
