import { expect, it } from 'vitest';
import { splitFiles, withFiles } from './message-files.ts';

it('names the files of a message, and finds them again', () => {
  for (const [text, paths] of [
    ['Sum it up', ['uploads/a.csv', 'b (2).md']],
    ['', ['a.csv']],
    ['No files', []],
    ['Two\nlines', ['a']],
  ] as const)
    expect(splitFiles(withFiles(text, paths))).toEqual({ text, paths });
});

it('leaves a text alone that only mentions files', () => {
  for (const text of ['See Attached files: none', 'Attached files:\nnone here', 'x Attached files:\n- a'])
    expect(splitFiles(text)).toEqual({ text, paths: [] });
});

it('writes the paths below the text', () => {
  expect(withFiles(' Sum it up\n', [])).toBe('Sum it up');
  expect(withFiles(' Sum it up\n', ['a', 'b/c'])).toBe('Sum it up\n\nAttached files:\n- a\n- b/c');
  expect(withFiles(' \n', ['a'])).toBe('Attached files:\n- a');
});

it('takes only the last list as the files, if nothing follows it', () => {
  const list = 'Attached files:\n- a';
  expect(splitFiles(`${list}\nmore\n\nAttached files:\n- b\n`)).toEqual({ text: `${list}\nmore`, paths: ['b'] });
  for (const text of [`${list}\nmore`, 'Attached files:', 'none', ''])
    expect(splitFiles(text)).toEqual({ text, paths: [] });
});
