import { expect, it } from 'vitest';
import { effects, outcome } from '../testing.ts';

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

it.each([
  ['python -m venv v', 'v'],
  ['python3 -m virtualenv a b', 'a b'],
  ['python -m zipfile -c a.zip x', 'a.zip'],
  ['python -m zipfile --create a.zip x', 'a.zip'],
  ['python -m zipfile -e a.zip d', 'd:fills'],
  ['python -m zipfile --extract a.zip', '.:fills'],
  ['python -m zipfile -l a.zip', ''],
  ['python -m tarfile -c a.tar x', 'a.tar'],
  ['python -m tarfile -e a.tar', '.:fills'],
  ["python -m timeit 'print(1)'", ''],
  ["python -m timeit -s 'import os' 'print(1)'", ''],
  [
    'python -m timeit --setup \'open("x","w")\' -n 5 \'print(1)\'',
    "? A program is written into the command line of 'python'.",
  ],
  ['python -m timeit \'open("x","w")\'', "? A program is written into the command line of 'python'."],
  ['python -m pdb -c \'open("x","w")\' f.py', "? A program is written into the command line of 'python'."],
  ['python -m pdb --command c f.py', ''],
  ['echo \'open("x","w")\' | python -m code', "? A program is written into the command line of 'python'."],
  ['python -m ipdb -c c f.py', ''],
  ['python -m asyncio', ''],
  ["python -m IPython -c 'print(1)'", ''],
  ['python -m gzip f', 'f'],
  ['python -m compileall src', 'src'],
  ['python -m pip install --target d x', 'd'],
  ['python -m black f.py', 'f.py'],
  ['python -m isort f.py', 'f.py'],
  ['python -m ruff format f.py', '(format) (f.py)'],
  ['python -m autopep8 -i f.py', 'f.py'],
  ['python -m uv venv v', 'v'],
  ['python -m site', ''],
  ['python -m "$X"', '? It is not known which module runs.'],
  ['python -m pre_commit install', '.git/hooks (install)'],
  ['python -m other /x', '(/x)'],
  ['python -m other --output f', '(f)'],
  ['python -mpip install --target d x', 'd'],
  ['python -m', ''],
])('modules of Python: finds the effects of %s', (command, expected) => {
  expect(outcome(command)).toBe(expected);
});
