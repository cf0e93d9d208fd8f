import { expect, it } from 'vitest';
import { plainText, wordsOf } from './words.ts';

it.each([
  ['filePath', 'file path'],
  ['file_path', 'file path'],
  ['FILE-PATH', 'file path'],
  ['HTMLFile', 'html file'],
  ['path2File', 'path2 file'],
  ['write​File', 'write file'],
  ['ｗｒｉｔｅ_ｆｉｌｅ', 'write file'],
  ['__', ''],
])('the words of %s are %s, also from the cache', (name, words) => {
  expect(wordsOf(name).join(' ')).toBe(words);
  expect(wordsOf(name).join(' ')).toBe(words);
});

it('text is read in compatibility form without invisible characters', () => {
  expect(plainText('ﬁle\u00ad\u202e')).toBe('file');
  expect(plainText('plain ~')).toBe('plain ~');
});
