import { expect, it } from 'vitest';
import { findingFiles } from './finding-files.ts';

it.each([
  ['lists all files', {}],
  ['lists the files of my folder', {}],
  ['lists all csv files', { pattern: '**/*.csv' }],
  ['shows every .md files', { pattern: '**/*.md' }],
  ['finds Python files', { pattern: '**/*.py' }],
  ['lists all image files', undefined],
  ['lists all old files', undefined],
])('the words “%s” find files by %j', (text, expected) => {
  expect(findingFiles(text)).toEqual(expected);
});
