import { expect, it } from 'vitest';
import { shownValue } from '../runs/shown-value.ts';
import { hasTable, resultText } from './result-text.ts';

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
