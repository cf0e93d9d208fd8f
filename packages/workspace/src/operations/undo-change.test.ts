import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { failureOf, makeScratch, type Scratch } from '../testing.ts';
import { newGroup } from '../trash-items.ts';
import { NotKept, openTrash } from '../trash.ts';
import { openWorkspace, type Workspace, type WorkspaceOptions } from '../workspace.ts';
import type { Change } from './change.ts';
import { undoAll } from './testing-changes.ts';

let scratch: Scratch;
let workspace: Workspace;
const extra: string[] = [];
afterEach(() => {
  workspace?.close();
  scratch.remove();
  for (const path of extra.splice(0)) rmSync(path, { recursive: true, force: true });
});

/** A trash on another device than the workspace, where this machine has one. */
function otherDevice(): string | undefined {
  if (!existsSync('/dev/shm') || statSync('/dev/shm').dev === statSync(scratch.base).dev) return undefined;
  const path = mkdtempSync('/dev/shm/croft-test-');
  extra.push(path);
  return path;
}

function setUp(lines: readonly string[], options: WorkspaceOptions = {}, isFar = false): boolean {
  scratch = makeScratch(lines);
  const trashDir = isFar ? otherDevice() : join(scratch.base, 'trash');
  if (trashDir === undefined) return false;
  workspace = openWorkspace(scratch.workspace, { trashDir, ...options });
  return true;
}

/** Names, kinds, modes and contents of everything in the workspace. */
function tree(at = scratch.workspace, name = '.'): string[] {
  const stat = lstatSync(at);
  const content = stat.isFile() ? readFileSync(at, 'utf8') : stat.isSymbolicLink() ? readlinkSync(at) : '';
  const own = `${name} ${stat.mode.toString(8)} ${content}`;
  return stat.isDirectory()
    ? [
        own,
        ...readdirSync(at)
          .sort()
          .flatMap((child) => tree(join(at, child), `${name}/${child}`)),
      ]
    : [own];
}

const TREE = [
  'a.txt = old',
  'd/e/f.txt = deep',
  'd/link => e/f.txt',
  'd/out => $OUT/secret.txt',
  'empty/',
  'l => a.txt',
];
type Outcome = { changes: readonly Change[] };
const ACTS: [string, () => Outcome | Promise<Outcome>][] = [
  ['an overwritten file', () => workspace.write('a.txt', 'new')],
  ['a new file with its parents', () => workspace.write('n/o/p.txt', 'new')],
  ['an edit', () => workspace.edit('a.txt', [{ oldString: 'old', newString: 'new' }])],
  ['an append', () => workspace.append('a.txt', 'more')],
  ['a deleted file', () => workspace.delete('a.txt')],
  ['a deleted link', () => workspace.delete('l')],
  ['a deleted directory', () => workspace.delete('d', { recursive: true })],
  ['a deleted empty directory', () => workspace.delete('empty')],
  ['a move', () => workspace.move('a.txt', 'x/y.txt')],
  ['a moved directory', () => workspace.move('d', 'x/y')],
  ['a made directory', () => workspace.createDir('x/y/z')],
  ['a copied file', () => workspace.copy('a.txt', 'x/y.txt')],
  ['a copied directory', () => workspace.copy('d', 'x/y')],
];

describe.each([
  ['the same device', false],
  ['another device', true],
])('undo with a trash on %s', (_, isFar) => {
  it.each(ACTS)('takes back %s, and again takes back the undo where it was kept', async (_name, act) => {
    if (!setUp(TREE, {}, isFar)) return;
    chmodSync(join(scratch.workspace, 'a.txt'), 0o640);
    chmodSync(join(scratch.workspace, 'd/e'), 0o700);
    const before = tree();
    const { changes } = await act();
    const after = tree();
    expect(after).not.toEqual(before);
    const undone = await undoAll(workspace, changes);
    expect(tree()).toEqual(before);
    if (undone.every((change) => change.kind !== 'delete' || change.trash !== undefined)) {
      await undoAll(workspace, undone);
      expect(tree()).toEqual(after);
    }
  });
  it('never copies what a link leads to', async () => {
    if (!setUp(TREE, {}, isFar)) return;
    await workspace.delete('d', { recursive: true });
    const dump = tree(join(isFar ? (extra[0] as string) : join(scratch.base, 'trash'))).join('\n');
    expect(dump).not.toContain(' SECRET');
    expect(dump).toContain('deep');
    expect(readFileSync(join(scratch.outside, 'secret.txt'), 'utf8')).toBe('SECRET');
  });
});

describe('undo', () => {
  it('refuses when the place was changed since', async () => {
    setUp(TREE);
    const later = (name: string) => {
      writeFileSync(join(scratch.workspace, name), 'later');
      utimesSync(join(scratch.workspace, name), 1, 1);
    };
    const [update] = workspace.write('a.txt', 'new').changes as [Change];
    later('a.txt');
    expect((await failureOf(() => workspace.undo(update))).code).toBe('changed');
    const [create] = workspace.write('n.txt', 'new').changes as [Change];
    later('n.txt');
    expect((await failureOf(() => workspace.undo(create))).code).toBe('changed');
    const [deleted] = (await workspace.delete('d/e/f.txt')).changes as [Change];
    later('d/e/f.txt');
    expect((await failureOf(() => workspace.undo(deleted))).code).toBe('exists');
    const [moved] = workspace.move('n.txt', 'm.txt').changes as [Change];
    writeFileSync(join(scratch.workspace, 'm.txt'), 'later');

    expect((await failureOf(() => workspace.undo(moved))).code).toBe('changed');
    const [made] = workspace.createDir('x').changes as [Change];
    later('x/y');
    expect((await failureOf(() => workspace.undo(made))).code).toBe('not_empty');
    for (const name of ['a.txt', 'd/e/f.txt', 'm.txt', 'x/y'])
      expect(readFileSync(join(scratch.workspace, name), 'utf8'), name).toBe('later');
  });
  it('takes a copied directory back at once, and leaves it when anything came, went or changed in it', async () => {
    const at = (name: string) => join(scratch.workspace, name);
    for (let i = 0; i < 20; i++) {
      setUp(['one/f', 'old.txt']);
      await undoAll(workspace, (await workspace.copy('one', 'two')).changes);
      expect(readdirSync(scratch.workspace).sort()).toEqual(['old.txt', 'one']);
      workspace.close();
      scratch.remove();
    }
    const rows: [string, () => void][] = [
      ['an old file moved in', () => (utimesSync(at('old.txt'), 1, 1), renameSync(at('old.txt'), at('two/old.txt')))],
      ['a directory', () => mkdirSync(at('two/d'))],
      ['a link', () => symlinkSync('f', at('two/l'))],
      ['a file gone', () => rmSync(at('two/f'))],
      ['another content', () => (writeFileSync(at('two/f'), 'other content'), utimesSync(at('two/f'), 1, 1))],
      ['a file in its place', () => (rmSync(at('two'), { recursive: true }), writeFileSync(at('two'), 'mine'))],
    ];
    for (const [what, act] of rows) {
      setUp(['one/f', 'old.txt']);
      const { changes } = await workspace.copy('one', 'two');
      act();
      const before = tree();
      const error = await failureOf(() => undoAll(workspace, changes));
      expect([error.code, error.message], what).toEqual(['changed', 'two was changed since']);
      expect(tree(), what).toEqual(before);
      workspace.close();
      scratch.remove();
    }
    setUp(['one/f']);
    const [{ tree: _, ...older }] = (await workspace.copy('one', 'two')).changes as [Change];
    expect((await failureOf(() => workspace.undo(older))).code).toBe('changed');
    rmSync(at('two/f'));
    await workspace.undo(older);
    expect(existsSync(at('two'))).toBe(false);
  });
  it('follows no link on the way to where a change was made', async () => {
    setUp(['d/hooks/', '.git/hooks/', 'lnk => .git', 'a.txt', 'e/']);
    workspace.close();
    const options = { trashDir: join(scratch.base, 'trash') };
    workspace = openWorkspace(scratch.workspace, options);
    const at = (name: string) => join(scratch.workspace, name);
    const gone = [
      ...(await workspace.copy('a.txt', 'd/hooks/one')).changes,
      ...(await workspace.copy('a.txt', 'd/hooks/new/two')).changes,
      ...workspace.createDir('d/hooks/made').changes,
    ];
    const deleted = [
      ...(await workspace.delete('d/hooks/one')).changes,
      ...(await workspace.delete('d/hooks/new/two')).changes,
    ];
    const moved = workspace
      .move('a.txt', 'b.txt')
      .changes.map((change) => ({ ...change, path: 'd/hooks/deep/er/a.txt' }));
    workspace.move('d', 'd2');
    workspace.move('lnk', 'd');
    workspace.close();
    workspace = openWorkspace(scratch.workspace, { ...options, denyList: false });
    mkdirSync(at('.git/hooks/made'));
    writeFileSync(at('.git/hooks/one'), 'x');
    const before = tree();
    for (const change of [...gone, ...deleted, ...moved])
      expect(await failureOf(() => workspace.undo(change)), change.path).toMatchObject({
        code: 'changed',
        message: `${change.path} was changed since`,
      });
    rmSync(at('.git/hooks/one'));
    expect((await failureOf(() => workspace.undo(deleted[0] as Change))).code).toBe('changed');
    writeFileSync(at('.git/hooks/one'), 'x');
    expect(tree().map((line) => line.replace(/^(\S+) .*/, '$1'))).toEqual(
      before.map((line) => line.replace(/^(\S+) .*/, '$1')),
    );
  });
  it('says so when nothing was kept', async () => {
    setUp(TREE);
    workspace.close();
    workspace = openWorkspace(scratch.workspace);
    const changes = [
      ...(await workspace.delete('a.txt')).changes,
      ...workspace.write('l2', 'x').changes.slice(1),
      { kind: 'update', path: 'l2' } as const,
    ];
    for (const change of changes) expect((await failureOf(() => workspace.undo(change))).code).toBe('not_found');
    const copied = (await workspace.copy('d', 'd2')).changes;
    expect((await failureOf(() => undoAll(workspace, copied))).code).toBe('not_empty');
  });
  it('uses the same resolver as the change', async () => {
    setUp(TREE);
    const [deleted] = (await workspace.delete('d/e/f.txt')).changes as [Change];
    rmSync(join(scratch.workspace, 'd'), { recursive: true });
    symlinkSync(scratch.outside, join(scratch.workspace, 'd'));
    expect((await failureOf(() => workspace.undo(deleted))).code).toBe('link_outside');
    for (const kind of ['create', 'update', 'delete', 'mkdir'] as const)
      expect(
        (await failureOf(() => workspace.undo({ kind, path: '../outside/secret.txt', trash: deleted.trash as string })))
          .code,
      ).toBe('outside');
    expect((await failureOf(() => workspace.undo({ kind: 'move', path: '../x', to: 'a.txt' }))).code).toBe('outside');
    for (const trash of ['../../outside/secret.txt', '/etc/passwd', 'x', ''])
      expect((await failureOf(() => workspace.undo({ kind: 'delete', path: 'q', trash }))).code).toBe('not_found');
    expect(readdirSync(scratch.outside)).toEqual(['secret.txt']);
  });
});

describe('a write', () => {
  it('keeps the mode, replaces in one step, and leaves no other name', () => {
    setUp(['a.sh = x']);
    chmodSync(join(scratch.workspace, 'a.sh'), 0o4751);
    workspace.write('a.sh', 'y');
    expect(statSync(join(scratch.workspace, 'a.sh')).mode & 0o7777).toBe(0o751);
    expect(statSync(join(scratch.workspace, 'a.sh')).nlink).toBe(1);
    expect(readdirSync(scratch.workspace)).toEqual(['a.sh']);
  });
  it('continues after a process was killed between keeping and replacing: the name in the trash does not count as a hard link', async () => {
    setUp(['a.txt = old']);
    const at = join(scratch.workspace, 'a.txt');
    openTrash(join(scratch.base, 'trash')).keep(at, lstatSync(at));
    expect(lstatSync(at).nlink).toBe(2);
    expect(workspace.write('a.txt', 'new').status).toBe('updated');
    linkSync(at, join(scratch.base, 'second-name'));
    expect((await failureOf(() => workspace.write('a.txt', 'newer'))).code).toBe('hard_linked');
  });
  it('refuses an expected version that is not there', async () => {
    setUp(['a.txt = old']);
    expect((await failureOf(() => workspace.write('a.txt', 'x', { expectedVersion: 'absent' }))).extra).toMatchObject({
      expected_version: 'absent',
    });
    expect((await failureOf(() => workspace.write('b.txt', 'x', { expectedVersion: 'v' }))).extra).toEqual({
      expected_version: 'v',
      actual_version: 'absent',
    });
    expect(workspace.write('b.txt', 'x', { expectedVersion: 'absent' }).status).toBe('created');
  });
  it('copies no set-id bits', async () => {
    setUp(['a.sh = x']);
    chmodSync(join(scratch.workspace, 'a.sh'), 0o6755);
    await workspace.copy('a.sh', 'b.sh');
    expect(statSync(join(scratch.workspace, 'b.sh')).mode & 0o7777).toBe(0o755);
  });
});

describe('the trash', () => {
  it('drops the oldest at its bounds and keeps nothing larger than the whole bound', async () => {
    setUp([]);
    const directory = join(scratch.base, 't');
    const trash = openTrash(directory, { maxBytes: 1_000, maxItems: 5 });
    const keep = (size: number) => {
      const at = join(scratch.workspace, 'f');
      writeFileSync(at, Buffer.alloc(size, 97));
      return trash.keep(at, lstatSync(at));
    };
    expect(() => keep(1_001)).toThrow(NotKept);
    const ids = Array.from({ length: 20 }, () => keep(300) as string);
    await trash.settled();
    const kept = readdirSync(directory);
    expect(kept.length).toBeLessThanOrEqual(3);
    expect(trash.find(ids.at(-1) as string)).toBeDefined();
    expect(trash.find(ids[0] as string)).toBeUndefined();
    expect(statSync(directory).mode & 0o777).toBe(0o700);
  });
  it('names its items in their order, also within a millisecond', () => {
    const groups = Array.from({ length: 10_000 }, newGroup);
    expect([...groups].sort()).toEqual(groups);
    expect(new Set(groups).size).toBe(groups.length);
  });
  it('does not touch what is not its own', async () => {
    setUp([]);
    const directory = join(scratch.base, 't');
    mkdirSync(directory);
    writeFileSync(join(directory, 'README'), 'mine');
    const trash = openTrash(directory, { maxBytes: 10, maxItems: 1 });
    writeFileSync(join(scratch.workspace, 'f'), '12345678');
    for (let i = 0; i < 3; i++) trash.keep(join(scratch.workspace, 'f'), lstatSync(join(scratch.workspace, 'f')));
    await trash.settled();
    expect(readdirSync(directory)).toContain('README');
  });
});

describe('the quota', () => {
  it('is checked before anything lands, in bytes and in files', async () => {
    setUp(['a.txt = 12345', 'd/b.txt = 12345'], { quota: { maxBytes: 20, maxFiles: 3 } });
    const before = tree();
    const error = await failureOf(() => workspace.write('c.txt', '12345678901'));
    expect(error.message).toBe('Quota exceeded: 10 of 20 bytes are used and this needs 11 more. Delete files first.');
    expect((await failureOf(() => workspace.append('a.txt', '12345678901'))).code).toBe('quota');
    expect(tree()).toEqual(before);
    workspace.write('c.txt', '1234567890');
    expect((await failureOf(() => workspace.write('e.txt', ''))).message).toBe(
      'Quota exceeded: 3 of 3 files exist and this adds 1. Delete files first.',
    );
    expect((await failureOf(() => workspace.copy('a.txt', 'x.txt'))).code).toBe('quota');
    workspace.write('c.txt', '1');
    expect(await workspace.usage()).toEqual({ bytes: 11, files: 3 });
    await workspace.delete('d', { recursive: true });
    expect(workspace.write('e.txt', '1234567890').status).toBe('created');
    expect(readdirSync(scratch.workspace).sort()).toEqual(['a.txt', 'c.txt', 'e.txt']);
  });
  it('counts what a failed write did not add only until it counts again', async () => {
    setUp(['d/x'], { quota: { maxBytes: 100 } });
    for (let i = 0; i < 50; i++)
      expect((await failureOf(() => workspace.write(`d/x/${i}`, 'y'.repeat(90)))).code).toBe('not_directory');
    expect(workspace.write('ok.txt', 'y'.repeat(90)).status).toBe('created');
  });
});
