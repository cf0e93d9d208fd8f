import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createPace } from '../pace.ts';
import { removeTree } from '../remove-tree.ts';
import { bindMount, failureOf, makeScratch, type Scratch } from '../testing.ts';
import { openTrash } from '../trash.ts';
import { openWorkspace, type Workspace } from '../workspace.ts';
import { openDir } from './dir.ts';
import { mountPoints } from './mounts.ts';
import { loadNative, type Native } from './native.ts';
import type { ResolverKind } from './root.ts';

let scratch: Scratch | undefined;
let workspace: Workspace | undefined;
const unmounts: (() => void)[] = [];
afterEach(() => {
  workspace?.close();
  for (const unmount of unmounts.splice(0).reverse()) unmount();
  scratch?.remove();
  workspace = scratch = undefined;
});

const NO_MOUNTS = 'mounting needs root and CAP_SYS_ADMIN';

/** A workspace with the outside mounted at `d/m` and one outside file mounted at `d/file`. */
function mounted(resolver: ResolverKind, skip: (why: string) => never) {
  scratch = makeScratch(['d/m/', 'd/own.txt', 'd/file', 'a.txt', 'to-m => d/m'], ['secret.txt = OUT', 'deep/x']);
  const at = (path: string) => join((scratch as Scratch).workspace, path);
  for (const [from, to] of [
    [scratch.outside, at('d/m')],
    [join(scratch.outside, 'secret.txt'), at('d/file')],
  ] as const) {
    const unmount = bindMount(from, to);
    if (!unmount) skip(NO_MOUNTS);
    else unmounts.push(unmount);
  }
  const opened = openWorkspace(scratch.workspace, { resolver, trashDir: join(scratch.base, 'trash') });
  workspace = opened;
  return { opened, at, outside: scratch.outside, trash: join(scratch.base, 'trash') };
}

function isTold({ isMountRoot }: Native): boolean {
  const root = openDir('/', 'descriptor');
  try {
    return isMountRoot(root.fd, 'proc') !== undefined;
  } finally {
    root.close();
  }
}

async function* oneChunk() {
  yield Buffer.from('x');
}

const native = loadNative();
const tellsMounts = native !== undefined && isTold(native);

describe.runIf(tellsMounts)('one look at a name', () => {
  it('tells a mount from a directory and a link', () => {
    const root = openDir('/', 'descriptor');
    try {
      expect(native?.isMountRoot(root.fd, 'proc')).toBe(true);
      expect(native?.isMountRoot(root.fd, 'usr')).toBe(false);
      expect(native?.isMountRoot(root.fd, 'not-there')).toBe(undefined);
    } finally {
      root.close();
    }
  });

  it('is the whole check of a file that is overwritten: no descriptor is opened for it', () => {
    scratch = makeScratch(['a.txt']);
    workspace = openWorkspace(scratch.workspace);
    const opens = vi.spyOn(native as Native, 'openat2');
    try {
      workspace.write('a.txt', 'x');
      expect(opens).not.toHaveBeenCalled();
    } finally {
      opens.mockRestore();
    }
  });
});

describe('the list of mount points', () => {
  it('reads the mount points of mountinfo, with escaped bytes', () => {
    const text = [
      '36 35 98:0 /mnt1 /mnt/a\\040b rw,noatime master:1 - ext3 /dev/root rw,errors=continue',
      '37 35 98:0 / /mnt/\\134x\\011\\012é rw - tmpfs tmpfs rw',
      '',
    ].join('\n');
    expect(mountPoints(text)).toEqual(['/mnt/a b', '/mnt/\\x\t\né']);
    expect(mountPoints('')).toEqual([]);
  });

  it.skipIf(process.platform !== 'linux')('holds the root of this machine', () => {
    expect(mountPoints()).toContain('/');
  });
});

describe.skipIf(process.platform !== 'linux').each<ResolverKind>(['openat2', 'walk'])(
  'a mount in the workspace, resolver %s',
  (resolver) => {
    it('refuses every change across it, also of a bind mount of the same device, and names it', async ({ skip }) => {
      const { opened, at, outside, trash } = mounted(resolver, skip);
      expect(lstatSync(at('d/m')).dev).toBe(lstatSync(at('d')).dev);
      // A parent that was made and removed again shows in the time of its directory.
      const before = lstatSync(outside).mtimeMs;
      const across: [string, () => unknown][] = [
        ['write', () => opened.write('d/m/secret.txt', 'x')],
        ['write new', () => opened.write('d/m/new/x.txt', 'x')],
        ['write through a link', () => opened.write('to-m/new.txt', 'x')],
        ['append', () => opened.append('d/m/secret.txt', 'x')],
        ['edit', () => opened.edit('d/m/secret.txt', [{ oldString: 'OUT', newString: 'x' }])],
        ['receive', () => opened.receive('d/m/new', oneChunk(), { maxBytes: 9 })],
        ['create', () => opened.createDir('d/m/new')],
        ['move in', () => opened.move('a.txt', 'd/m/a.txt')],
        ['move out', () => opened.move('d/m/secret.txt', 'b.txt')],
        ['copy in', () => opened.copy('a.txt', 'd/m/a.txt')],
        ['delete', () => opened.delete('d/m/deep', { recursive: true })],
        ['delete the mount', () => opened.delete('d/m', { recursive: true })],
        ['move the mount', () => opened.move('d/m', 'm2')],
        ['undo', () => opened.undo({ kind: 'create', path: 'd/m/secret.txt', after: '1-1-1' })],
        ['undo of mkdir', () => opened.undo({ kind: 'mkdir', path: 'd/m/deep' })],
      ];
      for (const [what, act] of across) {
        const { code, message } = await failureOf(act);
        expect([code, message], what).toEqual([
          'mounted',
          expect.stringMatching(/^Cannot change \S+: d\/m is a mount of another directory or file system/),
        ]);
      }
      for (const act of [
        () => opened.write('d/file', 'x'),
        () => opened.append('d/file', 'x'),
        () => opened.edit('d/file', [{ oldString: 'OUT', newString: 'x' }]),
        () => opened.delete('d/file'),
      ])
        expect((await failureOf(act)).message).toContain('d/file is a mount');
      expect(lstatSync(outside).mtimeMs).toBe(before);
      expect(readdirSync(outside).sort()).toEqual(['deep', 'secret.txt']);
      expect(readFileSync(join(outside, 'secret.txt'), 'utf8')).toBe('OUT');
      expect(existsSync(trash)).toBe(false);
    });

    it('refuses to move or delete a directory that contains it, and names it', async ({ skip }) => {
      const { opened, outside } = mounted(resolver, skip);
      for (const act of [() => opened.delete('d', { recursive: true }), () => opened.move('d', 'e')]) {
        const { code, message } = await failureOf(act);
        expect([code, message]).toEqual([
          'mounted',
          expect.stringContaining('Cannot move or delete d: it contains the mount d/m'),
        ]);
      }
      expect(readdirSync(outside).sort()).toEqual(['deep', 'secret.txt']);
    });

    it('can be read, listed, searched and copied from', async ({ skip }) => {
      const { opened, at } = mounted(resolver, skip);
      expect((await opened.readText('d/m/secret.txt')).lines.join('\n')).toContain('OUT');
      expect(opened.list('d/m').entries.map(({ name }) => name)).toEqual(['deep', 'secret.txt']);
      expect((await opened.grep({ pattern: 'OUT' })).matches.map(({ path }) => path)).toContain('d/m/secret.txt');
      await opened.copy('d/m', 'copy');
      await opened.copy('d/file', 'one.txt');
      expect(readFileSync(at('copy/secret.txt'), 'utf8')).toBe('OUT');
      expect(readFileSync(at('one.txt'), 'utf8')).toBe('OUT');
      opened.write('d/own.txt', 'beside the mount');
    });

    it('may be the workspace itself', async ({ skip }) => {
      const { at } = mounted(resolver, skip);
      const inner = openWorkspace(at('d/m'), { resolver });
      const below = openWorkspace(at('d'), { resolver, subPath: 'm' });
      try {
        inner.write('new.txt', 'x');
        inner.move('new.txt', 'deep/new.txt');
        await inner.delete('deep', { recursive: true });
        below.write('other.txt', 'x');
      } finally {
        inner.close();
        below.close();
      }
      expect(readdirSync(at('d/m')).sort()).toEqual(['other.txt', 'secret.txt']);
    });

    it('keeps its content when a directory around it is removed or pruned from the trash', async ({ skip }) => {
      const { at, outside, trash } = mounted(resolver, skip);
      // The mounted file alone would end the removal before it reaches the directory.
      unmounts.pop()?.();
      await expect(removeTree(at('d'), createPace())).rejects.toThrow(/EBUSY/);
      mkdirSync(trash);
      const kept = openTrash(trash, { maxBytes: 10, maxItems: 1 });
      // As an older version would have done it.
      renameSync(at('d'), join(trash, '000000001-0123456789-1'));
      try {
        for (let i = 0; i < 4; i++) {
          writeFileSync(at('f'), '12345678');
          kept.take(at('f'), 8);
        }
        await kept.settled();
      } finally {
        const name = readdirSync(trash).find((one) => one.endsWith('000000001-0123456789-1')) as string;
        renameSync(join(trash, name), at('d'));
      }
      expect(readdirSync(outside).sort()).toEqual(['deep', 'secret.txt']);
      expect(readdirSync(join(outside, 'deep'))).toEqual(['x']);
    });
  },
);
