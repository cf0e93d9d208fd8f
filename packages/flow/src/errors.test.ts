import { expect, it } from 'vitest';
import { FlowError } from './errors.ts';

it('a failure has a code, a message and its place', () => {
  const error = new FlowError('unknown_port', 'A has no port x.', { node: 'A', field: 'x' });
  expect(error).toBeInstanceOf(Error);
  expect([error.name, error.code, error.message, error.place]).toEqual([
    'FlowError',
    'unknown_port',
    'A has no port x.',
    { node: 'A', field: 'x' },
  ]);
  expect(new FlowError('too_large', '').place).toEqual({});
});
