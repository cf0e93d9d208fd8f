import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { builtinSource, isBuiltinSource, libraryOf } from './sources.ts';

it('has the source of components that can be edited', () => {
  expect(builtinSource('SortRows')).toContain('class SortRows');
  expect([builtinSource('None'), builtinSource('constructor')]).toEqual([undefined, undefined]);
});

it('recognises a source whatever its spaces are', () => {
  const source = builtinSource('TextInput') as string;
  expect(isBuiltinSource('TextInput', `\n${source.replaceAll('\n', '\r\n  ')}\n`)).toBe(true);
  expect([
    isBuiltinSource('TextInput', `${source};`),
    isBuiltinSource('TextOutput', source),
    isBuiltinSource('None', source),
  ]).toEqual([false, false, false]);
});

it('gives functions with what they need and nothing else', () => {
  const library = libraryOf(['sortKey', 'Row']);
  expect(library).toContain('sortKey');
  expect(library).not.toContain('class TextFinder');
  expect(libraryOf(['toRows']).length).toBeLessThan(libraryOf(['toRows', 'TextFinder']).length);
  expect([libraryOf([]), libraryOf(['none'])]).toEqual(['', '']);
  // The text is a script of its own.
  expect(runInNewContext(`${libraryOf(['compareValues'])}; compareValues('2', '10') < 0;`)).toBe(true);
});
