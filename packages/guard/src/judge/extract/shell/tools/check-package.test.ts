import { expect, it } from 'vitest';
import { isOpen } from '../testing.ts';

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
