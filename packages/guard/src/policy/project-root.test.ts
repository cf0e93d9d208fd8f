import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { testDir } from '../../../../tests/support/temp-dir.ts';
import { detectRoot, isUsableRoot, parentRoots } from './project-root.ts';

let home: string;

beforeEach(() => void (home = testDir()));

/** Creates files (directories if the name ends with a slash) and returns the path of the first. */
function make(...names: string[]): string {
  for (const name of names) {
    const path = join(home, name);
    if (name.endsWith('/')) mkdirSync(path, { recursive: true });
    else {
      mkdirSync(join(path, '..'), { recursive: true });
      writeFileSync(path, '');
    }
  }
  return join(home, names[0] as string).replace(/\/$/, '');
}

describe('the project root of a working directory', () => {
  it.each(['package.json', 'pyproject.toml', 'setup.py', 'Cargo.toml', 'go.mod', 'App.sln', '.hg/', '.svn/', '.git/'])(
    'is marked by %s',
    (marker) => {
      make(`p/${marker}`, 'p/src/deep/');
      expect(detectRoot(join(home, 'p/src/deep'), { home })).toBe(join(home, 'p'));
    },
  );

  it.each(
    (
      '.jj pnpm-workspace.yaml deno.json go.work pom.xml build.gradle build.gradle.kts composer.json Gemfile mix.exs ' +
      'Package.swift CMakeLists.txt WORKSPACE MODULE.bazel flake.nix App.slnx'
    ).split(' '),
  )('is marked by %s as well', (marker) => {
    make(`p/${marker}`);
    expect(detectRoot(join(home, 'p'), { home })).toBe(join(home, 'p'));
  });

  it.each(['README.md', 'App.sln.txt', 'package.json5', 'sln'])('is not marked by %s', (name) => {
    make(`p/${name}`);
    expect(detectRoot(join(home, 'p'), { home })).toBeUndefined();
  });

  it('is the repository, and not the package inside it', () => {
    make('mono/.git/', 'mono/packages/a/package.json', 'mono/packages/a/src/');
    expect(detectRoot(join(home, 'mono/packages/a/src'), { home })).toBe(join(home, 'mono'));
  });

  it('is the worktree, whose .git is a file', () => {
    make('mono/.git/', 'mono/wt/.git');
    expect(detectRoot(join(home, 'mono/wt'), { home })).toBe(join(home, 'mono/wt'));
  });

  it('is never the home directory, whatever is in it', () => {
    make('.git/', 'package.json', 'downloads/');
    for (const dir of ['', 'downloads', '..', '../..']) expect(detectRoot(join(home, dir), { home })).toBeUndefined();
    expect(detectRoot('/', { home })).toBeUndefined();
    expect(detectRoot('/home', { home })).toBeUndefined();
  });

  it('is found through a link, under its real name', () => {
    make('p/package.json', 'p/src/');
    symlinkSync('p', join(home, 'link'));
    expect(detectRoot(join(home, 'link/src'), { home })).toBe(join(home, 'p'));
  });

  it('is undefined for a directory that does not exist', () => {
    expect(detectRoot(join(home, 'gone'), { home })).toBeUndefined();
  });

  it('is never the root of a mount', () => {
    expect(detectRoot('/proc', { home })).toBeUndefined();
  });
});

describe('a root that an agent states', () => {
  it('may be any directory except a home directory, one above it, or the root of a mount', () => {
    const dir = make('scratch/');
    expect(isUsableRoot(dir, { home })).toBe(true);
    for (const other of [home, join(home, '..'), '/', '/home', '/home/somebody', '/proc', join(home, 'gone')])
      expect(isUsableRoot(other, { home })).toBe(false);
  });
});

describe('what allow_parent_access adds', () => {
  it('is the outermost marked directory below the home directory', () => {
    const root = make('mono/group/app/package.json', 'mono/pnpm-workspace.yaml', 'mono/group/go.mod', '.git/');
    expect(parentRoots(join(root, '..'), { home })).toEqual([join(home, 'mono')]);
  });

  it('is one level where nothing is marked', () => {
    const root = make('work/app/');
    expect(parentRoots(root, { home })).toEqual([join(home, 'work')]);
  });

  it('is empty if the parent is the home directory or above', () => {
    const root = make('app/.git/');
    expect(parentRoots(join(root, '..'), { home })).toEqual([]);
    expect(parentRoots(home, { home })).toEqual([]);
    expect(parentRoots('/srv', { home })).toEqual([]);
    expect(parentRoots('/home/somebody', { home })).toEqual([]);
  });
});
