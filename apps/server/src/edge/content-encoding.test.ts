import { expect, it } from 'vitest';
import { acceptedEncoding } from './content-encoding.ts';

it.each([
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip, deflate', 'gzip'],
  ['GZIP', 'gzip'],
  ['*', 'br'],
  ['br;q=0, *', 'gzip'],
  ['br;q=0.1', 'br'],
  ['gzip;q=0', undefined],
  ['identity', undefined],
  ['', undefined],
  [undefined, undefined],
])('for %j sends %s', (header, encoding) => {
  expect(acceptedEncoding(header, ['br', 'gzip'])).toBe(encoding);
});
