import { expect, it } from 'vitest';
import { MAX_COMMAND_LENGTH, MAX_COMMANDS, MAX_PATHS, TooLong } from './limits.ts';
import { read } from './testing.ts';

it('bounds the length of a command line, its commands and its paths', () => {
  expect([MAX_COMMAND_LENGTH, MAX_COMMANDS, MAX_PATHS]).toEqual([262_144, 1_000, 2_000]);
  expect(new TooLong('x')).toMatchObject({ name: 'TooLong', message: 'x' });
  expect(read(`true # ${'a'.repeat(MAX_COMMAND_LENGTH - 7)}`).cut).toBeUndefined();
  expect(read(`true # ${'a'.repeat(MAX_COMMAND_LENGTH - 6)}`).cut).toMatch(/^it is longer than/);
  const files = (count: number) => `touch ${Array.from({ length: count }, (_, n) => `f${n}`).join(' ')}`;
  expect(read(files(MAX_PATHS)).cut).toBeUndefined();
  expect(read(files(MAX_PATHS + 1)).cut).toMatch(/^it names more than/);
});
