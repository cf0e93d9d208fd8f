import { expect, it } from 'vitest';
import { type FilesPlace, readFilesPlace, toFilesPlace, TREE_NAME } from './place-of-files.ts';

const read = (search: string) => readFilesPlace({ query: new URLSearchParams(search) });

it.each<[FilesPlace, string]>([
  [{ dir: '' }, '/files'],
  [{ dir: 'a b/c' }, '/files?dir=a+b%2Fc'],
  [{ dir: 'a', file: 'a/x.txt', line: 3 }, '/files?dir=a&file=a%2Fx.txt&line=3'],
  [{ dir: '', q: 'x&y', where: 'content' }, '/files?q=x%26y&in=content'],
  [{ dir: '', q: 'x', where: 'name' }, '/files?q=x'],
])('of %j is %s, and is read again', (place, address) => {
  expect(toFilesPlace(place)).toBe(address);
  expect(read(address.split('?')[1] ?? '')).toEqual({
    file: undefined,
    line: undefined,
    q: undefined,
    where: 'name',
    ...place,
  });
});

it('leaves out a line without a file, and where to search without a search', () => {
  expect(toFilesPlace({ dir: '', line: 3, where: 'content' })).toBe('/files');
});

it('has the name of the top folder, and reads the place of a search of names', () => {
  expect(TREE_NAME).toBe('Files');
  expect(read('dir=a&q=x&in=other&line=1')).toEqual({ dir: 'a', file: undefined, line: 1, q: 'x', where: 'name' });
});

it.each(['0', '-1', '1.5', 'x', ''])('has no line %j', (line) => {
  expect(read(`line=${line}`).line).toBeUndefined();
});
