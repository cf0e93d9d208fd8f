import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openWorkspace, type Workspace, WorkspaceError } from '@croft/workspace';
import { makeScratch, type Scratch } from '@croft/workspace/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { testDir } from '../../../../tests/support/temp-dir.ts';
import { type Activity, openActivity } from './activity-log.ts';
import { openRecordedPart } from './recorded-part.ts';
import type { FlowRecords } from './recorded-workspace.ts';
import { selectUndo, undoEntries } from './undo.ts';

const ACTOR = { userId: null, via: 'cli', client: null } as const;

let scratch: Scratch;
let whole: Workspace;
let activity: Activity;
let parts: Workspace[];
const records: FlowRecords = {
  begin: (path) => activity.begin({ tool: 'flow', actor: ACTOR, started: Date.now(), paths: () => [path] }),
  onError: (error) => {
    throw error;
  },
};
beforeEach(() => {
  scratch = makeScratch(['docs/a.md = before', 'secret.txt = secret']);
  activity = openActivity(testDir(), scratch.workspace);
  whole = openWorkspace(scratch.workspace, { trashDir: activity.trashDir });
  parts = [];
});
afterEach(() => {
  for (const each of [...parts, whole, activity]) each.close();
  scratch.remove();
});

const at = (path: string) => join(scratch.workspace, path);
const text = (path: string) => readFileSync(at(path), 'utf8');
function open(subPath: string, readOnly = false): Workspace {
  const part = openRecordedPart(whole, subPath, { readOnly, records, trashDir: activity.trashDir });
  parts.push(part);
  return part;
}
const logged = () =>
  activity.entries().map(({ paths, outcome, changes = [] }) => ({
    paths,
    outcome,
    changes: changes.map(({ kind, path }) => `${kind} ${path}`),
  }));
const undoAll = () => undoEntries(whole, activity, selectUndo(activity.entries(), { count: 100 }), ACTOR);
const codeOf = (act: () => unknown): string => {
  try {
    act();
    return 'done';
  } catch (error) {
    if (error instanceof WorkspaceError) return error.code;
    throw error;
  }
};

it('records the writes of a part by their paths in the whole, which undoes them', async () => {
  const part = open('docs');
  part.write('new/b.md', 'new');
  part.edit('a.md', [{ oldString: 'before', newString: 'edited' }]);
  part.append('a.md', ' and longer');
  part.write('a.md', 'replaced');
  expect(logged()).toEqual([
    { paths: ['docs/new/b.md'], outcome: 'ok', changes: ['mkdir docs/new', 'create docs/new/b.md'] },
    { paths: ['docs/a.md'], outcome: 'ok', changes: ['update docs/a.md'] },
    { paths: ['docs/a.md'], outcome: 'ok', changes: ['append docs/a.md'] },
    { paths: ['docs/a.md'], outcome: 'ok', changes: ['update docs/a.md'] },
  ]);
  expect((await undoAll()).map(({ problem }) => problem)).toEqual([undefined, undefined, undefined, undefined]);
  expect([text('docs/a.md'), existsSync(at('docs/new'))]).toEqual(['before', false]);
});

it('records the directory that it makes for a part', async () => {
  open('out/of flow').write('x', 'text');
  expect(logged().map(({ changes }) => changes)).toEqual([
    ['mkdir out', 'mkdir out/of flow'],
    ['create out/of flow/x'],
  ]);
  for (const part of parts.splice(0)) part.close();
  expect((await undoAll()).every(({ ok }) => ok)).toBe(true);
  expect(existsSync(at('out'))).toBe(false);
});

it('records the real path of a part that a link leads to', async () => {
  symlinkSync('docs', at('link'));
  open('link').write('a.md', 'after');
  expect(logged()).toEqual([{ paths: ['docs/a.md'], outcome: 'ok', changes: ['update docs/a.md'] }]);
  expect((await undoAll()).every(({ ok }) => ok)).toBe(true);
  expect(text('docs/a.md')).toBe('before');
});

it('keeps the paths where the part is the whole workspace', () => {
  open('.').write('x', 'text');
  expect(logged()).toEqual([{ paths: ['x'], outcome: 'ok', changes: ['create x'] }]);
});

it('confines a part to its own directory, and records what it refused', () => {
  const part = open('docs');
  symlinkSync('../secret.txt', at('docs/leads-out'));
  const refused = ['../secret.txt', 'leads-out', at('secret.txt'), 'docs/../../secret.txt'];
  for (const path of refused) {
    expect(
      codeOf(() => part.write(path, 'x')),
      path,
    ).toMatch(/^(outside|link_outside)$/);
    expect(
      codeOf(() => part.edit(path, [{ oldString: 'secret', newString: 'x' }])),
      path,
    ).toMatch(/outside$/);
    expect(
      codeOf(() => part.createDir(`${path}/d`)),
      path,
    ).toMatch(/outside$/);
  }
  expect(text('secret.txt')).toBe('secret');
  const entries = activity.entries();
  expect(entries.filter(({ changes }) => changes !== undefined)).toEqual([]);
  expect(entries.slice(0, 2).map(({ paths }) => paths)).toEqual([['docs/../secret.txt'], ['docs/../secret.txt']]);
  mkdirSync(join(scratch.outside, 'd'), { recursive: true });
  for (const subPath of ['..', '../outside/new', 'docs/../../outside/new'])
    expect(
      codeOf(() => open(subPath)),
      subPath,
    ).toBe('outside');
  expect(existsSync(join(scratch.outside, 'new'))).toBe(false);
});

it('a read-only part changes nothing and makes no directory', () => {
  const part = open('docs', true);
  expect(codeOf(() => part.write('a.md', 'x'))).toBe('read_only');
  expect(codeOf(() => part.edit('a.md', [{ oldString: 'before', newString: 'x' }]))).toBe('read_only');
  expect(codeOf(() => part.createDir('d'))).toBe('read_only');
  expect(codeOf(() => open('missing', true))).toBe('not_found');
  expect([text('docs/a.md'), existsSync(at('missing')), existsSync(at('docs/d'))]).toEqual(['before', false, false]);
  expect(activity.entries().filter(({ changes }) => changes !== undefined)).toEqual([]);
});

it('does not change a file whose record cannot be written', () => {
  const failing: FlowRecords = {
    ...records,
    begin: (path) => {
      const record = records.begin(path);
      return (
        record && {
          ...record,
          intend: () => {
            throw new WorkspaceError('io', 'The log is full');
          },
        }
      );
    },
  };
  const part = openRecordedPart(whole, 'docs', { records: failing, trashDir: activity.trashDir });
  parts.push(part);
  writeFileSync(at('docs/b.md'), 'old');
  expect(codeOf(() => part.write('b.md', 'x'))).toBe('io');
  expect(text('docs/b.md')).toBe('old');
});
