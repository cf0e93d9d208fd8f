import { expect, it } from 'vitest';
import { bearerOf } from './bearer.ts';

it('reads the token of a bearer header, however the scheme is written', () => {
  for (const header of ['Bearer abc', 'bearer abc', 'BEARER   abc']) expect(bearerOf(header), header).toBe('abc');
});

it('finds no token in another scheme, in a part of a header, or where there are two words', () => {
  for (const header of [undefined, '', 'Bearer', 'Bearer ', 'Basic abc', 'XBearer abc', 'Bearer a b', 'x, Bearer abc'])
    expect(bearerOf(header), String(header)).toBeUndefined();
});
