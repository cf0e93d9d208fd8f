import { expect, it } from 'vitest';
import { effects } from '../testing.ts';

it.each([
  ['git format-patch -o out HEAD~1', 'out'],
  ['git archive -o a.tar HEAD', 'a.tar'],
  ['git diff --output=d', 'd'],
  ['git log --output l', 'l'],
  ['git clone ext::x d', 'd ?'],
  ['git merge-file a b c', 'a'],
  ['git interpret-trailers --in-place f', 'f'],
  ['git fast-export --export-marks=m', 'm'],
  ['git -C sub branch new', 'sub'],
  ['git -C sub tag v1', 'sub'],
  ['git -C sub remote add o u', 'sub'],
  ['git -C sub config a.b c', 'sub ?'],
  ['git -C sub reflog expire', 'sub'],
  ['git -C sub hash-object -w f', 'sub'],
])('outputs of git: finds what is written by %s', (command, expected) => {
  expect(effects(command)).toBe(expected);
});

it.each([
  'git push origin main',
  'git merge-file -p a b c',
  'git interpret-trailers f',
  'git -C sub branch',
  'git -C sub tag -l',
  'git -C sub remote -v',
  'git -C sub config --get a.b',
])('outputs of git: finds nothing that is written by %s', (command) => {
  expect(effects(command)).toBe('');
});

it.each(['git fetch --upload-pack=x u', 'git send-email x'])(
  'outputs of git: cannot tell what is written by %s',
  (command) => {
    expect(effects(command)).toBe('?');
  },
);
