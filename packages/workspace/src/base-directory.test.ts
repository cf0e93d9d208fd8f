import { existsSync, lstatSync, mkdirSync, readdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { WorkspaceError } from './errors.ts';
import type { ResolverKind } from './resolve/root.ts';
import { closeSearchWorkers } from './search/worker-pool.ts';
import { bindMount, codeOf, makeScratch, type Scratch } from './testing.ts';
import { openWorkspace, type Workspace } from './workspace.ts';

let scratch: Scratch;
const undo: (() => void)[] = [];
afterEach(() => {
  for (const step of undo.splice(0).reverse()) step();
  scratch.remove();
});
afterAll(closeSearchWorkers);

function open(dir: string, baseDir: string, resolver: ResolverKind): Workspace {
  const workspace = openWorkspace(dir, { baseDir, resolver });
  undo.push(workspace.close);
  return workspace;
}

/** Asserts that every way to read or remove `path` is refused with the error for a place that does not exist. */
async function expectHidden(workspace: Workspace, path: string): Promise<void> {
  const acts: [string, () => unknown][] = [
    ['read', () => workspace.readText(`${path}/token`)],
    ['write', () => workspace.write(`${path}/cache/evil.bin`, 'x')],
    ['list', () => workspace.list(path)],
    ['tree', () => workspace.tree(path, { maxDepth: 3, maxEntries: 9 })],
    ['info', () => workspace.info(path)],
    ['glob', () => workspace.glob('*', { path })],
    ['grep', () => workspace.grep({ pattern: 'SECRET', path })],
    ['create', () => workspace.createDir(`${path}/new`)],
    ['move', () => workspace.move(path, 'stolen')],
    ['copy', () => workspace.copy(path, 'stolen')],
    ['delete', () => workspace.delete(path, { recursive: true })],
  ];
  for (const [name, act] of acts) expect(await codeOf(act), `${name} ${path}`).toMatch(/^(link_)?outside$/);
}

const names = (workspace: Workspace, path = '.') => workspace.list(path).entries.map((entry) => entry.name);

describe.each<ResolverKind>(['openat2', 'walk', 'portable'])("Croft's own base directory, resolver %s", (resolver) => {
  it('is hidden under the link it is given by, and under where that leads', async () => {
    scratch = makeScratch(['data/croft/token = SECRET', 'free.txt']);
    const home = scratch.workspace;
    symlinkSync(join(home, 'data/croft'), join(home, '.croft'));
    const workspace = open(home, join(home, '.croft'), resolver);
    await expectHidden(workspace, '.croft');
    await expectHidden(workspace, 'data/croft');
    expect(await codeOf(() => workspace.move('data', 'x'))).toBe('outside');
    expect(await codeOf(() => workspace.delete('data', { recursive: true }))).toBe('outside');
    expect(names(workspace)).toEqual(['data', 'free.txt']);
    expect(names(workspace, 'data')).toEqual([]);
    expect((await workspace.grep({ pattern: 'SECRET' })).matches).toEqual([]);
    expect(lstatSync(join(home, '.croft')).isSymbolicLink()).toBe(true);
  });

  it('keeps every directory and link that lead to it where they are', async () => {
    scratch = makeScratch(['sub/', 'way/', 'real/base/token = SECRET', 'a.txt']);
    const home = scratch.workspace;
    symlinkSync('../way/../link2', join(home, 'sub/link'));
    symlinkSync(join(scratch.outside, 'back'), join(home, 'link2'));
    symlinkSync(join(home, 'real'), join(scratch.outside, 'back'));
    const workspace = open(home, join(home, 'sub/link/base'), resolver);
    for (const path of ['sub', 'sub/link', 'way', 'link2', 'real', 'real/base']) {
      expect(await codeOf(() => workspace.move(path, 'stolen')), path).toBe('outside');
      expect(await codeOf(() => workspace.delete(path, { recursive: true })), path).toBe('outside');
    }
    // The directory beside it is not hidden.
    workspace.write('real/b.txt', 'x');
    expect(names(workspace, 'real')).toEqual(['b.txt']);
    workspace.write('way/c.txt', 'x');
  });

  it('is known again under another name', async () => {
    scratch = makeScratch(['.croft/token = SECRET', 'beside/']);
    const home = scratch.workspace;
    const workspace = open(home, join(home, '.croft'), resolver);
    renameSync(join(home, '.croft'), join(home, 'beside/moved'));
    for (const path of ['beside/../beside/moved'])
      for (const act of [
        () => workspace.list(path),
        () => workspace.info(path),
        () => workspace.delete(path, { recursive: true }),
        () => workspace.move(path, 'stolen'),
        () => workspace.list('beside/moved'),
      ])
        expect(await codeOf(act)).toBe('outside');
    expect(existsSync(join(home, 'beside/moved/token'))).toBe(true);
  });
});

function bind(from: string, to: string): boolean {
  const unmount = bindMount(from, to);
  if (unmount) undo.push(unmount);
  return unmount !== undefined;
}

describe.each<ResolverKind>(['openat2', 'walk', 'portable'])('bind mounts, resolver %s', (resolver) => {
  it('as the workspace show no base directory, to searches neither', async ({ skip }) => {
    scratch = makeScratch(['home/.croft/token = SECRET', 'home/f', 'mount/']);
    const [home, mount] = [join(scratch.workspace, 'home'), join(scratch.workspace, 'mount')];
    if (!bind(home, mount)) skip();
    const workspace = open(mount, join(home, '.croft'), resolver);
    await expectHidden(workspace, '.croft');
    expect(names(workspace)).toEqual(['f']);
    expect((await workspace.grep({ pattern: 'SECRET' })).matches).toEqual([]);
    expect((await workspace.glob('**/*')).matches).toEqual(['f']);
  });

  it('of the base directory are refused as a workspace', ({ skip }) => {
    scratch = makeScratch(['.croft/token = SECRET', 'mount/']);
    const [base, mount] = [join(scratch.workspace, '.croft'), join(scratch.workspace, 'mount')];
    if (!bind(base, mount)) skip();
    expect(() => openWorkspace(mount, { baseDir: base, resolver })).toThrow('cannot be a workspace');
  });

  it('in the workspace lead into no base directory', async ({ skip }) => {
    scratch = makeScratch(['.croft/cache/', '.croft/token = SECRET', 'mount/', 'second/', 'f']);
    const home = scratch.workspace;
    const workspace = open(home, join(home, '.croft'), resolver);
    if (!bind(home, join(home, 'mount')) || !bind(join(home, '.croft'), join(home, 'second'))) skip();
    for (const path of ['mount/.croft', 'second'])
      for (const act of [
        () => workspace.list(path),
        () => workspace.info(path),
        () => workspace.readText(`${path}/token`),
        () => workspace.write(`${path}/cache/evil.bin`, 'x'),
        () => workspace.write(`${path}/new/evil.bin`, 'x'),
        () => workspace.glob('*', { path }),
      ])
        expect(await codeOf(act), path).toBe('outside');
    expect(workspace.info('mount/f').type).toBe('file');
    writeFileSync(join(home, 'mount/g'), 'x');
    mkdirSync(join(home, 'mount/h'));
    expect((await workspace.readText('mount/g')).lines).toEqual(['x']);
  });

  it('in the workspace show no base directory to lists and trees, and are neither copied nor deleted', async ({
    skip,
  }) => {
    scratch = makeScratch(['home/.croft/token = SECRET', 'home/f', 'ws/d/base/', 'ws/d/home/', 'ws/d/f']);
    const [home, ws] = [join(scratch.workspace, 'home'), join(scratch.workspace, 'ws')];
    const workspace = open(ws, join(home, '.croft'), resolver);
    if (!bind(join(home, '.croft'), join(ws, 'd/base')) || !bind(home, join(ws, 'd/home'))) skip();
    expect(names(workspace, 'd')).toEqual(['home', 'f']);
    expect(names(workspace, 'd/home')).toEqual(['f']);
    const tree = workspace.tree('.', { maxDepth: 5, maxEntries: 99 }).entries;
    expect(tree.map((entry) => entry.path)).toEqual(['d', 'd/home', 'd/home/f', 'd/f']);
    await workspace.copy('d', 'copy');
    expect(readdirSync(join(ws, 'copy'), { recursive: true }).sort()).toEqual(['f', 'home', 'home/f']);
    await expect(workspace.delete('d', { recursive: true })).rejects.toThrow(WorkspaceError);
    expect(existsSync(join(home, '.croft/token'))).toBe(true);
  });

  it('in the workspace show no base directory to searches', async ({ skip }) => {
    scratch = makeScratch(['home/.croft/token = SECRET', 'home/f = SECRET', 'ws/d/base/', 'ws/d/home/', 'ws/d/f']);
    const [home, ws] = [join(scratch.workspace, 'home'), join(scratch.workspace, 'ws')];
    const workspace = open(ws, join(home, '.croft'), resolver);
    if (!bind(join(home, '.croft'), join(ws, 'd/base')) || !bind(home, join(ws, 'd/home'))) skip();
    expect((await workspace.glob('**/*')).matches).toEqual(['d', 'd/f', 'd/home', 'd/home/f']);
    expect((await workspace.glob('d/*')).matches).toEqual(['d/f', 'd/home']);
    expect((await workspace.grep({ pattern: 'SECRET' })).matches).toEqual([{ path: 'd/home/f' }]);
    expect((await workspace.grep({ pattern: 'SECRET', glob: 'token' })).matches).toEqual([]);
  });
});
