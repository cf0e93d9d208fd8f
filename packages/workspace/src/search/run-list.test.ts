import { execFileSync } from 'node:child_process';
import fs, { type Dirent, type readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { makeScratch, type Scratch, withReplaced } from '../testing.ts';
import { runList } from './run-list.ts';
import type { ListRequest } from './search-request.ts';

let scratch: Scratch;
beforeEach(() => {
  scratch = makeScratch(['d/', 'b = four', 'a = two22', 'link => b', '.env', '.croft-tmp-1', 'cache/']);
  for (const [name, time] of [
    ['a', 1],
    ['b', 3],
    ['d', 2],
  ] as const)
    utimesSync(join(scratch.workspace, name), time, time);
});
afterEach(() => scratch.remove());

function list(
  more: Partial<ListRequest> & { readonly parts?: readonly string[]; readonly masks?: readonly string[] } = {},
) {
  const { parts = [], masks = [], ...request } = more;
  return runList(
    { at: scratch.workspace, parts },
    {
      kind: 'list',
      scope: { denyList: true, ignoreNames: ['cache'], masks },
      sort: 'name',
      descending: false,
      after: undefined,
      limit: 10,
      mounted: [],
      ...request,
    } as unknown as ListRequest,
    () => false,
  );
}
const names = (request?: Parameters<typeof list>[0]) =>
  list(request)
    .entries.map(({ name }) => name)
    .join(' ');

it('lists a directory without protected, ignored and temporary names, in order', () => {
  expect(names()).toBe('d a b link');
  expect(names({ descending: true })).toBe('d link b a');
  expect(names({ sort: 'size' })).toBe('d link b a');
  expect(names({ sort: 'modified', descending: true }).startsWith('d')).toBe(true);
  expect(names({ sort: 'modified' })).toMatch(/^d a b/);
});

it('gives a page, its end, and what comes behind it', () => {
  const first = list({ limit: 2 });
  expect(first).toMatchObject({ total: 4, last: { isDirectory: false, name: 'a', key: 0 } });
  expect(names({ limit: 2, after: first.last })).toBe('b link');
  expect(list({ limit: 2, after: first.last })).not.toHaveProperty('last');
  const bySize = list({ sort: 'size', limit: 2 });
  expect(names({ sort: 'size', after: bySize.last })).toBe('b a');
});

it('has the size of files and the time of all', () => {
  const { entries } = list();
  expect(entries.slice(0, 3)).toEqual([
    { name: 'd', type: 'directory', modified: '1970-01-01T00:00:02.000Z' },
    { name: 'a', type: 'file', sizeBytes: 5, modified: '1970-01-01T00:00:01.000Z' },
    { name: 'b', type: 'file', sizeBytes: 4, modified: '1970-01-01T00:00:03.000Z' },
  ]);
  expect(list({ sort: 'size' }).entries).toHaveLength(4);
});

it('shows mounts in the place of what they hide, and no masked name', () => {
  expect(names({ mounted: ['b', 'mine'] })).toBe('b d mine a link');
  expect(list({ mounted: ['mine'] }).entries.find(({ name }) => name === 'mine')).toEqual({
    name: 'mine',
    type: 'directory',
  });
  expect(names({ masks: ['a'] })).toBe('d b link');
  expect(names({ masks: ['x/a'], parts: ['x'] })).toBe('d b link');
});

it('stops when it is cancelled', () => {
  for (let i = 0; i < 5; i++) writeFileSync(join(scratch.workspace, `more-${i}`), '');
  const request = {
    kind: 'list',
    scope: { denyList: true, ignoreNames: [], masks: [] },
    sort: 'name',
    limit: 99,
    mounted: [],
    descending: false,
  };
  const { entries } = runList({ at: scratch.workspace, parts: [] }, request as unknown as ListRequest, () => true);
  expect(entries).toEqual([]);
});

it('orders by size and time with the name as the last word, and has all details then', () => {
  execFileSync('mkfifo', [join(scratch.workspace, 'pipe')]);
  writeFileSync(join(scratch.workspace, 'c'), '5five');
  const time = (name: string) => statSync(join(scratch.workspace, name)).mtime.toISOString();
  expect(list({ sort: 'size', limit: 3 })).toEqual({
    kind: 'list',
    entries: [
      { name: 'd', type: 'directory', modified: '1970-01-01T00:00:02.000Z' },
      { name: 'link', type: 'link', modified: expect.any(String) },
      { name: 'pipe', type: 'other', modified: time('pipe') },
    ],
    total: 6,
    last: { isDirectory: false, key: 0, name: 'pipe' },
  });
  expect(names({ sort: 'size' })).toBe('d link pipe b a c');
  const last = (sort: 'size' | 'modified') =>
    list({ sort, limit: 2, after: { isDirectory: false, key: 0, name: 'z' } });
  expect([last('size').last, last('modified').entries.map(({ name }) => name)]).toEqual([
    { isDirectory: false, key: 5, name: 'a' },
    ['a', 'b'],
  ]);
  expect(list({ sort: 'modified', limit: 2 }).last).toEqual({ isDirectory: false, key: 1_000, name: 'a' });
});

it('has the size of the page that is asked for, and an end only where more entries follow', () => {
  expect(list({ limit: 4 })).toEqual({ kind: 'list', entries: list().entries, total: 4 });
  expect(list({ limit: 3 }).last).toEqual({ isDirectory: false, key: 0, name: 'b' });
  expect(list({ limit: 0 })).toEqual({ kind: 'list', entries: [], total: 4 });
});

it('has no details of a mount, and whole milliseconds of a time', () => {
  expect(list({ mounted: ['d'], limit: 1 }).entries).toEqual([{ name: 'd', type: 'directory' }]);
  utimesSync(join(scratch.workspace, 'a'), 1, 1.000_9);
  expect(list({ sort: 'modified', limit: 2 }).last).toEqual({ isDirectory: false, key: 1_000, name: 'a' });
});

it('leaves out the base directory of Croft, whatever its name', () => {
  const { dev, ino } = statSync(join(scratch.workspace, 'd'));
  const scope = (base: object) => ({ denyList: true, ignoreNames: ['cache'], masks: [], base }) as never;
  expect(names({ scope: scope({ dev, ino }) })).toBe('a b link');
  expect(names({ scope: scope({ dev, ino: ino + 1 }) })).toBe('d a b link');
});

it('asks after each 1,024 names whether it is cancelled', async () => {
  const entries = Array.from({ length: 2_049 }, (_, n) => ({
    name: `f${n}`,
    isFile: () => true,
    isDirectory: () => false,
  })) as Dirent[];
  const request = { kind: 'list', scope: { denyList: true, ignoreNames: [], masks: [] }, sort: 'name', mounted: [] };
  let asked = 0;
  const totals = await withReplaced(fs, { readdirSync: (() => entries) as unknown as typeof readdirSync }, () =>
    [1, 2, 3, 4].map((stopAt) => {
      asked = 0;
      const place = { at: scratch.workspace, parts: [] };
      return runList(place, { ...request, limit: 0 } as unknown as ListRequest, () => ++asked === stopAt).total;
    }),
  );
  expect(totals).toEqual([0, 1_024, 2_048, 2_049]);
  expect(asked).toBe(3);
});
