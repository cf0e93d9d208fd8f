import type { Json } from '@croft/flow';
import { expect, it } from 'vitest';
import { shownValue } from '../runs/shown-value.ts';
import { formatMs, hasTable, isJsonText, resultText, valueText } from './result-text.ts';

it('shows records of an answer without the fences of Markdown, and other fences as they are', () => {
  const fenced = '```json\n{\n  "a": 1\n}\n```\n```json\n{}\n```';
  const plain = '{\n  "a": 1\n}\n{}';
  expect(resultText({ message: { text: fenced } })).toBe(plain);
  expect(shownValue({ text: fenced })).toEqual({ kind: 'text', text: plain });
  expect(resultText({ message: { text: '```ts\n1\n```' } })).toBe('```ts\n1\n```');
});

it('knows a table in Markdown, as the answer of a flow has for rows', () => {
  expect(hasTable('2 rows:\n| name | age |\n| ---- | --- |\n| Ada  | 36  |')).toBe(true);
  expect(['a | b', '| a |', '---', '| a --- b |'].filter(hasTable)).toEqual([]);
});

it('shows the first output that has a value', () => {
  const first = { a: null, b: { text: '' }, c: [{ x: 1 }], d: 'later' };
  expect([resultText(first), resultText({ a: null }), resultText({})]).toEqual(['1 row', '', '']);
  expect([undefined, null, 'text', ['a']].map((outputs) => resultText(outputs))).toEqual(['', '', '', '']);
});

it('writes a value in a few words', () => {
  const values: Json[] = [null, 0, false, 'x', [], [1], [1, 2], { text: 'hi', a: 1 }, { text: 7 }, {}];
  expect(values.map(valueText)).toEqual(['', '0', 'false', 'x', '0 rows', '1 row', '2 rows', 'hi', '{"text":7}', '{}']);
});

it('knows JSON of objects and lists', () => {
  expect(['{}', ' \n[1]', '{', '1', '"[]"', 'x {}', ''].filter(isJsonText)).toEqual(['{}', ' \n[1]']);
  const listOf = (length: number) => `["${'x'.repeat(length - 4)}"]`;
  expect([isJsonText(listOf(100_000)), isJsonText(listOf(100_001))]).toEqual([true, false]);
});

it.each([
  [0.4, '<1 ms'],
  [1, '1 ms'],
  [12.6, '13 ms'],
  [999, '999 ms'],
  [1_000, '1.0 s'],
  [59_900, '59.9 s'],
  [60_000, '1 min 0 s'],
  [119_400, '1 min 59 s'],
  [119_600, '2 min 0 s'],
  [125_400, '2 min 5 s'],
  [999.6, '1.0 s'],
  [59_960, '1 min 0 s'],
  [600_000, '10 min 0 s'],
  [3_599_400, '59 min 59 s'],
  [3_599_600, '1 h 0 min'],
  [7_500_000, '2 h 5 min'],
  [86_369_000, '23 h 59 min'],
  [86_371_000, '1 d 0 h'],
  [180_000_000, '2 d 2 h'],
])('writes %d ms as %s', (ms, text) => {
  expect(formatMs(ms)).toBe(text);
});
