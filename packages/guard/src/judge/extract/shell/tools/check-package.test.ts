import { expect, it } from 'vitest';
import { isOpen, outcome } from '../testing.ts';

it.each([
  'github:a/b',
  'a/b',
  'a/b#main',
  'git+https://h/x',
  'https://h/x',
  'git@h:a/b',
  './x.tgz',
  'x.tar.gz',
  'n@https://h/x',
  '$x',
])('cannot tell what npx %s runs', (spec) => {
  expect(isOpen(`npx ${spec}`)).toBe(true);
});

it.each(['cowsay', '@scope/name', 'cowsay@1.0.0'])('lets npx %s pass, which a registry has', (spec) => {
  expect(isOpen(`npx ${spec}`)).toBe(false);
});

it.each([
  ['npx https://h/x', "? It is not known what 'https://h/x' runs."],
  ['npx http://h/x', "? It is not known what 'http://h/x' runs."],
  ['npx git+https://h/x', "? It is not known what 'git+https://h/x' runs."],
  ['npx git:x', "? It is not known what 'git:x' runs."],
  ['npx ssh://h/x', "? It is not known what 'ssh://h/x' runs."],
  ['npx file:x', "? It is not known what 'file:x' runs."],
  ['npx github:o/r', "? It is not known what 'github:o/r' runs. ? It is not known what 'r' is given to run later."],
  ['npx gitlab:o/r', "? It is not known what 'gitlab:o/r' runs. ? It is not known what 'r' is given to run later."],
  [
    'npx bitbucket:o/r',
    "? It is not known what 'bitbucket:o/r' runs. ? It is not known what 'r' is given to run later.",
  ],
  ['npx gist:x', "? It is not known what 'gist:x' runs."],
  ['npx data:x', "? It is not known what 'data:x' runs."],
  ['npx o/r', "? It is not known what 'o/r' runs. ? It is not known what 'r' is given to run later."],
  ['npx o/r#main', "? It is not known what 'o/r#main' runs."],
  ['npx git@h:o/r', "? It is not known what 'git@h:o/r' runs. ? It is not known what 'r' is given to run later."],
  ['npx ./x.tgz', "? It is not known what './x.tgz' runs."],
  ['npx x.tar.gz', "? It is not known what 'x.tar.gz' runs."],
  ['npx x@https://h/x', "? It is not known what 'x@https://h/x' runs."],
  [
    'npx @s/x@github:o/r',
    "? It is not known what '@s/x@github:o/r' runs. ? It is not known what 'r' is given to run later.",
  ],
  ['npx @s/x', ''],
  ['npx @s/x@1.2', ''],
  ['npx x@latest', ''],
  ['npx x', ''],
  ['npx "$X"', '? It is not known what \'"$X"\' runs. ? The command that runs is not known.'],
  ['npx HTTPS://h/x', "? It is not known what 'HTTPS://h/x' runs."],
])('packages: finds the effects of %s', (command, expected) => {
  expect(outcome(command)).toBe(expected);
});
