import { closeSync, constants, openSync, readFileSync, renameSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeScratch, type Scratch } from '../testing.ts';
import { descriptorDir, identityOf, openDir, pathDir, sameFile, statDir } from './dir.ts';
import { O_DIRECTORY, O_PATH } from './native.ts';

let scratch: Scratch;
const at = (name: string) => join(scratch.workspace, name);
beforeEach(() => {
  scratch = makeScratch(['a/x.txt = mine', 'link => a', 'b/x.txt = other']);
});
afterEach(() => scratch.remove());

function exchange(): void {
  renameSync(at('a'), at('moved'));
  renameSync(at('b'), at('a'));
}

describe.runIf(process.platform === 'linux')('a directory held by a descriptor', () => {
  it('stays the same directory when another one takes its place', () => {
    const dir = openDir(at('a'), 'descriptor');
    exchange();
    expect(readFileSync(dir.at('x.txt'), 'utf8')).toBe('mine');
    expect(dir.isSame()).toBe(true);
    dir.verify();
    dir.close();
  });

  it('is not opened through a link, and closes its descriptor once', () => {
    expect(() => openDir(at('link'), 'descriptor')).toThrow(/ELOOP|ENOTDIR/);
    const dir = descriptorDir(openSync(at('a'), O_PATH | O_DIRECTORY));
    dir.close();
    const other = openSync(at('b/x.txt'), constants.O_RDONLY);
    expect(other).toBe(dir.fd);
    dir.close();
    expect(readFileSync(other, 'utf8')).toBe('other');
    closeSync(other);
  });
});

describe('a directory held by its path', () => {
  it('notices that another one, or a link, has its place', () => {
    const dir = pathDir(at('a'));
    dir.verify();
    exchange();
    expect(dir.isSame()).toBe(false);
    expect(() => dir.verify()).toThrow(expect.objectContaining({ code: 'outside' }));
    renameSync(at('a'), at('b'));
    symlinkSync('moved', at('a'));
    expect(dir.isSame()).toBe(false);
  });

  it('refuses a file', () => {
    expect(() => pathDir(at('a/x.txt'))).toThrow(
      expect.objectContaining({ message: 'not a directory', code: 'ENOTDIR', errno: -20 }),
    );
  });

  it('has no descriptor, and a path to itself and to each of its names', () => {
    const { fd, self, at: below } = pathDir(at('a'));
    expect([fd, self, below('x.txt')]).toEqual([-1, at('a'), at('a/x.txt')]);
  });
});

it('a directory has one device and inode, however it is held', () => {
  const { dev, ino } = statSync(at('a'));
  const held = [pathDir(at('a')), ...(process.platform === 'linux' ? [openDir(at('a'), 'descriptor')] : [])];
  for (const dir of held) {
    expect([identityOf(dir), statDir(dir).ino]).toEqual([{ dev, ino }, ino]);
    dir.close();
  }
});

it('files are the same by device and inode together', () => {
  expect(sameFile({ dev: 1, ino: 2 }, { dev: 1, ino: 2 })).toBe(true);
  expect(sameFile({ dev: 1, ino: 2 }, { dev: 3, ino: 2 })).toBe(false);
  expect(sameFile({ dev: 1, ino: 2 }, { dev: 1, ino: 3 })).toBe(false);
});
