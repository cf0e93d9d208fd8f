import { expect, it } from 'vitest';
import { beyondCall } from './direct-call.ts';

it.each([
  ['read notes.md', 'read_file', { path: 'notes.md' }, []],
  ['show me the content of notes.md', 'read_file', { path: 'notes.md' }, []],
  ['what does notes.md say?', 'read_file', { path: 'notes.md' }, []],
  ['round the amounts in sales.csv', 'read_file', { path: 'sales.csv' }, ['round the amounts in sales.csv']],
  ['read notes.md and tell me a joke', 'read_file', { path: 'notes.md' }, []],
  ['replace "a" with "b" in x.txt', 'edit_file', { path: 'x.txt', old_string: 'a', new_string: 'b' }, []],
  [
    'replace "a" with "b" in x.txt and save it to y.txt',
    'edit_file',
    { path: 'x.txt', old_string: 'a', new_string: 'b' },
    ['y.txt'],
  ],
  ['is this flow correct?', 'validate_flow', {}, []],
  ['check the flow', 'validate_flow', {}, []],
  [
    'validate that every row in customers.csv has an email',
    'validate_flow',
    {},
    ['validate that every row in customers.csv has an email'],
  ],
  ['use read_file with path notes.md and a joke', 'read_file', { path: 'notes.md' }, []],
  ['round it', 'add_step', { request: 'round it' }, []],
  ['round the amounts in a.txt', 'add_step', { path: 'a.txt' }, []],
  ['find files named *.md', 'glob_search', { pattern: '*.md' }, []],
  ['find files named *.md and compress a.zip', 'glob_search', { pattern: '*.md' }, []],
  ['compress *.md', 'glob_search', { pattern: '*.md' }, ['compress *.md']],
  ['search for TODO in notes.md', 'grep_search', { pattern: 'TODO', path: 'notes.md' }, []],
  ['count TODO in notes.md', 'grep_search', { pattern: 'TODO', path: 7 }, ['count TODO in notes.md']],
  ['fix a.txt, b.txt and b.txt', 'edit_file', { path: 'a.txt' }, ['b.txt']],
])('of “%s”, a call of %s with %j leaves out: %j', (message, tool, args, expected) => {
  expect(beyondCall(message, tool, args)).toEqual(expected);
});
