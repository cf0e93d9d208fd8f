import fs, { closeSync, openSync, readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { failureOf, makeScratch, type Scratch, withReplaced } from '../testing.ts';
import { type Dir, openDir } from './dir.ts';
import { isSameMount, mountIdOf, mountPoints } from './mounts.ts';

it('reads the mount points of mountinfo, with spaces and other letters', () => {
  const line = (point: string) => `36 35 98:0 /mnt1 ${point} rw,noatime master:1 - ext3 /dev/root rw`;
  expect(mountPoints(`${line('/')}\n${line('/a\\040b')}\n${line('/a\\134b')}\n${line('/ä')}\n\n`)).toEqual([
    '/',
    '/a b',
    '/a\\b',
    '/ä',
  ]);
});

it('knows no mounts where the system does not list them, and fails where it may not read the list', async () => {
  const withError = <Result>(code: string, errno: number, act: () => Result) => {
    const readFails = () => {
      throw Object.assign(new Error(code), { code, errno });
    };
    return withReplaced(fs, { readFileSync: readFails as unknown as typeof readFileSync }, act);
  };
  expect(await withError('ENOENT', -2, () => [mountPoints(), mountIdOf(5)])).toEqual([[], undefined]);
  for (const read of [() => mountPoints(), () => mountIdOf(5)]) {
    const failure = await withError('EACCES', -13, () => failureOf(read));
    expect([failure.code, failure.message, failure.operatorMessage, (failure.cause as Error).message]).toEqual([
      'io',
      'Nothing was changed, because the mounts in the workspace cannot be read',
      'Cannot read the mounts of this process: Permission denied',
      'EACCES',
    ]);
  }
});

describe.runIf(process.platform === 'linux')('the mount of a directory', () => {
  let scratch: Scratch | undefined;
  const held: Dir[] = [];
  const open = (path: string, kind: 'descriptor' | 'path' = 'descriptor') => {
    const dir = openDir(path, kind);
    held.push(dir);
    return dir;
  };
  afterEach(() => {
    for (const dir of held.splice(0)) dir.close();
    scratch?.remove();
  });

  it('is that of its descriptor, or only its device without one', () => {
    const { base, workspace } = (scratch = makeScratch([]));
    const [top, below, proc] = [open(base), open(workspace), open('/proc')];
    const [topPath, belowPath, procPath] = [open(base, 'path'), open(workspace, 'path'), open('/proc', 'path')];
    const gone = { ...top, fd: 1_000_000 };
    expect([
      isSameMount(top, below),
      isSameMount(top, proc),
      isSameMount(topPath, belowPath),
      isSameMount(topPath, procPath),
      isSameMount(topPath, below),
      isSameMount(proc, belowPath),
      isSameMount(gone, gone),
      isSameMount(gone, top),
    ]).toEqual([true, false, true, false, true, false, true, false]);
  });

  it('is in the list of this process', () => {
    expect(mountPoints()).toEqual(expect.arrayContaining(['/', '/proc']));
  });

  it('has the number that the kernel gives, and none without a descriptor', () => {
    const fd = openSync('/proc', 'r');
    const line = readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8')
      .split('\n')
      .find((one) => one.startsWith('mnt_id:'));
    expect(mountIdOf(fd)).toBe(line?.slice('mnt_id:'.length).trim());
    expect(mountIdOf(fd)).toMatch(/^\d+$/);
    closeSync(fd);
    expect(mountIdOf(1_000_000)).toBeUndefined();
  });
});
