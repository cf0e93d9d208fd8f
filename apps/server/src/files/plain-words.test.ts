import { refusalOf } from '@croft/workspace/testing';
import { expect, it } from 'vitest';
import { checkNames } from '../../../../packages/workspace/src/names.ts';
import { plainWords } from './plain-words.ts';

/** The workspace's own text for a path, so that a change of a contract text is noticed here. */
const textFor = (path: string) => refusalOf(() => checkNames(path));

it.each([
  ['docs/a?b*.md', 'The name “a?b*.md” contains * ?. Choose a name without it.'],
  ["it's?", "The name “it's?” contains ?. Choose a name without it."],
  ['a"b', 'The name “a"b” contains ". Choose a name without it.'],
  ['CON.txt', 'The name “CON.txt” is reserved on Windows. Choose another one.'],
  ['end. ', 'The name “end. ” ends with a dot or a space. Remove it.'],
  ['.lfsig/x', 'The name “.lfsig” is reserved for Croft.'],
  ['a\0b', 'A name cannot contain a NUL character.'],
])('says what is wrong with %j without Python quotes', (path, words) => {
  expect(plainWords(textFor(path))).toBe(words);
});

it('says that a path is outside, and leaves plain texts as they are', () => {
  expect(plainWords('Path escapes workspace boundary: ../x')).toBe('../x is outside of your files.');
  expect(plainWords('File not found: a.md')).toBe('File not found: a.md');
});

it('keeps the backslashes of names that Python quotes twice, and a list that it cannot read', () => {
  const forbidden = (name: string, list: string) =>
    plainWords(`Path component ${name} contains forbidden character(s): [${list}]`);
  expect(forbidden('"it\'s\\\\x"', "'?'")).toBe("The name “it's\\\\x” contains ?. Choose a name without it.");
  expect(forbidden("'a\\'b\\\\c'", `"'", '*'`)).toBe("The name “a'b\\c” contains ' *. Choose a name without it.");
  expect(forbidden("'a'", 'none')).toBe('The name “a” contains none. Choose a name without it.');
});
