import { closeSync, fstatSync, openSync, readFileSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { Stand } from './search/thread-place.ts';
import { makeScratch, type Scratch } from './testing.ts';
import { visitTree } from './visit-tree.ts';

let scratch: Scratch;
const home = process.cwd();
afterEach(() => {
  process.chdir(home);
  scratch.remove();
});

/** Paths met, files with what could be read of them. */
function visit(stand?: Stand, meanwhile: (path: string) => void = () => {}): string[] {
  const seen: string[] = [];
  const fd = openSync(scratch.workspace, 'r');
  try {
    visitTree(`/proc/self/fd/${fd}`, { maxDepth: 9, denyList: true, stand }, (entry) => {
      meanwhile(entry.path);
      seen.push(entry.type === 'file' ? `${entry.path}: ${readFileSync(entry.at, 'utf8')}` : entry.path);
    });
  } finally {
    closeSync(fd);
  }
  return seen;
}

/** The working directory of this test's process, moved as a search thread moves its own. */
const stand: Stand = (fd) => {
  process.chdir(`/proc/self/fd/${fd}`);
  return true;
};
const isAt = (fd: number, name: string) => fstatSync(fd).ino === statSync(join(scratch.workspace, name)).ino;

describe('a walk that changes into each directory', () => {
  const tree = ['a/deep/three.txt', 'a/one.txt', 'a/x/four.txt', 'b/two.txt', 'c.txt', 'out => $OUT', 'z/'];

  it('meets the same as one that does not', () => {
    scratch = makeScratch(tree);
    const plain = visit();
    expect(plain).toContain('a/deep/three.txt: a/deep/three.txt');
    expect(visit(stand)).toEqual(plain);
  });

  it.each(['a/deep', 'a', 'z', ''])('reads %j, into which it cannot change, through its descriptor', (name) => {
    scratch = makeScratch(tree);
    const plain = visit();
    expect(visit((fd) => !isAt(fd, name) && stand(fd))).toEqual(plain);
  });

  it.each(['a', ''])('goes on in %j through its descriptor when it cannot go back, not in the wrong place', (name) => {
    scratch = makeScratch([...tree, 'a/deep/one.txt = wrong', 'b/c.txt = wrong']);
    const plain = visit();
    let stood = 0;
    expect(visit((fd) => (isAt(fd, name) && stood++ > 0 ? false : stand(fd)))).toEqual(plain);
  });

  it('meets the same in directories that are moved away under it', () => {
    scratch = makeScratch(tree);
    const plain = visit();
    const seen = visit(stand, (path) => {
      if (path === 'a/deep') renameSync(join(scratch.workspace, 'a'), join(scratch.outside, 'a'));
      if (path === 'a/deep/three.txt') renameSync(join(scratch.outside, 'a/deep'), join(scratch.workspace, 'deep'));
    });
    expect(seen).toEqual(plain);
  });
});

it('goes down as many levels as it may, and tells that it left deeper directories closed', () => {
  scratch = makeScratch(['a/b/c/d.txt']);
  const walk = (maxDepth: number) => {
    const seen: string[] = [];
    const { tooDeep } = visitTree(scratch.workspace, { maxDepth, denyList: true }, ({ path }) => void seen.push(path));
    return [seen, tooDeep];
  };
  expect(walk(4)).toEqual([['a', 'a/b', 'a/b/c', 'a/b/c/d.txt'], false]);
  expect(walk(3)).toEqual([['a', 'a/b', 'a/b/c'], true]);
});
