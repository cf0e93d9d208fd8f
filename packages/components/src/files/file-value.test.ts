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

it('knows these endings', () => {
  const endings =
    'txt log text md markdown html htm yaml yml jpg jpeg csv tsv css js mjs json jsonl xml pdf zip gz docx xlsx pptx png gif webp svg mp3 wav ogg opus flac aac m4a mp4 webm';
  expect(endings.split(' ').map((ending) => fileValue(`a.${ending}`, '').type)).toEqual([
    'text/plain',
    'text/plain',
    'text/plain',
    'text/markdown',
    'text/markdown',
    'text/html',
    'text/html',
    'application/yaml',
    'application/yaml',
    'image/jpeg',
    'image/jpeg',
    'text/csv',
    'text/tab-separated-values',
    'text/css',
    'text/javascript',
    'text/javascript',
    'application/json',
    'application/jsonl',
    'application/xml',
    'application/pdf',
    'application/zip',
    'application/gzip',
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    'application/vnd.openxmlformats-officedocument.presentationml.presentation',
    'image/png',
    'image/gif',
    'image/webp',
    'image/svg+xml',
    'audio/mpeg',
    'audio/wav',
    'audio/ogg',
    'audio/ogg',
    'audio/flac',
    'audio/aac',
    'audio/mp4',
    'video/mp4',
    'video/webm',
  ]);
});
