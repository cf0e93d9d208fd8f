import { expect, it } from 'vitest';
import { findingFiles, listsFiles } from './finding-files.ts';

it.each([
  ['lists all files', {}],
  ['lists the files of my folder', {}],
  ['lists all csv files', { pattern: '**/*.csv' }],
  ['shows every .md files', { pattern: '**/*.md' }],
  ['finds Python files', { pattern: '**/*.py' }],
  ['lists excel files', { pattern: '**/*.xlsx' }],
  ['lists JavaScript files', { pattern: '**/*.js' }],
  ['lists markdown files', { pattern: '**/*.md' }],
  ['lists text files', { pattern: '**/*.txt' }],
  ['lists typescript files', { pattern: '**/*.ts' }],
  ['lists word files', { pattern: '**/*.docx' }],
  ['lists them', {}],
  ['lists all image files', undefined],
  ['lists all old files', undefined],
])('the words “%s” find files by %j', (text, expected) => {
  expect(findingFiles(text)).toEqual(expected);
});

it('knows a clause that only lists files', () => {
  expect(
    ['show me all my csv files.', 'lists files', 'find the files', 'list files of Ada', 'deletes all files'].map(
      listsFiles,
    ),
  ).toEqual([true, true, true, false, false]);
});
