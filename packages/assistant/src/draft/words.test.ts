import { expect, it } from 'vitest';
import { escaped, NUMBERS, stemsOf } from './words.ts';

it.each([
  ['Summarize the documents', 'summaris fil'],
  ['a summary of each website', 'summaris pag'],
  ['ChatInput', 'chat input'],
  ['Chatbots', 'chat'],
  ['a flow with an agent that answers questions', 'agent answ messag'],
  ['a b 1 2', ''],
  ['Question ids are used', 'messag id used'],
  ['boxes, matches and wishes', 'box match wish'],
  ['xYz é', 'yz'],
  ['bus glass', 'bus glass'],
  ['option', 'opt'],
  ['being red', 'being red'],
])('the stems of "%s" are: %s', (text, stems) => expect(stemsOf(text).join(' ')).toBe(stems));

it.each([
  'filter filters filtered filtering',
  'query queries queried',
  'address addresses',
  'calculate calculates calculation calculations calculator',
  'case cases',
  'size sizes sized',
  'trim trims trimming trimmed',
  'entry entries',
  'number numbers numbered',
  'error errors',
  'call calls called calling',
  'feed feeds',
])('the forms of one word have one stem: %s', (forms) => {
  expect(new Set(stemsOf(forms)).size).toBe(1);
});

it('a word that every object has as a property has a stem', () => {
  expect(stemsOf('constructor')).toEqual(['construct']);
});

it('knows numbers as words, and a pattern for any text', () => {
  expect(NUMBERS).toEqual({ one: 1, two: 2, three: 3, four: 4, five: 5, ten: 10 });
  const text = '.*+?^${}()|[]\\';
  expect(escaped(`a-b${text}`)).toBe(`a-b${[...text].map((each) => `\\${each}`).join('')}`);
});
