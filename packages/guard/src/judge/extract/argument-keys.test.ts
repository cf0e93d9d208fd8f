import { expect, it } from 'vitest';
import { hintSet, isHint, type KeyMeaning, meaningOf } from './argument-keys.ts';

it.each<[KeyMeaning, string]>([
  ['path', 'path file_path filePath FILE-PATH notebook_path absolutePath'],
  ['base', 'cwd working_directory workdir rootDir'],
  ['output', 'output_file outputPath save_to saveFileAs'],
  ['command', 'command cmd'],
  ['content', 'search_text replacementText pageMarkdown'],
  ['body', 'file_content newContent pageContents'],
  ['other', 'is_path includeFiles create_directories maxDepth show_dirs allowFiles limit tent'],
])('takes these names for the meaning %s: %s', (meaning, keys) => {
  for (const key of keys.split(' ')) expect(meaningOf(key), key).toBe(meaning);
});

it('takes no name of an object of JavaScript for anything', () => {
  for (const key of ['__proto__', 'constructor', 'valueOf', '', '42']) expect(meaningOf(key), key).toBe('other');
});

it('follows the names of the configuration, in any spelling, where a name says nothing', () => {
  const hints = hintSet(['my_place', 'Where']);
  for (const key of ['myPlace', 'my-place', 'WHERE']) expect(isHint(key, meaningOf(key), hints), key).toBe(true);
  expect(isHint('place', meaningOf('place'), hints)).toBe(false);
  // Names that mean a path are judged as one in any case.
  expect(isHint('path', 'path', hintSet(['path']))).toBe(false);
  expect(isHint('myPlace', 'other', hintSet([]))).toBe(false);
});
