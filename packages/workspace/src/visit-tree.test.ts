import { execFileSync } from 'node:child_process';
import { closeSync, fstatSync, openSync, readdirSync, readFileSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { Stand } from './search/thread-place.ts';
import { makeScratch, type Scratch } from './testing.ts';
import { openChild, type VisitOptions, visitTree } from './visit-tree.ts';

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

describe('a walk', () => {
  const tree = ['b/x', 'a.txt', 'c/', '.env', '.croft-tmp-1', '.lfsig/y', 'link => a.txt', 'z/y/w'];
  const walk = <Context>(
    options: Partial<VisitOptions<Context>> = {},
    verdicts: Record<string, 'skip' | 'stop'> = {},
  ) => {
    const seen: string[] = [];
    const outcome = visitTree(scratch.workspace, { maxDepth: 9, denyList: true, ...options }, (entry) => {
      expect([entry.at, entry.path.split('/').at(-1)]).toEqual([join(scratch.workspace, entry.path), entry.name]);
      seen.push(`${entry.depth} ${entry.type} ${entry.path}`);
      return verdicts[entry.path];
    });
    return { seen, ...outcome };
  };

  it('meets entries by name, without protected, reserved and temporary ones', () => {
    scratch = makeScratch(tree);
    execFileSync('mkfifo', [join(scratch.workspace, 'pipe')]);
    const all = [
      '1 file a.txt',
      '1 directory b',
      '2 file b/x',
      '1 directory c',
      '1 link link',
      '1 other pipe',
      '1 directory z',
      '2 directory z/y',
      '3 file z/y/w',
    ];
    expect(walk()).toEqual({ seen: all, tooDeep: false, stopped: false });
    expect(walk({ directoriesFirst: true }).seen).toEqual([
      ...all.slice(1, 4),
      ...all.slice(6),
      '1 file a.txt',
      '1 link link',
      '1 other pipe',
    ]);
    const shown = walk({ denyList: false, showReserved: true, ignoreNames: new Set(['b', 'z', 'pipe', 'link']) });
    expect(shown.seen).toEqual([
      '1 file .croft-tmp-1',
      '1 file .env',
      '1 directory .lfsig',
      '2 file .lfsig/y',
      '1 file a.txt',
      '1 directory c',
    ]);
  });

  it('leaves a directory closed or ends, as the visitor says', () => {
    scratch = makeScratch(tree);
    expect(walk({}, { b: 'skip', 'z/y': 'stop' })).toEqual({
      seen: ['1 file a.txt', '1 directory b', '1 directory c', '1 link link', '1 directory z', '2 directory z/y'],
      tooDeep: false,
      stopped: true,
    });
    expect(walk({}, { 'a.txt': 'stop' })).toEqual({ seen: ['1 file a.txt'], tooDeep: false, stopped: true });
  });

  it('leaves out what its options say, by the context of each directory', () => {
    scratch = makeScratch(tree);
    const asked: unknown[] = [];
    const { seen } = walk<string>({
      context: 'top',
      only: (path, type) => type === 'directory' || path.includes('/'),
      enter: (parent, path, at, entries) => {
        asked.push([path, at, entries.map(({ name }) => name).sort()]);
        return path === '' ? parent : `${parent}>${path}`;
      },
      leaveOut: (path, name, isDirectory, context, at) => {
        asked.push([path, name, isDirectory, context, at]);
        return path === 'b';
      },
    });
    const at = (name: string) => join(scratch.workspace, name);
    expect(seen).toEqual(['1 directory c', '1 directory z', '2 directory z/y', '3 file z/y/w']);
    const entered = ['.croft-tmp-1', '.env', '.lfsig', 'a.txt', 'b', 'c', 'link', 'z'];
    const inOrder = (given: readonly unknown[]) => given.map((one) => JSON.stringify(one)).sort();
    expect(inOrder(asked)).toEqual(
      inOrder([
        ['', scratch.workspace, entered],
        ['b', 'b', true, 'top', at('b')],
        ['c', 'c', true, 'top', at('c')],
        ['z', 'z', true, 'top', at('z')],
        ['c', at('c'), []],
        ['z', at('z'), ['y']],
        ['z/y', 'y', true, 'top>z', at('z/y')],
        ['z/y', at('z/y'), ['w']],
        ['z/y/w', 'w', false, 'top>z>z/y', at('z/y/w')],
      ]),
    );
  });

  it('does not enter a shut directory, and visits nothing below a link or a missing start', () => {
    scratch = makeScratch([...tree, 'to-z => z']);
    const shut = (fd: number) => isAt(fd, 'z');
    expect(walk({ shut }).seen.filter((one) => one.includes('z'))).toEqual(['1 link to-z', '1 directory z']);
    const start = (name: string, options = {}) => {
      const seen: string[] = [];
      const outcome = visitTree(
        join(scratch.workspace, name),
        { maxDepth: 9, denyList: true, ...options },
        ({ path }) => void seen.push(path),
      );
      return [seen, outcome];
    };
    const nothing = [[], { tooDeep: false, stopped: false }];
    expect([start('to-z'), start('gone'), start('z', { shut }), start('c')]).toEqual([
      nothing,
      nothing,
      nothing,
      nothing,
    ]);
    expect(start('z')).toEqual([['y', 'y/w'], nothing[1]]);
  });

  it('closes what it opened, and tells a refusal from other failures', () => {
    scratch = makeScratch(tree);
    const count = () => readdirSync('/proc/self/fd').length;
    const before = count();
    walk({ shut: (fd) => isAt(fd, 'b') });
    walk({}, { z: 'stop' });
    let refusals = 0;
    const open = (name: string, shut?: () => boolean) =>
      openChild(join(scratch.workspace, name), shut, () => refusals++);
    expect([open('gone'), open('link'), open('a.txt'), open('z', () => true), refusals]).toEqual([-1, -1, -1, -1, 0]);
    const fd = open('z', () => false);
    expect([fd > 2, count()]).toEqual([true, before + 1]);
    closeSync(fd);
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
