import { expect, it } from 'vitest';
import { codeProblem } from './code-problems.ts';

it.each([
  ['Line 3 of the code: Unexpected token.', 3, 'Unexpected token.'],
  ['My code: Line 4 of the code: No return.', 4, 'No return.'],
  ['MyComponent, line 12: TypeError: x is not a function', 12, 'TypeError: x is not a function'],
  ['Line 2 is not valid JSON.', 2, 'Line 2 is not valid JSON.'],
  ['The code ran for 5 s.', 0, 'The code ran for 5 s.'],
])('finds the line of “%s”', (text, line, message) => {
  expect(codeProblem(text)).toEqual({ line, message });
});
