import { mkdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { mountInto } from '../mount-into.ts';
import { closeSearchWorkers } from '../search/worker-pool.ts';
import { failureOf, makeScratch, memoryDir, type Scratch } from '../testing.ts';
import { openWorkspace, type Workspace, type WorkspaceOptions } from '../workspace.ts';
import type { ListPageOptions } from './list-page.ts';

let scratch: Scratch;
let opened: Workspace[] = [];
afterEach(() => {
  for (const workspace of opened.splice(0)) workspace.close();
  scratch.remove();
});
afterAll(closeSearchWorkers);

function setUp(lines: readonly string[] = [], options: WorkspaceOptions = {}): Workspace {
  scratch = makeScratch(lines, undefined, memoryDir());
  return open('', options);
}

function open(dir: string, options: WorkspaceOptions = {}): Workspace {
  const workspace = openWorkspace(join(scratch.workspace, dir), options);
  opened.push(workspace);
  return workspace;
}

/** The names of all pages, and how many pages there were. */
async function pagesOf(workspace: Workspace, path: string, options: ListPageOptions): Promise<[string[], number]> {
  const names: string[] = [];
  let cursor: string | undefined;
  for (let pages = 1; ; pages++) {
    const page = await workspace.listPage(path, { ...options, cursor });
    names.push(...page.entries.map(({ name }) => name));
    if (page.next === undefined) return [names, pages];
    cursor = page.next;
  }
}

describe.each([false, true])('a page of a directory (in a search thread: %s)', (inThread) => {
  it('has details, and the order that was asked for', async () => {
    const workspace = setUp(['b2 = 22', 'b10 = 1', 'A = 333', 'dir/x', 'link => b2']);
    for (const [name, day] of [
      ['b2', 3],
      ['b10', 1],
      ['A', 2],
    ] as const)
      utimesSync(join(scratch.workspace, name), day * 86_400, day * 86_400);
    const { entries, total, next } = await workspace.listPage('.', { inThread });
    expect(entries.map(({ name, type, sizeBytes }) => [name, type, sizeBytes])).toEqual([
      ['dir', 'directory', undefined],
      ['A', 'file', 3],
      ['b2', 'file', 2],
      ['b10', 'file', 1],
      ['link', 'link', undefined],
    ]);
    expect(entries[1]?.modified).toBe('1970-01-03T00:00:00.000Z');
    expect([total, next]).toEqual([5, undefined]);
    const names = async (options: ListPageOptions) =>
      (await workspace.listPage('.', { inThread, ...options })).entries.map(({ name }) => name);
    expect(await names({ descending: true })).toEqual(['dir', 'link', 'b10', 'b2', 'A']);
    expect(await names({ sort: 'size' })).toEqual(['dir', 'link', 'b10', 'b2', 'A']);
    expect(await names({ sort: 'size', descending: true })).toEqual(['dir', 'A', 'b2', 'b10', 'link']);
    expect((await names({ sort: 'modified' })).slice(0, 4)).toEqual(['dir', 'b10', 'A', 'b2']);
  });

  it('continues where the last one ended, whatever was added or removed meanwhile', async () => {
    const workspace = setUp(Array.from({ length: 40 }, (_, i) => `f${i} = ${'x'.repeat(i % 7)}`));
    for (const sort of ['name', 'size', 'modified'] as const) {
      const whole = (await workspace.listPage('.', { sort, inThread })).entries.map(({ name }) => name);
      expect(await pagesOf(workspace, '.', { sort, inThread, limit: 7 })).toEqual([whole, 6]);
    }
    const first = await workspace.listPage('.', { limit: 10, inThread });
    rmSync(join(scratch.workspace, 'f9'));
    writeFileSync(join(scratch.workspace, 'f10a'), '');
    writeFileSync(join(scratch.workspace, 'f0a'), '');
    const second = await workspace.listPage('.', { limit: 3, inThread, cursor: first.next });
    expect(second.entries.map(({ name }) => name)).toEqual(['f10', 'f10a', 'f11']);
    expect(second.total).toBe(41);
  });

  it('refuses a cursor of another order', async () => {
    const workspace = setUp(['a', 'b']);
    const { next } = await workspace.listPage('.', { limit: 1, inThread });
    for (const options of [
      { cursor: 'x' },
      { cursor: next, descending: true },
      { cursor: next, sort: 'size' },
    ] as const)
      expect((await failureOf(() => workspace.listPage('.', { ...options, inThread }))).code).toBe('invalid');
  });

  it('leaves out what every listing leaves out', async () => {
    const workspace = setUp(['a', '.env', '.git/x', '.lfsig/x', 'skip', 'home/.croft/token', 'home/f'], {
      ignoreNames: ['skip'],
    });
    expect((await pagesOf(workspace, '.', { inThread, limit: 1 }))[0]).toEqual(['home', 'a']);
    const masked = openWorkspace(scratch.workspace, { baseDir: join(scratch.workspace, 'home/.croft') });
    opened.push(masked);
    expect((await masked.listPage('home', { inThread })).entries.map(({ name }) => name)).toEqual(['f']);
    renameSync(join(scratch.workspace, 'home/.croft'), join(scratch.workspace, 'home/moved'));
    expect((await masked.listPage('home', { inThread })).entries.map(({ name }) => name)).toEqual(['f']);
  });

  it('is refused as every listing is', async () => {
    const workspace = setUp(['f', 'out => $OUT']);
    for (const path of ['f', 'gone', '../x', 'out', '.git', '/etc']) {
      const listed = await failureOf(async () => workspace.list(path));
      const error = await failureOf(() => workspace.listPage(path, { inThread }));
      expect([error.code, error.message]).toEqual([listed.code, listed.message]);
    }
  });

  it('shows mounts in the place of entries of their names', async () => {
    const top = setUp(['mine = hidden', 'other/mine', 'z/']);
    const tree = mountInto(top, [{ name: 'mine', workspace: open('other') }]);
    expect(await pagesOf(tree, '.', { inThread, limit: 2 })).toEqual([['mine', 'other', 'z'], 2]);
    expect((await tree.listPage('mine', { inThread })).entries.map(({ name }) => name)).toEqual(['mine']);
  });
});

it('a large directory is listed in a thread: other work goes on', async () => {
  const workspace = setUp(['d/']);
  for (let i = 0; i < 5_000; i++) writeFileSync(join(scratch.workspace, `d/f${i}`), '');
  await workspace.listPage('d', { inThread: true, limit: 1 });
  let turns = 0;
  const counting = setInterval(() => turns++, 1);
  const { entries, total } = await workspace.listPage('d', { sort: 'size', limit: 2_000 });
  clearInterval(counting);
  expect([entries.length, total]).toEqual([2_000, 5_000]);
  expect(turns).toBeGreaterThan(0);
});

it('a directory that was replaced by a link is not listed', async () => {
  const workspace = setUp(['d/x']);
  mkdirSync(join(scratch.workspace, 'e'));
  rmSync(join(scratch.workspace, 'd'), { recursive: true });
  symlinkSync(scratch.outside, join(scratch.workspace, 'd'));
  for (const inThread of [false, true])
    expect((await failureOf(() => workspace.listPage('d', { inThread }))).code).toBe('link_outside');
});
