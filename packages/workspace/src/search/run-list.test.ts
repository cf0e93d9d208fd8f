import { utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { makeScratch, type Scratch } from '../testing.ts';
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
