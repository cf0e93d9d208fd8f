import { existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isHiddenByMount, mountInto } from './mount-into.ts';
import { closeSearchWorkers } from './search/worker-pool.ts';
import { failureOf, makeScratch, type Scratch } from './testing.ts';
import { openWorkspace, type Workspace } from './workspace.ts';

let around: Scratch;
let inner: Scratch;
let top: Workspace;
let mine: Workspace;
let tree: Workspace;

beforeEach(() => {
  around = makeScratch(['mine/hidden.txt = word', 'docs/a.md = word', 'zoo/z.md = z', 'root.txt = word']);
  inner = makeScratch(['own/b.md = word', 'own.txt = mine']);
  top = openWorkspace(around.workspace);
  mine = openWorkspace(inner.workspace);
  tree = mountInto(top, [{ name: 'mine', workspace: mine }]);
});
afterEach(() => {
  top.close();
  mine.close();
  around.remove();
  inner.remove();
});
afterAll(() => closeSearchWorkers());

const read = (path: string) => tree.readBytes(path).then(({ bytes }) => bytes.toString());
describe('a workspace mounted into another', () => {
  it('is reached by its name in every spelling, and hides a real directory of that name', async () => {
    for (const path of ['mine/own.txt', './mine//own.txt', 'docs/../mine/own.txt', join(inner.workspace, 'own.txt')])
      expect(await read(path), path).toBe('mine');
    expect(await read(join(around.workspace, 'mine/own.txt'))).toBe('mine');
    expect((await failureOf(() => read('mine/hidden.txt'))).message).toBe('File not found: mine/hidden.txt');
    expect(isHiddenByMount(top, 'mine')).toBe(true);
    expect(isHiddenByMount(top, 'other')).toBe(false);
    expect(await read('root.txt')).toBe('word');
  });

  it('takes writes below its name, and nothing reaches the hidden directory', async () => {
    tree.write('mine/new.txt', 'x');
    tree.createDir('mine/sub');
    tree.move('mine/new.txt', 'mine/sub/new.txt');
    expect(readFileSync(join(inner.workspace, 'sub/new.txt'), 'utf8')).toBe('x');
    await tree.delete('mine/own.txt');
    expect(existsSync(join(inner.workspace, 'own.txt'))).toBe(false);
    expect(existsSync(join(around.workspace, 'mine/sub'))).toBe(false);
    tree.write('docs/new.md', 'y');
    expect(readFileSync(join(around.workspace, 'docs/new.md'), 'utf8')).toBe('y');
  });

  it('refuses every change in the hidden directory through a link to it, which can be read, moved and deleted', async () => {
    symlinkSync('mine', join(around.workspace, 'link'));
    symlinkSync('mine/hidden.txt', join(around.workspace, 'to-file'));
    const one = async function* () {
      yield Buffer.from('x');
    };
    const changes: Record<string, () => unknown> = {
      write: () => tree.write('link/new.txt', 'x'),
      overwrite: () => tree.write('to-file', 'x'),
      receive: () => tree.receive('link/new.txt', one(), { maxBytes: 10 }),
      append: () => tree.append('to-file', 'x'),
      edit: () => tree.edit('link/hidden.txt', [{ oldString: 'word', newString: 'x' }] as never),
      createDir: () => tree.createDir('link/sub'),
      moveIn: () => tree.move('root.txt', 'link/root.txt'),
      moveOut: () => tree.move('link/hidden.txt', 'out.txt'),
      copy: () => tree.copy('root.txt', 'link/root.txt'),
      delete: () => tree.delete('link/hidden.txt'),
      deleteAll: () => tree.deleteAll(['root.txt', 'link/hidden.txt']),
    };
    for (const [name, act] of Object.entries(changes)) expect((await failureOf(act)).code, name).toBe('mounted');
    expect(readdirSync(join(around.workspace, 'mine'))).toEqual(['hidden.txt']);
    expect(await read('link/hidden.txt')).toBe('word');
    tree.move('link', 'moved');
    await tree.delete('moved');
    await tree.delete('to-file');
    expect(readFileSync(join(around.workspace, 'mine/hidden.txt'), 'utf8')).toBe('word');
  });

  it('cannot be left, moved or deleted, and nothing moves between the two', async () => {
    for (const path of ['mine/../..', 'mine/../../x', '..', '/etc/passwd', join(inner.outside, 'secret.txt')])
      expect((await failureOf(() => read(path))).code, path).toBe('outside');
    await failureOf(() => tree.delete('mine', { recursive: true }));
    await failureOf(() => tree.move('mine', 'other'));
    const crossing = await failureOf(() => tree.move('root.txt', 'mine/root.txt'));
    expect(crossing.message).toBe('Cannot move or copy between the files around it and mine; read and write instead');
    expect([existsSync(inner.workspace), existsSync(join(around.workspace, 'root.txt'))]).toEqual([true, true]);
    expect(tree.createDir('mine').created).toBe(false);
  });

  it('is listed once, in its place, on every page', () => {
    const names = (options: object) => tree.list('.', options).entries.map(({ name }) => name);
    expect(names({})).toEqual(['docs', 'mine', 'zoo', 'root.txt']);
    const { entries, total } = tree.list('', { details: true });
    expect(total).toBe(4);
    expect(entries.find(({ name }) => name === 'root.txt')).toMatchObject({ sizeBytes: 4 });
    expect(entries.find(({ name }) => name === 'mine')).toEqual({ name: 'mine', type: 'directory' });
    const pages = [0, 1, 2, 3].flatMap((offset) => tree.list('.', { offset, limit: 1, details: true }).entries);
    expect(pages).toEqual(entries);
    expect(tree.list('mine').entries.map(({ name }) => name)).toEqual(['own', 'own.txt']);
  });

  it('is drawn, found and searched in place of the directory it hides', async () => {
    const drawn = tree.tree('.', { maxDepth: 2, maxEntries: 100 }).entries.map(({ path }) => path);
    expect(drawn).toEqual(['docs', 'docs/a.md', 'mine', 'mine/own', 'mine/own.txt', 'zoo', 'zoo/z.md', 'root.txt']);
    expect((await tree.glob('**/*')).matches).toEqual([
      'docs',
      'docs/a.md',
      'mine',
      'mine/own',
      'mine/own.txt',
      'mine/own/b.md',
      'root.txt',
      'zoo',
      'zoo/z.md',
    ]);
    expect((await tree.glob('mine/*.txt')).matches).toEqual(['mine/own.txt']);
    expect((await tree.glob('*.md', { path: 'mine/own' })).matches).toEqual(['mine/own/b.md']);
    const grep = async (options: object) =>
      (await tree.grep({ pattern: 'word', outputMode: 'content', ...options })).matches.map(({ path }) => path);
    expect(await grep({})).toEqual(['docs/a.md', 'root.txt', 'mine/own/b.md']);
    expect(await grep({ path: 'mine' })).toEqual(['mine/own/b.md']);
    expect(await grep({ maxMatches: 2 })).toHaveLength(2);
    expect(tree.locate('mine/own.txt')).toMatchObject({ inside: true, path: 'mine/own.txt', exists: true });
  });
});
