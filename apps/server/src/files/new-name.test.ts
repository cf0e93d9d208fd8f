import { expect, it } from 'vitest';
import { newNameProblem, refuseNewNames } from './new-name.ts';

it.each(['notes.md', '.gitignore', 'a b (2).txt', 'naïve 日本.md', 'console.log', 'x'.repeat(255)])(
  'a new name may be %j',
  (name) => expect(newNameProblem(name)).toBeUndefined(),
);

it.each([
  '',
  ' ',
  '.',
  '..',
  'a/b',
  '..\\x',
  'C:',
  'a:b',
  'a?',
  'a\nb',
  'a\r',
  'a\u0000',
  'a\u007f',
  'end.',
  'end ',
  'CON',
  'nul.txt',
  'x'.repeat(256),
])('a new name may not be %j', (name) => expect(newNameProblem(name)).toMatch(/^[A-Z].*/));

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
  expect(() => refuseNewNames(workspace, 'a/../b.md')).not.toThrow();
});
