import { BUILTIN } from '@croft/components';
import { expect, it } from 'vitest';
import { searchComponents } from './search-components.ts';
import { SEARCH_WORDS } from './search-words.ts';

const components = BUILTIN.map(({ descriptor }) => descriptor);
const first = (search: string, count = 1) =>
  searchComponents(components, search)
    .slice(0, count)
    .map(({ label }) => label);

it.each([
  ['foreach', 'Loop'],
  ['iterate', 'Loop'],
  ['write csv', 'Write file'],
  ['save json', 'Write file'],
  ['python', 'TypeScript code'],
  ['translate', 'Language model'],
  ['chatgpt', 'Language model'],
  ['limit', 'Sort rows'],
  ['highest', 'Sort rows'],
  ['unique', 'Aggregate rows'],
  ['every day', 'Schedule'],
  ['slack', 'HTTP request'],
  ['spreadsheet', 'Document text'],
  ['code node', 'TypeScript code'],
  ['rename', 'TypeScript code'],
  ['email', 'HTTP request'],
  ['delete', 'File system'],
  ['math', 'Calculator'],
  ['rows where', 'Filter rows'],
])('%s finds %s among the first two', (search, label) => {
  expect(first(search, 2)).toContain(label);
});

it('finds what is named before what has a word', () => {
  expect(first('csv')).toEqual(['CSV, JSON, YAML']);
  expect(first('merge')).toEqual(['Merge data']);
  expect(first('sort')).toEqual(['Sort rows']);
});

it('has words of components that exist, each in lower case, that the search needs', () => {
  for (const [type, words] of Object.entries(SEARCH_WORDS)) {
    expect(components.map((each) => each.type)).toContain(type);
    for (const word of words) expect(word, type).toMatch(/^[a-z]+$/);
    expect(new Set(words).size).toBe(words.length);
  }
});
