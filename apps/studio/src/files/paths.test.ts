import { describe, expect, it } from 'vitest';
import { newNameProblem } from '../../../server/src/files/new-name.ts';
import {
  folderOf,
  freeName,
  isEditable,
  joinPath,
  kindOf,
  MAX_TEXT_BYTES,
  nameOf,
  nameProblem,
  resolveLink,
  splitName,
} from './paths.ts';

describe('paths', () => {
  it('are put together and taken apart', () => {
    expect([joinPath('', 'a'), joinPath('a/b', 'c')]).toEqual(['a', 'a/b/c']);
    expect([folderOf('a/b/c'), folderOf('a'), nameOf('a/b/c'), nameOf('a')]).toEqual(['a/b', '', 'c', 'a']);
    expect([splitName('.env'), splitName('a.tar.gz'), splitName('a')]).toEqual([
      ['.env', ''],
      ['a.tar', '.gz'],
      ['a', ''],
    ]);
  });

  it('get a free name by counting before the ending', () => {
    expect(freeName('a.md', new Set())).toBe('a.md');
    expect(freeName('a.md', new Set(['a.md', 'a (2).md']))).toBe('a (3).md');
    expect(freeName('Makefile', new Set(['Makefile']))).toBe('Makefile (2)');
  });

  it('refuse names that would be elsewhere', () => {
    expect(['', ' ', '..', 'a/b', 'a\\b'].map((name) => nameProblem(name) !== undefined)).toEqual(Array(5).fill(true));
    expect(nameProblem('notes (2).md')).toBeUndefined();
  });

  it('accept the new names that the server accepts, with the same sentences', () => {
    for (const name of [
      'a',
      '',
      ' ',
      '..',
      'a/b',
      '..\\x',
      'C:',
      'a?',
      'a\r\nb',
      'a.',
      'a ',
      'CON',
      'nul.txt',
      'é'.repeat(128),
    ])
      expect([name, nameProblem(name)]).toEqual([name, newNameProblem(name)]);
  });

  it('resolve links of a document within the root only', () => {
    expect(resolveLink('docs', 'img/a%20b.png')).toBe('docs/img/a b.png');
    expect(resolveLink('docs/deep', '../x.md#part')).toBe('docs/x.md');
    expect(resolveLink('docs', '/top.md')).toBe('top.md');
    expect(resolveLink('docs', '../../etc/passwd')).toBeUndefined();
    for (const away of ['https://example.org', '//example.org', 'javascript:alert(1)', '#here', 'data:text/html,x'])
      expect(resolveLink('', away)).toBeUndefined();
  });

  it('tell what can be looked at', () => {
    expect([kindOf('A.PNG'), kindOf('README.md'), kindOf('a.svg'), kindOf('png')]).toEqual([
      'image',
      'markdown',
      'other',
      'other',
    ]);
  });
});

it('offers to edit small files of text that are not fixed', () => {
  const facts = { name: 'a.txt', type: 'file', size: 10 };
  expect([isEditable(facts), isEditable({ ...facts, name: 'a.md' }), isEditable({ ...facts, size: null })]).toEqual([
    true,
    true,
    true,
  ]);
  expect([isEditable({ ...facts, size: MAX_TEXT_BYTES }), isEditable({ ...facts, size: 1_048_577 })]).toEqual([
    true,
    false,
  ]);
  const others = [
    { type: 'dir' },
    { isFixed: true },
    { name: 'a.PDF' },
    { name: 'a.docx' },
    { name: 'a.png' },
    { name: 'a.mp4' },
    { name: 'a.wav' },
  ];
  expect(others.filter((each) => isEditable({ ...facts, ...each }))).toEqual([]);
});

it('previews images, videos, sounds and Markdown by their extension', () => {
  const names = [
    'a.jpg',
    'a.jpeg',
    'a.gif',
    'a.webp',
    'a.mp4',
    'a.m4v',
    'a.webm',
    'a.ogv',
    'a.mp3',
    'a.flac',
    'a.opus',
    'a.markdown',
    'a.mdx',
    'apng',
  ];
  expect(names.map(kindOf)).toEqual([
    'image',
    'image',
    'image',
    'image',
    'video',
    'video',
    'video',
    'video',
    'audio',
    'audio',
    'audio',
    'markdown',
    'other',
    'other',
  ]);
});

it('says why a name is not allowed', () => {
  const names = [
    '',
    '.',
    '..',
    'a\\b',
    'a\u007f',
    'a:b',
    'a*',
    'a.',
    'com1',
    'LPT9.txt',
    'com0',
    'console',
    'é'.repeat(127),
    `${'é'.repeat(127)}a`,
    'é'.repeat(128),
  ];
  expect(names.map(nameProblem)).toEqual([
    'Enter a name.',
    'A name cannot be only dots.',
    'A name cannot be only dots.',
    'A name cannot contain a slash.',
    'A name cannot contain a line break or another control character.',
    'A name cannot contain :',
    'A name cannot contain *',
    'A name cannot end with a dot or a space.',
    'This name is reserved on Windows. Choose another one.',
    'This name is reserved on Windows. Choose another one.',
    undefined,
    undefined,
    undefined,
    undefined,
    'The name is too long.',
  ]);
});

it('resolves odd links', () => {
  const links = ['', './a', 'a//b', '%zz', '?a', 'mailto:a@x', 'a:b', 'x?q=1#h', '..', '/../a'];
  expect(links.map((href) => resolveLink('d', href))).toEqual([
    'd',
    'd/a',
    'd/a/b',
    'd/%zz',
    undefined,
    undefined,
    undefined,
    'd/x',
    '',
    undefined,
  ]);
});
