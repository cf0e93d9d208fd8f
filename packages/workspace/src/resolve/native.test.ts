import { chmodSync, closeSync, lstatSync, openSync, renameSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeScratch, type Scratch } from '../testing.ts';
import { loadNative, O_DIRECTORY, O_PATH } from './native.ts';

const native = process.platform === 'linux' ? loadNative() : undefined;
let scratch: Scratch;
let dir: number;
const at = (name: string) => join(scratch.workspace, name);
beforeEach(() => {
  scratch = makeScratch(['a.txt = one', 'b.txt = two']);
  dir = openSync(scratch.workspace, O_PATH | O_DIRECTORY);
});
afterEach(() => {
  closeSync(dir);
  scratch.remove();
});

describe.runIf(native !== undefined)('a file that was looked at before', () => {
  const isStill =
    (before = lstatSync(at('a.txt'))) =>
    (change: () => void) => {
      expect(native?.isStill(dir, 'a.txt', before)).toBe(true);
      change();
      return native?.isStill(dir, 'a.txt', before);
    };

  it.each([
    [
      'its size',
      () => {
        writeFileSync(at('a.txt'), 'other length');
        utimesSync(at('a.txt'), 5, 5);
      },
    ],
    ['its mode', () => chmodSync(at('a.txt'), 0o600)],
    ['its time', () => utimesSync(at('a.txt'), 1, 1)],
    [
      'another file of the same size, mode and time',
      () => {
        const { atime, mtime } = lstatSync(at('a.txt'));
        utimesSync(at('b.txt'), atime, mtime);
        renameSync(at('b.txt'), at('a.txt'));
      },
    ],
    ['a missing name', () => renameSync(at('a.txt'), at('c.txt'))],
  ])('is another one after a change: %s', (_, change) => {
    utimesSync(at('a.txt'), 5, 5);
    chmodSync(at('a.txt'), 0o644);
    chmodSync(at('b.txt'), 0o644);
    expect(isStill()(change)).toBe(false);
  });

  it('is compared with its inode and device', () => {
    const before = lstatSync(at('a.txt'));
    for (const key of ['ino', 'dev'] as const)
      expect(native?.isStill(dir, 'a.txt', Object.assign(lstatSync(at('a.txt')), { [key]: before[key] + 1 }))).toBe(
        false,
      );
  });
});
