import { symlinkSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeScratch, type Scratch } from '../../../workspace/src/testing.ts';
import { openPlace } from './place.ts';
import { NO_DISK } from './place-remote.ts';
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
    expect({ ...nowhere, locate: nowhere.locate('x') }).toEqual({
      ...NO_DISK,
      root: undefined,
      roots: [],
      policyFiles: [],
      home: undefined,
      isWindows: false,
      locate: { kind: 'outside' },
    });
    expect(() => openPlace(testPolicy(), join(scratch.base, 'missing'))).toThrow();
  });
});

describe('the disk of a place', () => {
  it('is read below the root or at an absolute path', () => {
    const inside = (path: string) => join(scratch.workspace, path);
    const { root, roots, policyFiles, home, isWindows, temporary } = place;
    expect({ root, roots, policyFiles, home, isWindows, temporary }).toEqual({
      root: scratch.workspace,
      roots: [scratch.workspace],
      policyFiles: [],
      home: homedir(),
      isWindows: process.platform === 'win32',
      temporary: tmpdir(),
    });
    expect([place.hasTop('tmp'), place.hasTop('croft-missing')]).toEqual([true, false]);
    for (const [path, kind, isDirectory, names] of [
      ['d', 'directory', true, ['a.txt']],
      ['d/a.txt', 'other', false, []],
      ['in', 'other', true, ['a.txt']],
      ['missing', 'nothing', false, []],
      ['d/a.txt/x', 'nothing', false, []],
      [`d/${'x'.repeat(300)}`, 'nothing', false, undefined],
    ] as const)
      for (const at of [path, inside(path)]) {
        expect(place.kindOf?.(at), at).toBe(kind);
        expect(place.isDirectory?.(at), at).toBe(isDirectory);
        expect(place.namesIn?.(at), at).toEqual(names);
      }
    const links = ['by-alias', 'gone', 'in', 'out', 'up'];
    expect([...place.linksIn('.')].sort()).toEqual(links);
    expect([...place.linksIn(scratch.workspace)].sort()).toEqual(links);
    expect([place.linksIn('d'), place.linksIn('missing')]).toEqual([[], []]);
  });
});

describe('the files of the policy', () => {
  it('are marked under each of their names', () => {
    const outer = join(scratch.outside, 'secret.txt');
    const real = join(scratch.workspace, 'real.yaml');
    writeFileSync(real, '');
    symlinkSync(real, join(scratch.workspace, 'd', 'link.yaml'));
    place.close();
    const policyFiles = [join(scratch.base, 'alias/d/link.yaml'), outer, join(scratch.workspace, 'missing/x.yaml')];
    place = openPlace(testPolicy({ policyFiles }), scratch.workspace);
    expect(place.policyFiles).toEqual(['d/link.yaml', 'real.yaml', 'missing/x.yaml']);
    const spot = { kind: 'inside', isRoot: false, isProject: true };
    expect(place.locate('d/link.yaml')).toEqual({ ...spot, path: 'real.yaml', isPolicyFile: true });
    expect(place.locate('real.yaml')).toEqual({ ...spot, path: 'real.yaml', isPolicyFile: true });
    expect(place.locate('hard.txt')).toEqual({ ...spot, path: 'hard.txt', isHardLinked: true });
    expect(place.locate('d/a.txt')).toEqual({ ...spot, path: 'd/a.txt' });
    expect(place.locate('missing/x.yaml')).toEqual({ ...spot, path: 'missing/x.yaml' });
    expect(place.locate('.')).toEqual({ ...spot, path: '.', isRoot: true });
    expect(place.locate(outer)).toEqual({ kind: 'outside' });
  });

  it('are marked in a further directory', () => {
    const file = join(scratch.outside, 'secret.txt');
    place.close();
    place = openPlace(testPolicy({ policyFiles: [file], allowedRoots: [scratch.outside] }), scratch.workspace);
    expect(place.roots).toEqual([scratch.workspace, scratch.outside]);
    expect(place.policyFiles).toEqual(['secret.txt']);
    expect(place.locate(file)).toEqual({
      kind: 'inside',
      path: 'secret.txt',
      isRoot: false,
      isProject: false,
      isHardLinked: true,
      isPolicyFile: true,
      further: scratch.outside,
    });
    expect(place.locate('hard.txt')).toMatchObject({ path: 'hard.txt', isPolicyFile: true });
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
