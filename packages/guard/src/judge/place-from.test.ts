import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fileDir } from '../../../../tests/support/temp-dir.ts';
import { openPlace } from './place.ts';
import type { Place } from './spot.ts';
import { placeFrom } from './place-from.ts';
import { testPolicy } from '../testing.ts';

const root = fileDir();
let place: Place;

beforeAll(() => {
  mkdirSync(join(root, 'proj/src'), { recursive: true });
  place = openPlace(testPolicy(), join(root, 'proj'));
});
afterAll(() => place.close());

describe('a place seen from another directory', () => {
  it('resolves relative paths from there', () => {
    const inSrc = placeFrom(place, join(root, 'proj/src'));
    expect(inSrc.locate('a')).toMatchObject({ kind: 'inside', path: 'src/a' });
    expect(inSrc.locate('../a')).toMatchObject({ kind: 'inside', path: 'a' });
    expect(inSrc.locate('../../a')).toEqual({ kind: 'outside' });
    expect(inSrc.isDirectory?.('../src')).toBe(true);
    const outside = placeFrom(place, root);
    expect(outside.locate('a')).toEqual({ kind: 'outside' });
    expect(outside.locate('proj/a')).toMatchObject({ kind: 'inside', path: 'a' });
  });

  it('keeps absolute paths', () => {
    expect(placeFrom(place, '/tmp').locate(join(root, 'proj/a'))).toMatchObject({ kind: 'inside', path: 'a' });
  });

  it('is the place itself for its root, and without a root', () => {
    expect(placeFrom(place, join(root, 'proj'))).toBe(place);
    const nowhere = openPlace(testPolicy(), undefined);
    expect(placeFrom(nowhere, '/tmp')).toBe(nowhere);
  });
});
