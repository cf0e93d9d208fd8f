import { expect, it } from 'vitest';
import { runFilesText } from './run-files.ts';

const wrote = (path: string, undo: 'possible' | 'done' | 'impossible' = 'possible') => ({
  tool: 'flow',
  undo,
  paths: [path],
});

it('counts the files that a run changed and that are not undone, each once', () => {
  expect(runFilesText([])).toBeUndefined();
  expect(runFilesText([wrote('a.txt', 'done')])).toBeUndefined();
  expect(runFilesText([wrote('a.txt'), wrote('a.txt', 'impossible')])).toBe('1 file');
  expect(runFilesText([wrote('a.txt'), wrote('b.txt'), wrote('c.txt', 'done')])).toBe('2 files');
});

it('says where the list of changes is full', () => {
  expect(runFilesText(Array.from({ length: 20 }, (_, at) => wrote(`${at}.txt`)))).toBe('at least 20 files');
});
