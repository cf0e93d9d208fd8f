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
    const entries = ['first', 'second'].map((name) => ({ name, type: 'directory' }));
    expect(page).toEqual({ entries, total: 2 });
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

it('refuse a place at the top in words, and name their mounts', async () => {
  const list = 'Paths begin with one of: first, second';
  const message = async (act: () => unknown) => (await failureOf(act)).message;
  expect([
    await message(() => both.info('.')),
    await message(() => both.info('../x')),
    await message(() => both.info('/etc/passwd')),
    await message(() => both.info('x')),
    await message(() => both.list('first/gone')),
    await message(() => both.tree('first/gone', { maxDepth: 1, maxEntries: 9 })),
    await message(() => both.listPage('first/gone', { sort: 'name', descending: false, limit: 9 })),
  ]).toEqual([
    `This is the list of workspaces, not a place in one. ${list}`,
    'Path escapes workspace boundary: ../x',
    'Path escapes workspace boundary: /etc/passwd',
    `File not found: x. ${list}`,
    expect.stringContaining('first/gone'),
    expect.stringContaining('first/gone'),
    expect.stringContaining('first/gone'),
  ]);
});

it('list their names whatever the order of the mounts, and the entries of one', async () => {
  const mounts = ['b', 'a'].map((name, i) => ({ name, workspace: parts[i] as Workspace }));
  const reversed = mountWorkspaces(mounts);
  const entries = ['a', 'b'].map((name) => ({ name, type: 'directory' }));
  const page = { sort: 'name', descending: false, limit: 9 } as const;
  expect([reversed.list('.'), await reversed.listPage('', page)]).toEqual([
    { entries, total: 2 },
    { entries, total: 2 },
  ]);
  expect(reversed.list('.', { offset: -1, limit: 1 })).toEqual({ entries: entries.slice(0, 1), total: 2 });
  expect((await reversed.listPage('b', page)).entries.map(({ name }) => name)).toEqual(['d', 'a.txt']);
  expect(reversed.tree('b/d', { maxDepth: 5, maxEntries: 9 }).entries.map(({ path }) => path)).toEqual(['b.txt']);
});

it('have the smallest trash, and wait for and count all of them', async () => {
  const done: string[] = [];
  const mount = (name: string, bytes: number | undefined) => ({
    name,
    workspace: {
      ...(parts[0] as Workspace),
      root: name,
      trashBytes: () => bytes,
      recount: () => void done.push(`recount ${name}`),
      settled: async () => void done.push(`settled ${name}`),
      close: () => void done.push(`close ${name}`),
    },
  });
  const all = mountWorkspaces([mount('a', 7), mount('b', undefined), mount('c', 5)]);
  expect([all.trashBytes(), all.root]).toEqual([5, 'a, b, c']);
  all.recount();
  await all.settled();
  all.close();
  expect(done).toEqual(
    ['recount', 'settled', 'close'].flatMap((act) => ['a', 'b', 'c'].map((name) => `${act} ${name}`)),
  );
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
