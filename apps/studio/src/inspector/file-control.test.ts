import { expect, it } from 'vitest';
import { pathText } from './file-control.tsx';

it.each([
  [null, ''],
  [[], ''],
  ['a.csv', 'a.csv'],
  [['a.csv'], 'a.csv'],
  [['a.csv', 'b.csv'], '["a.csv","b.csv"]'],
])('shows the files %j as %j', (value, text) => {
  expect(pathText(value)).toBe(text);
});
