import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { failureOf, makeScratch, type Scratch } from './testing.ts';
import { openWorkspace, type Workspace, type WorkspaceOptions } from './workspace.ts';

let scratch: Scratch;
let opened: Workspace | undefined;
afterEach(() => {
  opened?.close();
  opened = undefined;
  scratch.remove();
});

function openBelow(subPath: string, options: WorkspaceOptions = {}): Workspace {
  opened?.close();
  opened = openWorkspace(scratch.workspace, { ...options, subPath });
  return opened;
}

it('is the root of its own: paths begin in it and cannot leave it', async () => {
  scratch = makeScratch(['sub/f = inner', 'f = outer', 'sub/up => ../f']);
  for (const subPath of ['sub', ' sub ', '/sub', '/ sub', '\\sub', './sub/']) {
    const workspace = openBelow(subPath);
    expect((await workspace.readBytes('f')).bytes.toString(), subPath).toBe('inner');
    expect(workspace.root, subPath).toBe(join(scratch.workspace, 'sub'));
    expect((await failureOf(() => workspace.readText('../f'))).code, subPath).toBe('outside');
    expect((await failureOf(() => workspace.readText('up'))).code, subPath).toBe('link_outside');
  }
});

it('is the directory itself for an empty sub-path', async () => {
  scratch = makeScratch(['f = outer']);
  for (const subPath of [' ', '/']) expect((await openBelow(subPath).readBytes('f')).bytes.toString()).toBe('outer');
});

it('does not lead outside, by dots or by a link, and says which sub-path was written', async () => {
  scratch = makeScratch(['out => $OUT', 'a/']);
  for (const subPath of ['..', 'a/../../outside', 'out', 'out/new']) {
    const failure = await failureOf(() => openBelow(subPath));
    expect([failure.code, failure.message]).toEqual(['outside', `Path escapes workspace boundary: ${subPath}`]);
  }
  expect(existsSync(join(scratch.outside, 'new'))).toBe(false);
});

it('cannot be a protected directory unless the operator switches the list off', async () => {
  scratch = makeScratch(['.ssh/config = KEY', 'mine/']);
  expect((await failureOf(() => openBelow('.ssh'))).code).toBe('denied');
  expect((await failureOf(() => openBelow('mine', { denyList: ['mine'] }))).code).toBe('denied');
  expect((await openBelow('.ssh', { denyList: false }).readBytes('config')).bytes.toString()).toBe('KEY');
});

it('is made when it is missing, but not by a read-only workspace and not in place of a file', async () => {
  scratch = makeScratch(['f = text']);
  expect((await failureOf(() => openBelow('new', { readOnly: true }))).code).toBe('not_found');
  expect(existsSync(join(scratch.workspace, 'new'))).toBe(false);
  openBelow('new/deep').write('f', 'made');
  expect(readFileSync(join(scratch.workspace, 'new/deep/f'), 'utf8')).toBe('made');
  expect((await failureOf(() => openBelow('f'))).code).toBe('not_directory');
});

it('opens a directory that replaced the old one, but not a link in its place', async () => {
  scratch = makeScratch(['sub/f = old']);
  const workspace = openBelow('sub');
  const at = join(scratch.workspace, 'sub');
  rmSync(at, { recursive: true });
  mkdirSync(at);
  workspace.write('f', 'new');
  expect(readFileSync(join(at, 'f'), 'utf8')).toBe('new');
  rmSync(at, { recursive: true });
  symlinkSync(scratch.outside, at);
  expect((await failureOf(() => workspace.write('f', 'x'))).code).toMatch(/unavailable|outside/);
  expect(existsSync(join(scratch.outside, 'f'))).toBe(false);
});
