import { expect, it } from 'vitest';
import { stableText } from './stable-text.ts';

it('is equal for equal values, whatever the order of their keys', () => {
  expect(stableText({ b: [{ d: 1, c: 2 }], a: null })).toBe('{"a":null,"b":[{"c":2,"d":1}]}');
  expect(stableText({ a: 1, b: 2 })).toBe(stableText({ b: 2, a: 1 }));
});

it('keeps the order of lists, and leaves functions out', () => {
  expect(stableText([2, 1])).not.toBe(stableText([1, 2]));
  expect(stableText({ model: { name: 'm', ask: () => 1 } })).toBe('{"model":{"name":"m"}}');
});
