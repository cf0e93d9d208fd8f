import { expect, it } from 'vitest';
import { nativeFile } from '../resolve/native.ts';
import { standApart } from './thread-place.ts';

it('leaves the working directory of the main thread alone, which all threads share', () => {
  const before = process.cwd();
  expect(standApart(nativeFile() ?? '/no/such/file')).toEqual({});
  expect(process.cwd()).toBe(before);
});
