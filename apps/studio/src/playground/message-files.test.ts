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
