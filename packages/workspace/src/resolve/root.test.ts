import { mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeScratch, type Scratch } from '../testing.ts';
import { holdsServedRoot, openRoot, relativeParts, type Root } from './root.ts';

let scratch: Scratch;
let root: Root | undefined;
beforeEach(() => {
  scratch = makeScratch(['a.txt']);
});
afterEach(() => {
  root?.close();
  root = undefined;
  scratch.remove();
});

const open = (path = scratch.workspace, kind?: 'walk') => (root = openRoot(path, kind));
const linux = process.platform === 'linux';

describe('a root', () => {
  it('refuses a directory that does not exist, and a file', () => {
    for (const path of [join(scratch.base, 'none'), join(scratch.workspace, 'a.txt')])
      expect(() => openRoot(path)).toThrow(expect.objectContaining({ code: 'unavailable' }));
  });

  it.runIf(linux).each([undefined, 'walk'] as const)(
    'refuses calls after it was closed, moved or replaced: %s',
    (kind) => {
      const opened = open(scratch.workspace, kind);
      opened.check();
      renameSync(scratch.workspace, `${scratch.workspace}-moved`);
      expect(() => opened.check()).toThrow(expect.objectContaining({ code: 'unavailable' }));
      symlinkSync(scratch.outside, scratch.workspace);
      expect(() => opened.check()).toThrow(expect.objectContaining({ code: 'unavailable' }));
      rmSync(scratch.workspace);
      renameSync(`${scratch.workspace}-moved`, scratch.workspace);
      opened.check();
      opened.close();
      expect(() => opened.check()).toThrow('The workspace was closed');
    },
  );

  it('opens the directory again that was removed and made again', () => {
    const opened = open();
    const before = opened.dir;
    const release = opened.hold();
    rmSync(scratch.workspace, { recursive: true });
    mkdirSync(scratch.workspace);
    opened.check();
    expect(opened.dir).not.toBe(before);
    release();
    opened.check();
  });

  it('is named among the served ones until it is closed, with the directories above it', () => {
    const opened = open();
    expect(holdsServedRoot(opened.path)).toBe(true);
    expect(holdsServedRoot(scratch.base)).toBe(true);
    expect(holdsServedRoot(`${opened.path}-other`)).toBe(false);
    expect(holdsServedRoot(join(opened.path, 'below'))).toBe(false);
    opened.close();
    expect(holdsServedRoot(opened.path)).toBe(false);
  });
});

describe('the components of a path below a root', () => {
  it('keep `..`, and drop empty ones and `.`', () => {
    expect(relativeParts(open(), './a//b/../c/')).toEqual(['a', 'b', '..', 'c']);
  });

  it('are found for each name of the root, and for no directory with the same beginning', () => {
    const alias = join(scratch.base, 'alias');
    symlinkSync(scratch.workspace, alias);
    const opened = open(alias);
    expect(relativeParts(opened, join(alias, 'a/b'))).toEqual(['a', 'b']);
    expect(relativeParts(opened, join(scratch.workspace, 'a'))).toEqual(['a']);
    expect(relativeParts(opened, scratch.workspace)).toEqual([]);
    for (const path of [`${scratch.workspace}-other/a`, scratch.outside, '/', '/etc/passwd'])
      expect(relativeParts(opened, path), path).toBeUndefined();
  });
});
