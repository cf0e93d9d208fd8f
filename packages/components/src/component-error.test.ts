import { expect, it } from 'vitest';
import { ComponentError } from './component-error.ts';

it('says what failed and what to do', () => {
  const error = new ComponentError('It failed.', 'Try again.');
  expect(error).toBeInstanceOf(Error);
  expect(error).toMatchObject({ name: 'ComponentError', message: 'It failed.', fix: 'Try again.' });
});
