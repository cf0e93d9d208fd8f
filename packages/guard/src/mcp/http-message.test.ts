import { expect, it } from 'vitest';
import { asHeader, listOf, messageOf } from './http-message.ts';

it('reads a message, and nothing of a text that is not one', () => {
  expect(messageOf('{"id":1}')).toEqual({ id: 1 });
  expect(['', 'null', '7', '{'].map((text) => messageOf(text))).toEqual([{}, {}, {}, {}]);
});

it('reads the messages of a list, and another body as it is', () => {
  expect(listOf('[{"id": 1},{"id": 2}]')).toEqual(['{"id":1}', '{"id":2}']);
  expect(listOf('{"id": 1}')).toEqual(['{"id": 1}']);
});

it('encodes a header value that is not plain text', () => {
  expect(['a b', '/x', ' a', 'é', '=?base64?eA==?='].map(asHeader)).toEqual([
    'a b',
    '/x',
    '=?base64?IGE=?=',
    '=?base64?w6k=?=',
    '=?base64?PT9iYXNlNjQ/ZUE9PT89?=',
  ]);
});
