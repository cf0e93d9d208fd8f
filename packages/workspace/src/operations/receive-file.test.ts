import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { testDir } from '../../../../tests/support/temp-dir.ts';
import { WorkspaceError } from '../errors.ts';
import { openWorkspace, type Workspace } from '../workspace.ts';

let scratch: string;
let root: string;
let workspace: Workspace;

beforeEach(() => {
  scratch = testDir();
  root = join(scratch, 'root');
  mkdirSync(root);
  workspace = openWorkspace(root, { trashDir: join(scratch, 'trash'), quota: { maxBytes: 1_000 } });
});
afterEach(() => workspace.close());

async function* chunks(...sizes: number[]): AsyncGenerator<Uint8Array> {
  for (const size of sizes) yield Buffer.alloc(size, 'x');
}
async function* broken(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('half');
  throw new Error('the line is gone');
}
const left = () => readdirSync(root, { recursive: true });

describe('a received file', () => {
  it('has its name when it is whole, with its parents', async () => {
    const done = await workspace.receive('a/b/c.bin', chunks(300, 300), { maxBytes: 1_000 });
    expect(done).toMatchObject({ status: 'created', bytesWritten: 600 });
    expect(readFileSync(join(root, 'a/b/c.bin'))).toHaveLength(600);
    expect(left().sort()).toEqual(['a', 'a/b', 'a/b/c.bin']);
  });

  it('replaces another, which can be had back', async () => {
    writeFileSync(join(root, 'a.txt'), 'before', { mode: 0o600 });
    const { changes, status } = await workspace.receive('a.txt', chunks(10), { maxBytes: 100 });
    expect(status).toBe('updated');
    for (const change of changes) await workspace.undo(change);
    expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('before');
  });

  it('can be written again, being a file of one name', async () => {
    await workspace.receive('a.txt', chunks(10), { maxBytes: 100 });
    expect(workspace.write('a.txt', 'y').status).toBe('updated');
  });

  it('never has two names when a call of the same turn meets it', async () => {
    const codes: unknown[] = [];
    const receiveNew = async () => {
      const options = { maxBytes: 100, expectedVersion: 'absent' };
      await workspace.receive('a.txt', chunks(10), options).catch((error: WorkspaceError) => codes.push(error.code));
    };
    await Promise.all(Array.from({ length: 8 }, receiveNew));
    expect(codes).toEqual(Array(7).fill('changed'));
  });

  it.each([
    ['is larger than what is taken', () => chunks(60, 60), 'too_large'],
    ['passes the quota', () => chunks(900, 900), 'quota'],
  ] as const)('that %s leaves nothing', async (_, source, code) => {
    const maxBytes = code === 'quota' ? 10_000 : 100;
    await expect(workspace.receive('new/a.txt', source(), { maxBytes })).rejects.toMatchObject({ code });
    expect(left()).toEqual([]);
  });

  it('may fill the quota to its end: what is on its way does not count against itself', async () => {
    await workspace.receive('a.bin', chunks(1_000), { maxBytes: 10_000 });
    expect(await workspace.usage()).toEqual({ bytes: 1_000, files: 1 });
  });

  it('leaves nothing when the check before it gets its name throws', async () => {
    let checked: string[] = [];
    const beforePlacing = () => {
      checked = left().map(String);
      throw new WorkspaceError('read_only', 'read-only by now');
    };
    const receiving = workspace.receive('new/a.txt', chunks(10), { maxBytes: 100, beforePlacing });
    await expect(receiving).rejects.toMatchObject({ code: 'read_only' });
    expect(checked).toEqual([expect.stringMatching(/^\.croft-tmp-/)]);
    expect(left()).toEqual([]);
  });

  it('whose stream breaks leaves nothing', async () => {
    await expect(workspace.receive('a.txt', broken(), { maxBytes: 100 })).rejects.toThrow('the line is gone');
    expect(left()).toEqual([]);
  });

  it.each([
    ['../out.txt', 'outside'],
    ['.env', 'denied'],
    ['way/out.txt', 'link_outside'],
    ['taken.txt', 'changed'],
    ['dir', 'is_directory'],
  ] as const)('is refused at %s before its bytes are read', async (path, code) => {
    symlinkSync(scratch, join(root, 'way'));
    mkdirSync(join(root, 'dir'));
    writeFileSync(join(root, 'taken.txt'), 'x');
    let read = false;
    const source = (async function* () {
      read = true;
      yield Buffer.from('x');
    })();
    await expect(workspace.receive(path, source, { maxBytes: 100, expectedVersion: 'absent' })).rejects.toMatchObject({
      code,
    });
    expect(read).toBe(false);
    expect(existsSync(join(scratch, 'out.txt'))).toBe(false);
  });

  it('whose gathering place was exchanged for a link is not kept', async () => {
    writeFileSync(join(scratch, 'secret.txt'), 'outside');
    const source = (async function* () {
      yield Buffer.from('one');
      const [name = ''] = readdirSync(root);
      rmSync(join(root, name));
      symlinkSync(join(scratch, 'secret.txt'), join(root, name));
      yield Buffer.from('two');
    })();
    await expect(workspace.receive('a.txt', source, { maxBytes: 100 })).rejects.toMatchObject({ code: 'changed' });
    expect(readFileSync(join(scratch, 'secret.txt'), 'utf8')).toBe('outside');
    expect(left()).toEqual([]);
  });

  it('is refused by a workspace that is only read', async () => {
    const readOnly = openWorkspace(root, { readOnly: true });
    await expect(readOnly.receive('a.txt', chunks(1), { maxBytes: 10 })).rejects.toMatchObject({ code: 'read_only' });
    readOnly.close();
  });
});
