import { lstatSync, readdirSync, utimesSync } from 'node:fs';
import { expect, it } from 'vitest';
import { type Enclosure, openAmbientRoot } from '../enclosure.ts';
import { useEnclosures } from '../use-enclosures.ts';
import { useWorkspaces } from '../use-workspaces.ts';
import { listDir } from './list-dir.ts';

const open = useWorkspaces();
const enclose = useEnclosures();
const LINES = ['z/', 'a/', 'b = four', 'B', 'l => a', '.env', '.ssh/key', '.croft-tmp-1', 'cache/x'];

it('shows directories first, each group by name, without protected, ignored and temporary names', () => {
  const { workspace } = open(LINES, { ignoreNames: ['cache'] });
  const { entries, total } = workspace.list('');
  expect(entries.map(({ name, type }) => `${name} ${type}`)).toEqual([
    'a directory',
    'z directory',
    'B file',
    'b file',
    'l link',
  ]);
  expect(total).toBe(5);
});

it('shows protected names where the operator switches the list off', () => {
  const names = open(LINES, { denyList: false })
    .workspace.list('')
    .entries.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['.env', '.ssh']));
  expect(names).not.toContain('.croft-tmp-1');
});

it('leaves out masked names, and the base directory by any name', () => {
  const lines = ['d/hidden', 'd/shown', 'd/deep/hidden', 'hidden', 'base/'];
  const namesOf = (enclosure: Enclosure, path: string) => {
    const { entries, total } = listDir(enclosure, path);
    expect(total).toBe(entries.length);
    return entries.map(({ name }) => name);
  };
  const { enclosure, at } = enclose(lines, ({ workspace }) => ({
    masks: [`${workspace}/d/hidden`],
    base: { isInside: true, is: (stat: { ino: number }) => stat.ino === lstatSync(at('base')).ino } as never,
  }));
  expect([namesOf(enclosure, '.'), namesOf(enclosure, 'd'), namesOf(enclosure, 'd/deep')]).toEqual([
    ['d', 'hidden'],
    ['deep', 'shown'],
    ['hidden'],
  ]);
  const whole = enclose([], { ambient: openAmbientRoot(), masks: ['/proc'] }).enclosure;
  const names = namesOf(whole, '/');
  expect([names.includes('proc'), names.includes('dev')]).toEqual([false, readdirSync('/').includes('dev')]);
});

it('gives a page of the entries, and the number of all', () => {
  const { workspace } = open(['1', '2', '3']);
  const page = (offset?: number, limit?: number) => {
    const { entries, total } = workspace.list('', {
      ...(offset !== undefined && { offset }),
      ...(limit !== undefined && { limit }),
    });
    return `${entries.map(({ name }) => name).join('')}/${total}`;
  };
  expect([page(), page(1), page(1, 1), page(3), page(-1, 2), page(0, 0)]).toEqual([
    '123/3',
    '23/3',
    '2/3',
    '/3',
    '12/3',
    '/3',
  ]);
});

it('adds sizes of files, or sizes and times, only on request', () => {
  const { workspace, at } = open(['d/', 'f = four', 'l => f']);
  for (const name of ['d', 'f']) utimesSync(at(name), 1, 1);
  const modified = '1970-01-01T00:00:01.000Z';
  expect(workspace.list('', { sizes: true }).entries).toEqual([
    { name: 'd', type: 'directory' },
    { name: 'f', type: 'file', sizeBytes: 4 },
    { name: 'l', type: 'link' },
  ]);
  const detailed = workspace.list('', { details: true }).entries;
  expect(detailed.slice(0, 2)).toEqual([
    { name: 'd', type: 'directory', modified },
    { name: 'f', type: 'file', sizeBytes: 4, modified },
  ]);
  // A link has the time of its own, and no size.
  expect(Object.keys(detailed[2] ?? {})).toEqual(['name', 'type', 'modified']);
  expect(workspace.list('').entries[1]).toEqual({ name: 'f', type: 'file' });
});
