import { existsSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { WorkspaceError } from '@croft/workspace';
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { testDir } from '../../../../tests/support/temp-dir.ts';
import { createNamespaces, isSame, type NamespaceOptions, type Namespaces } from './namespaces.ts';

let baseDir: string;
let opened: Namespaces[];
let changed: (string | undefined)[];
beforeEach(() => {
  baseDir = testDir();
  [opened, changed] = [[], []];
});
afterEach(() => {
  for (const each of opened) each.close();
});

function open(over: Partial<NamespaceOptions> = {}): Namespaces {
  const namespaces = createNamespaces({
    baseDir,
    quotaBytes: undefined,
    trashBytes: undefined,
    onChange: (userId) => changed.push(userId),
    ...over,
  });
  opened.push(namespaces);
  return namespaces;
}

it('gives each user files of their own, found by the id alone, and all users the shared ones', async () => {
  const namespaces = open();
  const ann = namespaces.mineOf('ann');
  ann.workspace.write('a.txt', 'hello');
  expect([ann.root, namespaces.shared().root]).toEqual(['mine', 'shared']);
  expect(namespaces.mineOf('ann')).toBe(ann);
  const places = [ann, namespaces.mineOf('bob'), namespaces.shared()].map(({ workspace }) => workspace.root);
  expect(new Set(places).size).toBe(3);
  expect(places.every((place) => place.startsWith(join(baseDir, 'workspaces')))).toBe(true);
  expect(places[0]).not.toContain('ann');
  expect(namespaces.mineOf('bob').workspace.list('.').entries).toEqual([]);
});

it('makes no directory for a user who has written nothing', () => {
  const namespaces = open();
  expect(namespaces.existingMineOf('ann')).toBeUndefined();
  expect(existsSync(join(baseDir, 'workspaces', 'users'))).toBe(false);
  namespaces.mineOf('ann');
  expect(namespaces.existingMineOf('ann')?.root).toBe('mine');
});

it('writes nothing into a tree that was moved away', async () => {
  const namespaces = open();
  const before = namespaces.mineOf('ann');
  const { root } = before.workspace;
  const away = join(dirname(root), `${basename(root)}-away`);
  renameSync(root, away);
  const after = namespaces.mineOf('ann');
  after.workspace.write('new.txt', 'x');
  expect([after === before, existsSync(join(away, 'new.txt')), existsSync(join(root, 'new.txt'))]).toEqual([
    false,
    false,
    true,
  ]);
});

it('keeps a namespace usable for a quarter of an hour after 256 others were opened', () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const namespaces = open();
  const before = namespaces.mineOf('ann');
  for (let at = 0; at < 256; at++) namespaces.mineOf(`user-${at}`);
  vi.advanceTimersByTime(15 * 60_000 - 1);
  before.workspace.write('late.txt', 'x');
  // A user who comes back has the same one, and another user's is retired.
  expect(namespaces.mineOf('ann')).toBe(before);
  vi.advanceTimersByTime(15 * 60_000);
  before.workspace.write('later.txt', 'x');
  for (let at = 0; at < 256; at++) namespaces.mineOf(`user-${at}`);
  vi.advanceTimersByTime(15 * 60_000);
  expect(() => before.workspace.write('closed.txt', 'x')).toThrow(WorkspaceError);
  const after = namespaces.mineOf('ann');
  expect([after === before, isSame(after.identity, before.identity)]).toEqual([false, true]);
  expect(isSame(after.identity, namespaces.mineOf('user-255').identity)).toBe(false);
});

it('reads without the right to change', async () => {
  const ann = open().mineOf('ann');
  ann.workspace.write('a.txt', 'hello');
  expect(ann.readOnly.list('.').entries).toHaveLength(1);
  expect(() => ann.readOnly.write('a.txt', 'x')).toThrow(
    expect.objectContaining({
      code: 'read_only',
    }),
  );
  expect(ann.readOnly).toBe(ann.readOnly);
});

it('holds users to their quota, and says what they use', async () => {
  const namespaces = open({ quotaBytes: 1_000 });
  const ann = namespaces.mineOf('ann');
  ann.workspace.write('a.txt', 'x'.repeat(900));
  expect(() => ann.workspace.write('b.txt', 'x'.repeat(200))).toThrow(
    expect.objectContaining({
      code: 'quota',
    }),
  );
  namespaces.mineOf('bob').workspace.write('b.txt', 'x'.repeat(900));
  expect([namespaces.limitBytes, open().limitBytes]).toEqual([1_000, null]);
  expect(await ann.usedBytes()).toBe(900);
  writeFileSync(join(ann.workspace.root, 'c.txt'), 'x'.repeat(50));
  namespaces.changedElsewhere('ann');
  expect(await ann.usedBytes()).toBe(950);
});

it('counts the files again after a change by another thread, so that nothing is refused without need', async () => {
  const namespaces = open({ quotaBytes: 1_000 });
  const ann = namespaces.mineOf('ann');
  ann.workspace.write('a.txt', 'x'.repeat(900));
  rmSync(join(ann.workspace.root, 'a.txt'));
  namespaces.changedElsewhere('ann');
  ann.workspace.write('b.txt', 'x'.repeat(900));
  expect(await ann.usedBytes()).toBe(900);
});

it('tells of changes that a call made, and of whom', () => {
  const namespaces = open();
  const call = {
    tool: 'write_file',
    actor: { userId: 'ann', via: 'page', client: null },
    started: 0,
    paths: () => ['a.txt'],
  } as const;
  const { activity } = namespaces.mineOf('ann');
  activity.begin(call).finish({ outcome: 'ok', changes: [] });
  expect(changed).toEqual([]);
  const record = activity.begin(call);
  record.done();
  record.finish({ outcome: 'ok', changes: [{ kind: 'mkdir', path: 'd' }] });
  expect(activity.entries().at(-1)?.id).toBe(record.id);
  namespaces.shared().changed();
  expect(changed).toEqual(['ann', undefined]);
  const inPart = namespaces.mineOf('ann').activity.begin(call);
  inPart.intend([{ kind: 'mkdir', path: 'left' }]);
  inPart.done();
  inPart.finish({ outcome: 'io' });
  expect(changed).toEqual(['ann', undefined, 'ann']);
  expect(activity.entries().map(({ tool }) => tool)).toEqual(['write_file', 'write_file', 'write_file']);
});

it('says which setting to look at where files cannot be opened, with host paths for the operator only', () => {
  mkdirSync(join(baseDir, 'workspaces'), { recursive: true });
  symlinkSync('/nowhere', join(baseDir, 'workspaces', 'users'));
  let failure: { message?: string; operatorMessage?: string; code?: string } = {};
  try {
    open().mineOf('ann');
  } catch (error) {
    failure = error as typeof failure;
  }
  expect(failure.code).toBe('unavailable');
  expect(failure.message).toContain('CROFT_BASE_DIR');
  expect(failure.message).not.toContain(baseDir);
  expect(failure.operatorMessage).toContain(baseDir);
});
