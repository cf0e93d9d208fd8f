import { linkSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openWorkspace } from '@croft/workspace';
import { makeScratch, type Scratch } from '@croft/workspace/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type HeldRoot, locateIn, realPathOf } from './locate-spot.ts';

let scratch: Scratch;
let further: string;
let held: HeldRoot[];

beforeEach(() => {
  scratch = makeScratch(['src/a.ts', 'out => $OUT', 'alias => src']);
  further = join(scratch.base, 'further');
  mkdirSync(further);
  writeFileSync(join(further, 'b.ts'), '');
  symlinkSync(scratch.workspace, join(scratch.base, 'other-name'));
  held = [scratch.workspace, further].map((dir, i) => {
    const workspace = openWorkspace(dir, { readOnly: true, denyList: false });
    return { workspace, names: [workspace.root], isProject: i === 0 };
  });
});
afterEach(() => {
  for (const { workspace } of held) workspace.close();
  scratch.remove();
});

const at = (path: string) => locateIn(held, path.replaceAll('$BASE', scratch.base));

describe('a path and the roots', () => {
  it.each([
    ['src/a.ts', 'src/a.ts'],
    ['./src/../src/a.ts', 'src/a.ts'],
    ['alias/a.ts', 'src/a.ts'],
    ['src/new/deep.ts', 'src/new/deep.ts'],
    ['$BASE/workspace/src/a.ts', 'src/a.ts'],
    // Out of the project and in again.
    ['../workspace/src/a.ts', 'src/a.ts'],
    // Another name of the root, which only the disk knows.
    ['$BASE/other-name/src/a.ts', 'src/a.ts'],
  ])('%s is in the project: %s', (path, found) =>
    expect(at(path)).toMatchObject({ kind: 'inside', path: found, isProject: true, isRoot: false }),
  );

  it.each(['../further/b.ts', '$BASE/further/b.ts'])('%s is in the further root', (path) =>
    expect(at(path)).toMatchObject({ kind: 'inside', path: 'b.ts', isProject: false, further }),
  );

  it.each([
    '..',
    '../outside/secret.txt',
    '$BASE/outside',
    '$BASE',
    '$BASE/workspace-other/x',
    '$BASE/further-other/x',
    '/etc/passwd',
    'out/secret.txt',
    'out/new.txt',
    '$BASE/workspace/out/secret.txt',
    '../none/../workspace/src/a.ts',
  ])('%s is outside', (path) => expect(at(path).kind).toBe('outside'));

  it('distinguishes the root itself', () => {
    const root = { kind: 'inside', path: '.', isRoot: true };
    for (const path of ['.', '$BASE/workspace', '../workspace', '$BASE/other-name'])
      expect(at(path), path).toEqual({ ...root, isProject: true });
    for (const path of ['../further', '$BASE/further/'])
      expect(at(path), path).toEqual({ ...root, isProject: false, further });
  });

  it('a name that is not portable is invalid', () => {
    for (const path of ['src/CON', '$BASE/workspace/src/CON', '$BASE/further/CON'])
      expect(at(path), path).toEqual({ kind: 'invalid', reason: expect.stringContaining("'CON'") });
    expect(at('src\0x').kind).toBe('invalid');
  });

  it('a path through a file or a missing directory is in the project and has its text as the name', () => {
    const spot = { kind: 'inside', isRoot: false, isProject: true };
    expect(at('src/a.ts/x')).toEqual({ ...spot, path: 'src/a.ts/x' });
    expect(at('./src/a.ts//x')).toEqual({ ...spot, path: 'src/a.ts/x' });
    expect(at('src/new/../x')).toEqual({ ...spot, path: 'src/x' });
    expect(at('..src')).toEqual({ ...spot, path: '..src' });
  });

  it('a file with several names is marked', () => {
    linkSync(join(scratch.workspace, 'src/a.ts'), join(scratch.workspace, 'src/b.ts'));
    expect(at('src/b.ts')).toEqual({
      kind: 'inside',
      path: 'src/b.ts',
      isRoot: false,
      isProject: true,
      isHardLinked: true,
    });
  });

  it('a link from outside to an entry of the root is outside, and a link to the root is inside', () => {
    symlinkSync(join(scratch.workspace, 'src'), join(scratch.base, 'into'));
    symlinkSync(further, join(scratch.base, 'further-name'));
    expect(at('$BASE/into/a.ts')).toEqual({ kind: 'outside' });
    expect(at('$BASE/further-name/b.ts')).toEqual({
      kind: 'inside',
      path: 'b.ts',
      isRoot: false,
      isProject: false,
      further,
    });
    expect(at('$BASE/other-name/../further/b.ts')).toMatchObject({ path: 'b.ts', further });
  });

  it('a root that is removed is an error', () => {
    held[0]?.workspace.close();
    expect(() => at('src/a.ts')).toThrow();
  });
});

describe('the real path of another name', () => {
  it('keeps what does not exist yet below an existing directory', () => {
    expect(realPathOf(join(scratch.base, 'other-name/src/new/x'))).toBe(join(scratch.workspace, 'src/new/x'));
  });

  it('is not certain through a dangling link, with `..` below a missing directory, or with very many components', () => {
    symlinkSync('/nowhere/x', join(scratch.base, 'dangling'));
    expect(realPathOf(join(scratch.base, 'dangling'))).toBeUndefined();
    expect(realPathOf(`${scratch.base}/none/../x`)).toBeUndefined();
    expect(realPathOf(`${scratch.base}/${'a/'.repeat(70)}`)).toBeUndefined();
    expect(realPathOf(`${scratch.base}/none/x`)).toBe(`${scratch.base}/none/x`);
    expect(realPathOf(`${scratch.workspace}/src/a.ts/x`)).toBe(`${scratch.workspace}/src/a.ts/x`);
    expect(realPathOf(`/tmp/./${'a/'.repeat(63)}`)).toBe(`${realpathSync.native('/tmp')}${'/a'.repeat(63)}`);
    expect(realPathOf(`/tmp/${'a/'.repeat(64)}`)).toBeUndefined();
    expect(realPathOf('/')).toBeUndefined();
  });
});
