import { expect, it } from 'vitest';
import { effects, outcome } from '../testing.ts';

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

it.each([
  ['pip install x', ''],
  ['pip install -t d x', 'd'],
  ['pip install --target d --prefix p --root r --src s --log l --report q x', 'd p r s l q'],
  ['pip download -d d x', 'd'],
  ['pip download --dest d x', 'd'],
  ['pip wheel -w d x', 'd'],
  ['pip wheel --wheel-dir d x', 'd'],
  ['pip install -r req.txt', '<req.txt'],
  ['pip install --requirement req.txt -c c.txt -e .', '<req.txt'],
  ['pip install --user x', '~/.local'],
  ['pip install --break-system-packages x', '? Packages of the system are changed.'],
  ['uv pip install --system x', '? Packages of the system are changed.'],
  ['uv pip install --target d x', 'd'],
  ['uv venv v', 'v'],
  ['uv --directory d sync', 'd'],
  ['uv export -o r.txt', 'r.txt (export) (r.txt)'],
  ['uv export --output-file r.txt', 'r.txt (export) (r.txt)'],
  ['uv tool install x', "? 'uv tool' installs for every project."],
  ['uv tool list', ''],
  ['uv self update', "? 'uv self' installs for every project."],
  ['uv tool run touch x', 'x'],
  [
    'uv tool run --from git+https://h/x --with https://y z',
    "? It is not known what 'git+https://h/x' runs. ? It is not known what 'https://y' runs.",
  ],
  ['uv tool install --tool-dir d x', "d ? 'uv tool' installs for every project."],
  ['uv run touch x', 'x'],
  ['uv run --with https://h/x.tar.gz -p 3 touch x', "x ? It is not known what 'https://h/x.tar.gz' runs."],
  ['uv python install --install-dir d', 'd'],
  ['virtualenv v', 'v'],
  ['conda install x', "? 'conda install' changes environments outside the project."],
  ['conda create -n x', "? 'conda create' changes environments outside the project."],
  ['conda create -p d', 'd'],
  ['mamba update --prefix d x', 'd'],
  ['conda config --add a b', "? 'conda config' changes environments outside the project."],
  ['conda init', "? 'conda init' changes environments outside the project."],
  ['conda remove x', "? 'conda remove' changes environments outside the project."],
  ['conda list', ''],
  ['conda run -n e touch x', 'x'],
  ['pipx install x', "? 'pipx install' installs for every project."],
  ['pipx list', ''],
  ['pipx run touch x', 'x (x)'],
  ['pipx run git+https://h/x', "? It is not known what 'git+https://h/x' runs."],
  ['pip config set a b', "? 'pip config' changes settings outside the project."],
  ['pip config get a', ''],
  ['pip config list', ''],
  ['pip config debug', ''],
  ['pip config set --site a b', ''],
  ['poetry config a b', "? 'poetry config' changes settings outside the project."],
  ['poetry config --local a b', ''],
  ['poetry config --list', ''],
  ['pipenv run touch x', 'x'],
  ['poetry run touch x', 'x'],
  ['pdm run touch x', 'x'],
  ['hatch run touch x', 'x'],
  ['rye run touch x', 'x'],
  ['mamba run touch x', 'x'],
  ['poetry --directory d run touch x', 'd x'],
  ['uv run', ''],
  ['uv tool run touch -p x', 'x'],
  ['uv tool run', ''],
  ['pipx --version', "? 'pipx ' installs for every project."],
  ['pip config a b --list', ''],
  ['poetry config a', ''],
  ['uv run --from ./a touch x', "x (touch) (x) ? It is not known what './a' runs."],
  ['poetry run --with https://x/y touch x', 'x'],
  ["echo 'touch x' | uv run sh", 'x'],
  ['uv tool run https://x/y', "? It is not known what 'https://x/y' runs."],
  ["echo 'touch x' | uv tool run sh", 'x'],
  ['uv run touch -p x', 'x'],
  ['pip install --user a', '~/.local'],
])('packages of Python: finds the effects of %s', (command, expected) => {
  expect(outcome(command)).toBe(expected);
});
