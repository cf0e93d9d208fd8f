import { expect, it } from 'vitest';
import { GuardConfigError } from './guard-config-error.ts';

it('names the key, and the place in a file', () => {
  const place = { file: '/c.yaml', line: 3, column: 5 };
  const error = new GuardConfigError('sandboxing.mode', ' is not a mode', place);
  expect(error).toMatchObject({
    name: 'GuardConfigError',
    message: '/c.yaml:3:5: sandboxing.mode is not a mode',
    key: 'sandboxing.mode',
    place,
  });
  expect(new GuardConfigError('--mode', ' is empty')).toMatchObject({ message: '--mode is empty', place: undefined });
});
