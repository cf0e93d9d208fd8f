import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { codeOf, makeScratch, type Scratch } from './testing.ts';
import { openWorkspace, type Workspace, type WorkspaceOptions } from './workspace.ts';

let scratch: Scratch;
let opened: Workspace[];

beforeEach(() => {
  scratch = makeScratch(['in/root/a.txt = one', 'in/root/d/']);
  opened = [];
});
afterEach(() => {
  for (const workspace of opened) workspace.close();
  scratch.remove();
});

const host = (path: string) => join(scratch.workspace, path);

function open(path: string, options: WorkspaceOptions = {}): Workspace {
  const workspace = openWorkspace(host(path), options);
  opened.push(workspace);
  return workspace;
}

const MUTATIONS: readonly [string, (workspace: Workspace) => unknown][] = [
  ['write', (workspace) => workspace.write('a.txt', 'two')],
  ['append', (workspace) => workspace.append('a.txt', 'two')],
  ['edit', (workspace) => workspace.edit('a.txt', [{ oldString: 'one', newString: 'two' }])],
  ['createDir', (workspace) => workspace.createDir('new')],
  ['copy', (workspace) => workspace.copy('a.txt', 'b.txt')],
  ['move', (workspace) => workspace.move('a.txt', 'b.txt')],
  ['delete', (workspace) => workspace.delete('a.txt')],
];
const READS: readonly [string, (workspace: Workspace) => unknown][] = [
  ['readText', (workspace) => workspace.readText('a.txt')],
  ['list', (workspace) => workspace.list('.')],
  ['glob', (workspace) => workspace.glob('*')],
];

/** Each takes the root away from its path without removing it. */
const DISPLACEMENTS: readonly [string, () => string][] = [
  ['was renamed', () => (renameSync(host('in/root'), host('in/else')), host('in/else'))],
  ['lies in a directory that was renamed', () => (renameSync(host('in'), host('else')), host('else/root'))],
  [
    'was exchanged with another directory',
    () => {
      renameSync(host('in/root'), host('in/else'));
      mkdirSync(host('in/root'));
      return host('in/else');
    },
  ],
  [
    'was exchanged with a link to itself',
    () => {
      renameSync(host('in/root'), host('in/else'));
      symlinkSync(host('in/else'), host('in/root'));
      return host('in/else');
    },
  ],
];

describe.each(['openat2', 'walk'] as const)('a root (%s)', (resolver) => {
  it.each(DISPLACEMENTS)('that %s is unavailable, and nothing is written in it', async (_, displace) => {
    const workspace = open('in/root', { resolver });
    const now = displace();
    for (const [name, act] of [...MUTATIONS, ...READS])
      expect(await codeOf(() => act(workspace)), name).toBe('unavailable');
    expect(readdirSync(now).sort()).toEqual(['a.txt', 'd']);
    expect(readFileSync(join(now, 'a.txt'), 'utf8')).toBe('one');
  });

  it('works again when it is back in its place', async () => {
    const workspace = open('in/root', { resolver });
    renameSync(host('in'), host('else'));
    expect(await codeOf(() => workspace.write('a.txt', 'two'))).toBe('unavailable');
    renameSync(host('else'), host('in'));
    expect(workspace.write('a.txt', 'two').status).toBe('updated');
  });

  it('that was removed is not opened again through a link in its place', async () => {
    const workspace = open('in/root', { resolver });
    rmSync(host('in/root'), { recursive: true });
    symlinkSync(scratch.outside, host('in/root'));
    expect(await codeOf(() => workspace.write('new.txt', 'x'))).toBe('unavailable');
    expect(existsSync(join(scratch.outside, 'new.txt'))).toBe(false);
  });
});

it('a root in another server’s trash is not written', async () => {
  const trashDir = join(scratch.base, 'trash');
  mkdirSync(trashDir);
  const inner = open('in/root');
  inner.write('kept.txt', 'x');
  // Another process knows nothing of this one's roots: its rename is what arrives here.
  renameSync(host('in'), join(trashDir, 'entry'));
  expect(await codeOf(() => inner.write('kept.txt', 'y'))).toBe('unavailable');
  expect(readFileSync(join(trashDir, 'entry/root/kept.txt'), 'utf8')).toBe('x');
});

it('a root served by this process is neither deleted nor moved, nor is a directory that holds it', async () => {
  const outer = open('.');
  const inner = open('in/root');
  for (const path of ['in/root', 'in']) {
    expect(await codeOf(() => outer.delete(path, { recursive: true })), path).toBe('denied');
    expect(await codeOf(() => outer.move(path, 'else')), path).toBe('denied');
  }
  writeFileSync(host('in/rooted'), '');
  expect((await outer.delete('in/rooted')).type).toBe('file');
  inner.close();
  expect((await outer.delete('in/root', { recursive: true })).type).toBe('directory');
});
