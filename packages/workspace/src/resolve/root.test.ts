import { fstatSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { failureOf, makeScratch, type Scratch } from '../testing.ts';
import { loadNative } from './native.ts';
import { bestResolver, holdsServedRoot, openRoot, relativeParts, type ResolverKind, type Root } from './root.ts';

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

const open = (path = scratch.workspace, kind?: ResolverKind) => (root = openRoot(path, kind));
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

  it('has the strongest mechanism of this machine, or the one that is asked for', () => {
    const shown = (kind?: ResolverKind) => {
      const { path, given, dirKind, native, dir, kind: used } = open(scratch.workspace, kind);
      root?.close();
      return [path === given, used, dirKind, native !== undefined, dir.fd >= 0];
    };
    expect([shown('openat2'), shown('walk'), shown('portable')]).toEqual([
      [true, 'openat2', 'descriptor', loadNative() !== undefined, true],
      [true, 'walk', 'descriptor', false, true],
      [true, 'portable', 'path', false, false],
    ]);
    expect(shown()).toEqual(shown(bestResolver()));
  });

  it('says to the operator which directory it cannot open, or no longer finds', async () => {
    const none = join(scratch.base, 'none');
    for (const kind of ['openat2', 'walk', 'portable'] as const) {
      const { message, operatorMessage, cause } = await failureOf(() => openRoot(none, kind));
      expect([message, operatorMessage, (cause as NodeJS.ErrnoException).code]).toEqual([
        'The workspace directory is missing or cannot be opened',
        `Cannot open workspace ${none}: No such file or directory`,
        'ENOENT',
      ]);
    }
    const opened = open();
    const failed = async () => {
      const { code, message, operatorMessage } = await failureOf(() => opened.check());
      expect([code, message]).toEqual([
        'unavailable',
        'The workspace directory was moved or replaced. Nothing was done: put it back, or start the server again',
      ]);
      return operatorMessage;
    };
    renameSync(scratch.workspace, `${scratch.workspace}-moved`);
    expect(await failed()).toBe(`${scratch.workspace} is no longer the directory that was opened`);
    rmSync(`${scratch.workspace}-moved`, { recursive: true });
    symlinkSync(scratch.outside, scratch.workspace);
    const count = () => readdirSync('/proc/self/fd').length;
    const before = count();
    expect(await failed()).toBe(`${scratch.workspace} leads to another directory than ${scratch.workspace}`);
    expect(count()).toBe(before);
  });

  it('without descriptors is the directory that its path leads to, but does not follow a link in its place', () => {
    const opened = open(scratch.workspace, 'portable');
    const before = opened.dir;
    opened.check();
    expect(opened.dir).toBe(before);
    renameSync(scratch.workspace, `${scratch.workspace}-moved`);
    mkdirSync(scratch.workspace);
    opened.check();
    expect([opened.dir === before, opened.dir.isSame(), opened.lockFd() > 2]).toEqual([false, true, true]);
    const replaced = opened.dir;
    rmSync(scratch.workspace, { recursive: true });
    symlinkSync(scratch.outside, scratch.workspace);
    opened.check();
    expect([opened.dir === replaced, opened.dir.isSame()]).toEqual([true, false]);
  });

  it('opens one descriptor for locks, and again for another directory', () => {
    const opened = open();
    const fd = opened.lockFd();
    expect([opened.lockFd(), fstatSync(fd).ino]).toEqual([fd, statSync(scratch.workspace).ino]);
    rmSync(scratch.workspace, { recursive: true });
    mkdirSync(scratch.workspace);
    opened.check();
    const again = opened.lockFd();
    expect(fstatSync(again).ino).toBe(statSync(scratch.workspace).ino);
    opened.close();
    expect(() => fstatSync(again)).toThrow('EBADF');
    const portable = open(scratch.workspace, 'portable');
    rmSync(scratch.workspace, { recursive: true });
    expect(portable.lockFd()).toBe(-1);
  });

  it('keeps its directories open for those who hold it, and closes them afterwards', () => {
    const count = () => readdirSync('/proc/self/fd').length;
    const none = count();
    const opened = open();
    const releases = [opened.hold(), opened.hold()];
    rmSync(scratch.workspace, { recursive: true });
    mkdirSync(scratch.workspace);
    opened.check();
    expect(count()).toBe(none + 2);
    opened.close();
    opened.lockFd();
    expect(count()).toBe(none + 3);
    releases[0]?.();
    expect(count()).toBe(none + 3);
    releases[1]?.();
    expect(count()).toBe(none);
    const unheld = open();
    rmSync(scratch.workspace, { recursive: true });
    mkdirSync(scratch.workspace);
    unheld.check();
    expect(count()).toBe(none + 1);
    unheld.close();
    expect(count()).toBe(none);
  });

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
    expect([opened.path, opened.given, opened.names.map((name) => name.join('/'))]).toEqual([
      scratch.workspace,
      alias,
      [scratch.workspace.slice(1), alias.slice(1)],
    ]);
    for (const path of [`${scratch.workspace}-other/a`, scratch.outside, '/', '/etc/passwd'])
      expect(relativeParts(opened, path), path).toBeUndefined();
  });
});
