import { expect, it } from 'vitest';
import { Problem } from '../problem.ts';
import { newNameProblem, refuseNewNames } from './new-name.ts';

it.each([
  'com0',
  'lpt',
  'com10',
  'falcon.txt',
  '...x',
  'notes.md',
  '.gitignore',
  'a b (2).txt',
  'naïve 日本.md',
  'console.log',
  'x'.repeat(255),
])('a new name may be %j', (name) => expect(newNameProblem(name)).toBeUndefined());

const SLASH = 'A name cannot contain a slash.';
const CONTROL = 'A name cannot contain a line break or another control character.';
const END = 'A name cannot end with a dot or a space.';
const DEVICE = 'This name is reserved on Windows. Choose another one.';

it.each<readonly [string, string]>([
  ['', 'Enter a name.'],
  [' ', 'Enter a name.'],
  ['.', 'A name cannot be only dots.'],
  ['..', 'A name cannot be only dots.'],
  ['a/b', SLASH],
  ['..\\x', SLASH],
  ...[...'<>:"|?*'].map((character) => [`a${character}b`, `A name cannot contain ${character}`] as const),
  ['C:', 'A name cannot contain :'],
  ...['a\nb', 'a\r', '\u0000', 'a\u001f', 'a\u007f'].map((name) => [name, CONTROL] as const),
  ['end.', END],
  ['end ', END],
  ...['CON', 'prn', 'aux', 'nul.txt', 'com1', 'COM9.x', 'lpt1', 'lpt9'].map((name) => [name, DEVICE] as const),
  ['x'.repeat(256), 'The name is too long.'],
  ['ï'.repeat(128), 'The name is too long.'],
])('a new name may not be %j: %s', (name, problem) => expect(newNameProblem(name)).toBe(problem));

it('refuses new names in a path, and leaves the names of folders that exist', () => {
  const folders = new Set(['2026-11-23T10:00', '2026-11-23T10:00/in']);
  const workspace = {
    info: (path: string) => {
      if (!folders.has(path)) throw new Error('not found');
      return {} as never;
    },
  };
  expect(() => refuseNewNames(workspace, '2026-11-23T10:00/in/new.md')).not.toThrow();
  expect(() => refuseNewNames(workspace, '2026-11-23T10:00/new:name')).toThrow('A name cannot contain :');
  expect(() => refuseNewNames(workspace, 'new:folder/a.md')).toThrow('A name cannot contain :');
  for (const path of ['a/../b.md', './new//a.md/', '', '2026-11-23T10:00/in', '2026-11-23T10:00/../b.md'])
    expect(() => refuseNewNames(workspace, path)).not.toThrow();
  expect(() => refuseNewNames(workspace, '2026-11-23T10:00')).toThrow(
    new Problem(400, 'invalid', 'A name cannot contain :'),
  );
});
