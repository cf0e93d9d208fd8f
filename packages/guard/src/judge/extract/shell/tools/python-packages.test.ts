import { expect, it } from 'vitest';
import { effects } from '../testing.ts';

it.each([
  ['pip install -t d x', 'd'],
  ['pip install --user x', '~/.local'],
  ['pip download -d d x', 'd'],
  ['uv pip install --target d x', 'd'],
  ['uv venv env', 'env'],
  ['uv run touch x', 'x'],
  ['conda create -p d', 'd'],
  ['poetry run touch y', 'y'],
  ['virtualenv env', 'env'],
])('packages of Python: finds what is written by %s', (command, expected) => {
  expect(effects(command)).toBe(expected);
});

it.each(['pip install x', 'pip config list', 'uv tool list', 'pipx list', 'conda list'])(
  'packages of Python: finds nothing that is written by %s',
  (command) => {
    expect(effects(command)).toBe('');
  },
);

it.each([
  'pip install --break-system-packages x',
  'pip config set a b',
  'uv tool install x',
  'pipx install x',
  'conda create -n x',
])('packages of Python: cannot tell what is written by %s', (command) => {
  expect(effects(command)).toBe('?');
});
