import { describe, expect, it } from 'vitest';
import { newNameProblem } from '../../../server/src/files/new-name.ts';
import { folderOf, freeName, joinPath, kindOf, nameOf, nameProblem, resolveLink, splitName } from './paths.ts';

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
