import { expect, it } from 'vitest';
import { effects } from '../testing.ts';

it.each([
  ['python -m venv env', 'env'],
  ['python -mvenv env', 'env'],
  ['python -m zipfile -c a.zip x', 'a.zip'],
  ['python -m zipfile -e a.zip dir', 'dir'],
  ['python -m pip install -t d x', 'd'],
  ['python -m gzip a', 'a'],
  ['python -m pre_commit install', '.git/hooks'],
])('modules of Python: finds what is written by %s', (command, expected) => {
  expect(effects(command)).toBe(expected);
});

it.each(['python -m zipfile -l a.zip', "python -m timeit '1+1'", 'python -m pytest'])(
  'modules of Python: finds nothing that is written by %s',
  (command) => {
    expect(effects(command)).toBe('');
  },
);

it.each([`python -m timeit 'open("x","w")'`])('modules of Python: cannot tell what is written by %s', (command) => {
  expect(effects(command)).toBe('?');
});
