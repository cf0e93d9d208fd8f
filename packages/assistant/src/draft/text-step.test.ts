import { describe, expect, it } from 'vitest';
import { readRequest } from './request-parts.ts';
import { textStepFor } from './text-step.ts';
import { stemsOf } from './words.ts';

/** The values for a request of one clause. */
function step(request: string, known = 'message') {
  const parts = readRequest(request);
  const [clause, ...others] = parts.clauses;
  if (clause === undefined || others.length > 0) throw new Error(`${others.length + 1} clauses`);
  return textStepFor(clause, parts, new Set(stemsOf(known)));
}
const keep = (search_pattern: string, more = {}) => ({ operation: 'Keep lines', search_pattern, ...more });
const drop = (search_pattern: string, more = {}) => ({ operation: 'Drop lines', search_pattern, ...more });
const replace = (search_pattern: string, replacement_text: string) => ({
  operation: 'Replace',
  search_pattern,
  replacement_text,
});
const REGEX = { use_regex: true };

describe('lines', () => {
  it.each([
    ['keep the lines with TODO', keep('TODO')],
    ['show me the lines of notes.md that contain TODO.', keep('TODO')],
    ['keep the lines mentioning "fix me"', keep('fix me')],
    ["list the lines that say 'due date'", keep('due date')],
    ['keep the lines that have the word todo ignoring case', keep('todo', { ignore_case: true })],
    ['keep the lines with todo, case-insensitively', undefined],
    ['keep the lines that start with "E."', keep('^E\\.', REGEX)],
    ['keep the lines that begin with "a|b"', keep('^a\\|b', REGEX)],
    ['keep the lines that end with "?"', keep('\\?$', REGEX)],
    ['keep the lines ending in "x" case insensitive', keep('x$', { ...REGEX, ignore_case: true })],
    ['drop the lines with DEBUG', drop('DEBUG')],
    ['keep the lines without DEBUG', drop('DEBUG')],
    ['keep the lines that do not contain DEBUG', drop('DEBUG')],
    ['keep the lines that have no DEBUG', drop('DEBUG')],
    ['keep everything except lines with DEBUG', drop('DEBUG')],
    ['filter out lines containing DEBUG', drop('DEBUG')],
    ['drop lines that don’t mention Bob', keep('Bob')],
    ['drop all lines except lines without DEBUG', drop('DEBUG')],
    ['remove empty lines', drop('^\\s*$', REGEX)],
    ['keep the non-empty lines', drop('^\\s*$', REGEX)],
    ['keep the lines that are not blank', drop('^\\s*$', REGEX)],
    ['keep the lines that are blank', keep('^\\s*$', REGEX)],
    ['drop the lines that are not empty', keep('^\\s*$', REGEX)],
  ])('%s', (request, values) => {
    if (values === undefined) expect(() => step(request)).toThrow('2 clauses');
    else expect(step(request)).toEqual(values);
  });

  it.each([
    ['a kind of text', 'keep the lines that contain numbers'],
    ['words that say nothing', 'keep the lines with the'],
    ['an empty text', 'keep the lines with ""'],
    ['a file', 'keep the lines with notes.md'],
    ['more than one text', 'keep the lines with TODO or FIXME'],
    ['other words', 'keep the lines with TODO in French'],
    ['another value', 'keep the lines with TODO from "x y"'],
    ['a number', 'keep the lines with TODO 3'],
    ['no condition', 'keep the lines'],
    ['no lines', 'keep the rows with TODO'],
  ])('are not found by %s: %s', (_, request) => expect(step(request)).toBeUndefined());

  it('may have words that other components carry out', () => {
    expect(step('sort the lines with TODO')).toBeUndefined();
    expect(step('sort the lines with TODO', 'sort')).toEqual(keep('TODO'));
  });
});

describe('a part of a text', () => {
  it.each([
    ['take the first two lines', { operation: 'First lines', count: 2 }],
    ['take the top 12 lines of notes.md', { operation: 'First lines', count: 12 }],
    ['take the top 2 LINES of https://e.org/a.txt', { operation: 'First lines', count: 2 }],
    ['show the last TEN characters', { operation: 'Last characters', count: 10 }],
    ['show the bottom line', { operation: 'Last lines', count: 1 }],
    ['show the first line', { operation: 'First lines', count: 1 }],
    ['show the first lines', undefined],
    ['show the first 3 lines that contain TODO', undefined],
  ])('%s', (request, values) => expect(step(request)).toEqual(values));
});

describe('a change of a text', () => {
  it.each([
    ['make it upper case', { operation: 'Upper case' }],
    ['put it in caps', { operation: 'Upper case' }],
    ['convert it to lowercase', { operation: 'Lower case' }],
    ['write it in small letters', { operation: 'Lower case' }],
    ['capitalise every word', { operation: 'Title case' }],
    ['trim it', { operation: 'Trim' }],
    ['strip leading spaces', { operation: 'Trim', strip_mode: 'left' }],
    ['remove trailing white space', { operation: 'Trim', strip_mode: 'right' }],
    ['replace foo with bar', replace('foo', 'bar')],
    ['swap every "red" for "blue" in the message', replace('red', 'blue')],
    ['change "a" to "b"', replace('a', 'b')],
    ['change foo to bar', undefined],
    ['turn it into a list', undefined],
    ['replace foo with "notes.md"', undefined],
    ['replace dogs with cats', undefined],
    ['do not make it upper case', undefined],
    ['make it upper case twice', undefined],
    ['make the headings upper case', undefined],
    ['reverse it', undefined],
  ])('%s', (request, values) => expect(step(request)).toEqual(values));
});
