import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createCallerFiles } from '../files/caller-files.ts';
import { createNamespaces, type Namespaces } from '../files/namespaces.ts';
import { createSharedMount, type SharedMount } from '../files/shared-mount.ts';
import { createLog } from '../log.ts';
import { openRunFiles, type RunFiles } from './run-files.ts';

let baseDir: string;
let namespaces: Namespaces;
let sharedMount: SharedMount;
let run: RunFiles;
beforeEach(() => {
  baseDir = mkdtempSync(join(tmpdir(), 'croft-run-files-'));
  namespaces = createNamespaces({ baseDir, quotaBytes: undefined, trashBytes: undefined, onChange: () => {} });
  sharedMount = createSharedMount(baseDir);
  sharedMount.set('write');
  const log = createLog('error', () => {}, false);
  const files = createCallerFiles({ autoLogin: false, namespaces, sharedMount, log });
  const settings = { baseDir, userQuotaBytes: undefined };
  run = openRunFiles({ files, log, settings }, { userId: 'ada', via: 'api', client: null });
});
afterEach(() => {
  run.close();
  namespaces.close();
  rmSync(baseDir, { recursive: true, force: true });
});

const codeOf = (act: () => unknown): unknown => {
  try {
    act();
    return 'done';
  } catch (error) {
    return (error as { code?: unknown }).code;
  }
};

it('a run under way writes to the shared files only while an admin lets users write there', () => {
  const { workspace } = run.services;
  const write = (name: string) => codeOf(() => workspace?.write(`shared/${name}`, 'text'));
  const shared = (name: string) => existsSync(join(namespaces.shared().workspace.root, name));
  expect([write('first'), shared('first')]).toEqual(['done', true]);
  sharedMount.set('read');
  expect([write('second'), shared('second')]).toEqual(['read_only', false]);
  expect(workspace?.info('shared/first').sizeBytes).toBe(4);
  sharedMount.set('off');
  // A directory of the user's own.
  expect([write('third'), shared('third')]).toEqual(['done', false]);
  expect(codeOf(() => workspace?.info('shared/first'))).toBe('not_found');
});

it('records the changes of a run in the log of the files that they are in', async () => {
  run.services.workspace?.write('shared/note', 'text');
  run.services.workspace?.write('own', 'text');
  const tools = (namespace: ReturnType<Namespaces['shared']>) =>
    namespace.activity.entries().map(({ tool, paths }) => [tool, ...paths]);
  expect(tools(namespaces.shared())).toEqual([['flow', 'shared/note']]);
  expect(tools(namespaces.mineOf('ada'))).toEqual([['flow', 'own']]);
});

it('records the changes of a Sub-path in the log of the files it is in, also below a directory that has the name of a mount', () => {
  const part = run.services.openSubPath?.('docs', { readOnly: false });
  part?.write('shared/x', 'text');
  // The mount hides this directory; a Sub-path leads into the files around the mount only.
  const top = run.services.openSubPath?.('.', { readOnly: false });
  top?.write('shared/x', 'text');
  const logged = namespaces.mineOf('ada').activity.entries();
  expect(logged.map(({ tool, paths, changes }) => [tool, ...paths, changes?.at(-1)?.path])).toEqual([
    ['flow', 'docs', 'docs'],
    ['flow', 'docs/shared/x', 'docs/shared/x'],
    ['flow', 'shared/x', 'shared/x'],
  ]);
  expect(namespaces.shared().activity.entries()).toEqual([]);
  expect(logged.every(({ actor }) => actor.via === 'api' && actor.userId === 'ada')).toBe(true);
});

it('refuses a Sub-path in a mount, also one that is read-only', () => {
  for (const readOnly of [true, false])
    expect(codeOf(() => run.services.openSubPath?.('shared/docs', { readOnly }))).toBe('invalid');
});

it('refuses a Sub-path through a link into a directory that a mount hides', () => {
  const { root } = namespaces.mineOf('ada').workspace;
  mkdirSync(join(root, 'shared'));
  symlinkSync('shared', join(root, 'link'));
  for (const subPath of ['link', 'link/new'])
    expect(
      codeOf(() => run.services.openSubPath?.(subPath, { readOnly: false })),
      subPath,
    ).toBe('invalid');
  expect(readdirSync(join(root, 'shared'))).toEqual([]);
});

it('holds a Sub-path open once, however often a loop asks for it', () => {
  const open = () => readdirSync('/proc/self/fd').length;
  const part = run.services.openSubPath?.('docs', { readOnly: false });
  const before = open();
  for (let round = 0; round < 20; round++) expect(run.services.openSubPath?.('docs', { readOnly: false })).toBe(part);
  expect(open()).toBe(before);
  expect(run.services.openSubPath?.('docs', { readOnly: true })?.readOnly).toBe(true);
});
