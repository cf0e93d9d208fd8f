import { expect, it } from 'vitest';
import { isForbidden, orderIn, withoutForbidden } from './forbidden.ts';

const BUILD = 'build a flow that reads in.md and saves it to out.txt';

it.each([
  [`${BUILD}, and do not write to notes.md, then run it`, `${BUILD}, then run it`, ['do not write to notes.md']],
  [`${BUILD} and does not overwrite notes.md, then run it`, `${BUILD}, then run it`, ['does not overwrite notes.md']],
  [`${BUILD}. Don't overwrite notes.md. Run it`, `${BUILD}. Run it`, ["Don't overwrite notes.md"]],
  [`${BUILD}. Don’t touch notes.md!`, `${BUILD}.`, ['Don’t touch notes.md']],
  [`${BUILD}, but it must not change notes.md`, BUILD, ['it must not change notes.md']],
  [`${BUILD} but do not run it`, BUILD, ['do not run it']],
  ['Do not run it; save it to out.txt', '; save it to out.txt', ['Do not run it']],
  ['do not write to a.md and save it to b.md', 'save it to b.md', ['do not write to a.md']],
  ['do not replace `a. b, c` with `x` in notes.md', '', ['do not replace `a. b, c` with `x` in notes.md']],
  ['I did not replace `a` with `b` in notes.md', '', ['I did not replace `a` with `b` in notes.md']],
  ['please never undo that', '', ['please never undo that']],
  ['Do not run', '', ['Do not run']],
  ['not undo', '', ['not undo']],
  [`${BUILD}, which you must not overwrite`, BUILD, ['which you must not overwrite']],
])('leaves out what “%s” forbids', (message, text, forbidden) => {
  expect(withoutForbidden(message)).toEqual({ text: text.replace(/^; /, ''), forbidden });
});

it.each([
  `${BUILD}, then run it`,
  'saves the rows that do not contain `x` to out.csv',
  'keeps the rows whose city is not Oslo and saves them to out.csv',
  'do not count empty lines',
  "don't add a header and save it to out.csv",
  'build a flow that shows "Do not run it"',
  'never mind, undo that',
  'run it, why not',
])('reads “%s” as an order', (message) => {
  expect(withoutForbidden(message)).toEqual({ text: message, forbidden: [] });
});

it('finds no order in a message that only forbids', () => {
  expect(orderIn('do not run it. Do not undo that!')).toBeUndefined();
  expect(orderIn('do not run it. Count its words')).toBe('Count its words');
  expect(orderIn('')).toBe('');
});

it.each([
  ['save it to out.txt, but not to', ''],
  ['add them to out.txt but not to the end of', ''],
  ['in all files except', ''],
  ['instead of', ''],
  ['save it to out.txt without touching', ''],
  ['without writing it to', ''],
  ['avoid overwriting', ''],
  ['', ' must not change'],
  ['leave', ' as it is'],
  ['keep', ' unchanged'],
  ['', ' mustn’t be overwritten'],
])('the file after “%s” and before “%s” stays', (before, after) => {
  expect(isForbidden(`${before} `, after)).toBe(true);
});

it.each([
  ['save the rows whose city is not Oslo to', ''],
  ['save the rows that do not start with A to', ''],
  ['save the rows that are not in', ' to out.csv'],
  ['do not write to a.md but save it to', ''],
  ['Do not ask. Save it to', ''],
  ['save the rows of', ' that are not in Rome'],
  ['fix', ' but not out.md'],
])('the file after “%s” and before “%s” may change', (before, after) => {
  expect(isForbidden(`${before} `, after)).toBe(false);
});
