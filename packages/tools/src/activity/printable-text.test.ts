import { expect, it } from 'vitest';
import { clean, toLine } from './printable-text.ts';

/** Clears the screen, ends the line in two ways, turns the direction of text, and rings. */
const HOSTILE = 'a\u001b[2Jb\nc\u2028d\u202ee\u2066f\u0007g\u009bh\u007fi';
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/;

it('shows control characters instead of sending them to the terminal', () => {
  expect(clean(HOSTILE)).toBe('a\\u001b[2Jb\\u000ac\\u2028d\\u202ee\\u2066f\\u0007g\\u009bh\\u007fi');
  expect(clean('Zoë: 家 🏠')).toBe('Zoë: 家 🏠');
});

it('cuts a long text', () => {
  expect(clean('x'.repeat(301))).toBe(`${'x'.repeat(300)}…`);
  expect(clean('x'.repeat(300))).toBe('x'.repeat(300));
  expect(clean('abc', 2)).toBe('ab…');
});

it('prints JSON as one line without control characters, which reads as the same value', () => {
  const value = { path: HOSTILE, [HOSTILE]: [HOSTILE] };
  const line = toLine(value);
  expect(line).not.toMatch(CONTROL);
  expect(JSON.parse(line)).toEqual(value);
});
