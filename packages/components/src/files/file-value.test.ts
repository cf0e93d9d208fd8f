import { expect, it } from 'vitest';
import { fileValue } from './file-value.ts';

it.each([
  ['notes.md', 'text/markdown'],
  ['a/b.CSV', 'text/csv'],
  ['scan.tar.gz', 'application/gzip'],
  ['report.docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
  ['photo.jpeg', 'image/jpeg'],
  ['README', 'application/octet-stream'],
  ['dir.md/file', 'application/octet-stream'],
  ['.md', 'text/markdown'],
  ['a.unknown', 'application/octet-stream'],
  ['a.', 'application/octet-stream'],
])('gives %s the type %s by its ending', (path, type) => {
  expect(fileValue(path, 'v1')).toEqual({ path, version: 'v1', type });
});
