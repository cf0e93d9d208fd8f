import { expect, it } from 'vitest';
import { failureText } from './failure-text.ts';

it('says everything that a failure has in words', () => {
  expect(failureText('text')).toBe('text');
  expect(failureText(new Error('broken'))).toBe('broken');
  expect(failureText(Object.assign(new Error('no'), { statusCode: 401, responseBody: '{"error":"key"}' }))).toBe(
    'no (status code: 401) {"error":"key"}',
  );
  expect(failureText({ responseBody: 'body' })).toBe(' body');
  expect(failureText({ message: 'no', code: 7 })).toBe('no {"message":"no","code":7}');
});

it('says what the last of several attempts says', () => {
  const last = Object.assign(new Error('last'), { statusCode: 500 });
  expect(failureText({ message: 'all failed', lastError: { message: 'x', lastError: last } })).toBe(
    'last (status code: 500)',
  );
});

it('has words for any value that is thrown', () => {
  const circle: Record<string, unknown> = {};
  circle['self'] = circle;
  expect([undefined, null, 7, { a: 1 }, circle].map(failureText)).toEqual(['', 'null', '7', '{"a":1}', '']);
});
