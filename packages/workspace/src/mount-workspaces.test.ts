import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { mountWorkspaces, treeOfAll } from './mount-workspaces.ts';
import { closeSearchWorkers } from './search/worker-pool.ts';
import { codeOf, failureOf, makeScratch, type Scratch } from './testing.ts';
import { openWorkspace, type Workspace } from './workspace.ts';

let scratches: Scratch[];
let parts: Workspace[];
let both: Workspace;
beforeEach(() => {
  scratches = [makeScratch(['a.txt = one', 'd/b.txt = two']), makeScratch(['a.txt = three'])];
  parts = scratches.map(({ workspace }, i) => openWorkspace(workspace, { readOnly: i === 1 }));
  both = mountWorkspaces([
    { name: 'first', workspace: parts[0] as Workspace },
    { name: 'second', workspace: parts[1] as Workspace },
  ]);
});
afterEach(() => {
  both.close();
  for (const each of scratches) each.remove();
});
afterAll(() => closeSearchWorkers());
const host = (i: number, name: string) => join((scratches[i] as Scratch).workspace, name);
const text = async (path: string) => (await both.readWhole(path)).text;

describe('several workspaces as one', () => {
  it('have each path in the workspace that it names, in every spelling', async () => {
    const paths = ['first/a.txt', './first//d/../a.txt', host(0, 'a.txt'), 'second/a.txt'];
    expect(await Promise.all(paths.map(text))).toEqual(['one', 'one', 'one', 'three']);
    both.write('first/new/c.txt', 'x');
    expect(readFileSync(host(0, 'new/c.txt'), 'utf8')).toBe('x');
  });

  it('have nothing at the top but their names', async () => {
    const codes = ['no/x', 'a.txt', '..', '../x', '/etc/passwd', '', '.'].map((path) => codeOf(() => both.info(path)));
    expect(await Promise.all(codes)).toEqual([
      'not_found',
      'not_found',
      'outside',
      'outside',
      'outside',
      'is_directory',
      'is_directory',
    ]);
    expect((await failureOf(() => both.info('no/x'))).message).toBe(
      'File not found: no/x. Paths begin with one of: first, second',
    );
    expect(await codeOf(() => both.info('first/../second/a.txt'))).toBe('outside');
  });

  it('name the paths in messages as the caller wrote them', async () => {
    expect((await failureOf(() => both.info('first/gone'))).message).toBe('File not found: first/gone');
    expect((await failureOf(() => both.write('second/x', 'x'))).message).toBe('second/ is read-only');
    expect((await failureOf(() => both.move('first/a.txt', 'second/a.txt'))).message).toMatch(
      /^Cannot move or copy between first and second/,
    );
    expect(existsSync(host(0, 'a.txt'))).toBe(true);
  });

  it('can be listed, a page at a time', async () => {
    const names = (path: string, options?: object) =>
      both
        .list(path, options)
        .entries.map(({ name }) => name)
        .join(' ');
    expect([names(''), names('.', { offset: 1 }), names('.', { limit: 1 }), names('first')]).toEqual([
      'first second',
      'second',
      'first',
      'd a.txt',
    ]);
    expect(both.list('', { limit: 1 }).total).toBe(2);
    const page = await both.listPage('', { sort: 'name', descending: false, limit: 9 });
    expect([page.entries.length, page.total]).toEqual([2, 2]);
  });

  it('can be searched and drawn', async () => {
    expect((await both.glob('**/*.txt')).matches).toEqual(['first/a.txt', 'first/d/b.txt', 'second/a.txt']);
    expect((await both.grep({ pattern: 'three' })).matches).toEqual([{ path: 'second/a.txt' }]);
    const paths = both.tree('.', { maxDepth: 5, maxEntries: 50 }).entries.map(({ path, depth }) => `${path}:${depth}`);
    expect(paths).toEqual(['first:1', 'first/d:2', 'first/d/b.txt:3', 'first/a.txt:2', 'second:1', 'second/a.txt:2']);
  });

  it('count together, and close together', async () => {
    expect(await both.usage()).toEqual({ bytes: 11, files: 3 });
    expect(both.trashBytes()).toBeUndefined();
    expect(both.root).toBe(parts.map(({ root }) => root).join(', '));
    both.close();
    expect(await codeOf(() => parts[0]?.list('.'))).toBe('unavailable');
  });
});

it('draws a tree within its bounds, and says what is missing', () => {
  const mounts = [
    { name: 'first', workspace: parts[0] as Workspace },
    { name: 'second', workspace: parts[1] as Workspace },
  ];
  const draw = (maxDepth: number, maxEntries: number) => {
    const { entries, truncated } = treeOfAll(mounts, { maxDepth, maxEntries });
    return [entries.map(({ path }) => path).join(' '), truncated];
  };
  expect(draw(1, 9)).toEqual(['first second', false]);
  expect(draw(2, 9)).toEqual(['first first/d first/a.txt second second/a.txt', false]);
  expect(draw(1, 1)).toEqual(['first', true]);
  expect(draw(3, 3)).toEqual(['first first/d first/d/b.txt', true]);
});
