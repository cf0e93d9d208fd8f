import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeScratch, type Scratch } from '../../../workspace/src/testing.ts';
import { openPlace } from './place.ts';
import type { Place } from './spot.ts';
import { testPolicy } from '../testing.ts';

let scratch: Scratch;
let place: Place;

beforeEach(() => {
  scratch = makeScratch([
    'd/a.txt',
    'up => ..',
    'out => $OUT',
    'gone => $OUT/gone',
    'hard.txt == $OUT/secret.txt',
    'in => d',
  ]);
  symlinkSync(scratch.workspace, join(scratch.base, 'alias'));
  symlinkSync(join(scratch.base, 'alias', 'd'), join(scratch.workspace, 'by-alias'));
  symlinkSync(join(scratch.workspace, 'd'), join(scratch.base, 'into'));
  place = openPlace(testPolicy(), scratch.workspace);
});

afterEach(() => {
  place.close();
  scratch.remove();
});

describe('a place', () => {
  it('contains the entries of the root under every name of the root', () => {
    const alias = join(scratch.base, 'alias');
    for (const path of [
      'd/a.txt',
      join(scratch.workspace, 'd/a.txt'),
      join(alias, 'd/a.txt'),
      'in/a.txt',
      'by-alias/a.txt',
      `${alias}/./d//a.txt`,
    ])
      expect(place.locate(path), path).toEqual({ kind: 'inside', path: 'd/a.txt', isRoot: false, isProject: true });
    for (const path of ['.', scratch.workspace, alias, 'd/..'])
      expect(place.locate(path), path).toMatchObject({ kind: 'inside', isRoot: true });
    expect(place.locate('by-alias/new/x')).toMatchObject({ kind: 'inside', path: 'd/new/x' });
    expect(place.locate('hard.txt')).toMatchObject({ isHardLinked: true });
  });

  it('contains nothing else', () => {
    for (const path of [
      '..',
      'up',
      'up/x',
      'out',
      'out/x',
      'gone',
      'gone/x',
      '/etc/x',
      '/',
      `${scratch.workspace}2`,
      join(scratch.base, 'alias/../x'),
      `${scratch.workspace}/../outside/x`,
      'd/../../x',
      'new/../../x',
      '/??/x',
    ])
      expect(place.locate(path), path).toEqual({ kind: 'outside' });
    for (const path of ['NUL', 'a./b', 'd/x ']) expect(place.locate(path), path).toMatchObject({ kind: 'invalid' });
  });

  it('contains nothing without a root', () => {
    const nowhere = openPlace(testPolicy(), undefined);
    expect(nowhere.root).toBeUndefined();
    expect(nowhere.locate('x')).toEqual({ kind: 'outside' });
    expect(() => openPlace(testPolicy(), join(scratch.base, 'missing'))).toThrow();
  });
});

describe('a further directory', () => {
  it('allows its entries, and nothing if it is missing or a file', () => {
    const file = join(scratch.outside, 'secret.txt');
    const roots = [scratch.outside, join(scratch.base, 'missing'), file];
    const open = (allowedRoots: readonly string[]) => {
      place.close();
      place = openPlace(testPolicy({ allowedRoots }), scratch.workspace);
    };
    open(roots);
    expect(place.locate(file)).toMatchObject({ kind: 'inside', path: 'secret.txt', isProject: false });
    open(roots.slice(1));
    for (const path of [file, join(scratch.base, 'missing/x')]) expect(place.locate(path).kind, path).toBe('outside');
    expect(place.locate('d/a.txt').kind).toBe('inside');
  });
});
