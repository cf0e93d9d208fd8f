import { expect, it } from 'vitest';
import { toError } from './to-error.ts';

it('gives the reason of a failed connection, by its code where it has one', () => {
  const failed = (cause: Error) => toError(new TypeError('fetch failed', { cause }));
  const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:1'), { code: 'ECONNREFUSED' });
  expect(failed(refused)).toEqual(new Error('The server cannot be reached: ECONNREFUSED'));
  expect(failed(new Error('closed'))).toEqual(new Error('The server cannot be reached: closed'));
});

it('leaves other errors as they are', () => {
  const error = new Error('no');
  expect(toError(error)).toBe(error);
  expect(toError('text')).toEqual(new Error('text'));
});
