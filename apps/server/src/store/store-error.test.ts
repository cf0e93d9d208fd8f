import { expect, it } from 'vitest';
import { errorCode, StoreError } from './store-error.ts';

it('has a code and a sentence, and a cause only where there is one', () => {
  const cause = new Error('why');
  expect(new StoreError('bad_url', 'Cannot read it.', cause)).toMatchObject({
    name: 'StoreError',
    code: 'bad_url',
    message: 'Cannot read it.',
    cause,
  });
  expect(Object.hasOwn(new StoreError('bad_url', 'x'), 'cause')).toBe(false);
});

it('reads the code of any error', () => {
  expect(errorCode(Object.assign(new Error('x'), { code: 'ENOENT' }))).toBe('ENOENT');
  expect([errorCode({ code: 5 }), errorCode(null), errorCode(undefined), errorCode('x')]).toEqual(['', '', '', '']);
});
