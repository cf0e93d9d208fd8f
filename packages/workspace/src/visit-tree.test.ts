import { closeSync, fstatSync, openSync, readFileSync, statSync } from 'node:fs';
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
function visit(stand?: Stand): string[] {
  const seen: string[] = [];
  const fd = openSync(scratch.workspace, 'r');
  try {
    visitTree(`/proc/self/fd/${fd}`, { maxDepth: 9, denyList: true, stand }, (entry) => {
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

describe('a walk that stands in each directory', () => {
  const tree = ['a/deep/three.txt', 'a/one.txt', 'a/x/four.txt', 'b/two.txt', 'c.txt', 'out => $OUT', 'z/'];

  it('meets the same as one that does not', () => {
    scratch = makeScratch(tree);
    const plain = visit();
    expect(plain).toContain('a/deep/three.txt: a/deep/three.txt');
    expect(visit(stand)).toEqual(plain);
  });

  it('leaves out a directory it cannot stand in, and that alone', () => {
    scratch = makeScratch(tree);
    const seen = visit((fd) => !isAt(fd, 'a/deep') && stand(fd));
    expect(seen).toEqual(visit().filter((line) => !line.startsWith('a/deep/')));
  });

  it('gives up when it cannot go back, rather than read from the wrong place', () => {
    scratch = makeScratch(tree);
    let stood = 0;
    const seen: string[] = [];
    expect(() => {
      seen.push(...visit((fd) => (isAt(fd, 'a') && stood++ > 0 ? false : stand(fd))));
    }).toThrow('cannot go back');
  });
});
