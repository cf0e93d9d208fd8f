import { renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { mountInto } from '../mount-into.ts';
import { failureOf, makeScratch, type Scratch } from '../testing.ts';
import { openWorkspace, type Workspace, type WorkspaceOptions } from '../workspace.ts';
import type { Change } from './change.ts';

let scratch: Scratch;
let workspace: Workspace;
afterEach(() => {
  workspace.close();
  scratch.remove();
});

const trashDir = () => join(scratch.base, 'trash');
function setUp(lines: readonly string[], options: WorkspaceOptions = {}): void {
  scratch = makeScratch(lines);
  workspace = openWorkspace(scratch.workspace, { trashDir: trashDir(), ...options });
}
const read = (change: Pick<Change, 'path' | 'trash'>, maxBytes = 100) =>
  workspace.readKept(change, { maxBytes }).bytes.toString();
const failure = (change: Pick<Change, 'path' | 'trash'>, maxBytes?: number) =>
  failureOf(() => read(change, maxBytes)).then(({ code }) => code);
const written = (path: string): Change => workspace.write(path, 'new').changes.at(-1) as Change;
const deleted = async (path: string): Promise<Change> =>
  (await workspace.delete(path, { recursive: true })).changes[0] as Change;

describe('the content that the trash keeps', () => {
  it('is that before a write or a deletion', async () => {
    setUp(['a = one', 'b = two']);
    const { version } = workspace.info('a');
    const change = written('a');
    expect(read(change)).toBe('one');
    expect(workspace.readKept(change, { maxBytes: 3 }).version).toBe(version);
    expect(read(await deleted('b'))).toBe('two');
  });

  it('is refused where the file is too large, no regular file, or not kept', async () => {
    setUp(['a = four', 'd/f = x', 'l => a']);
    const change = written('a');
    expect(await failure(change, 3)).toBe('too_large');
    expect(await failure(await deleted('d'))).toBe('not_regular');
    expect(await failure({ path: 'a' })).toBe('not_found');
    expect(await failure({ path: 'a', trash: '../workspace/a' })).toBe('not_found');
    rmSync(join(trashDir(), change.trash as string));
    expect(await failure(change)).toBe('not_found');
  });

  it('does not follow a link in the trash', async () => {
    setUp(['a = one', 'l => a']);
    const change = await deleted('l');
    expect(await failure(change)).toBe('io');
    const { trash = '' } = written('a');
    rmSync(join(trashDir(), trash));
    symlinkSync(join(scratch.base, 'outside'), join(trashDir(), trash));
    expect(await failure({ path: 'a', trash })).toBe('io');
  });

  it('is refused for paths that callers cannot read', async () => {
    setUp(['a = one', 'd/f = secret']);
    const change = written('a');
    const inDir = written('d/f');
    expect(await failure({ ...change, path: '.env' })).toBe('denied');
    expect(await failure({ ...change, path: '../a' })).toBe('outside');
    renameSync(join(scratch.workspace, 'd'), join(scratch.base, 'moved'));
    symlinkSync(join(scratch.base, 'moved'), join(scratch.workspace, 'd'));
    expect(await failure(inDir)).toBe('link_outside');
    expect(read({ ...change, path: 'gone/too' })).toBe('one');
  });

  it('is read in the workspace of the change, and not through mounts', async () => {
    setUp(['a = one']);
    const change = written('a');
    const other = makeScratch(['b']);
    writeFileSync(join(other.workspace, 'b'), 'x');
    const mounted = openWorkspace(other.workspace);
    const tree = mountInto(workspace, [{ name: 'm', workspace: mounted }]);
    expect((await failureOf(() => tree.readKept(change, { maxBytes: 9 }))).code).toBe('invalid');
    mounted.close();
    other.remove();
  });
});
