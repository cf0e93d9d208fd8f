import { expect, it } from 'vitest';
import { acceptedEncoding } from './content-encoding.ts';

it.each([
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip, deflate', 'gzip'],
  ['GZIP', 'gzip'],
  ['*', 'br'],
  ['br;q=0, *', 'gzip'],
  ['br;q=0.1', 'br'],
  ['br ; level=1; Q=0 , gzip ; q=1', 'gzip'],
  ['br;q=0', undefined],
  ['*;q=0', undefined],
  ['br;q=0, *;q=0.5', 'gzip'],
  ['br;q=x', undefined],
  ['brotli, x-gzip', undefined],
  ['gzip;q=0', undefined],
  ['identity', undefined],
  ['', undefined],
  [undefined, undefined],
])('for %j sends %s', (header, encoding) => {
  expect(acceptedEncoding(header, ['br', 'gzip'])).toBe(encoding);
});

it('sends the first of the offered ones', () => {
  expect([
    acceptedEncoding('br, gzip', ['gzip', 'br']),
    acceptedEncoding('br', ['gzip']),
    acceptedEncoding('*', []),
  ]).toEqual(['gzip', undefined, undefined]);
});
