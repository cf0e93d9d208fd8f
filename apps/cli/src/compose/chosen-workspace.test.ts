import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { activityDir, openActivity } from '@croft/tools';
import { resolveNamespace } from '@croft/workspace';
import { refusalOf } from '@croft/workspace/testing';
import { testDir } from '../../../../tests/support/temp-dir.ts';
import { chosenWorkspace } from './chosen-workspace.ts';

const home = process.cwd();
let top: string;
let base: string;
beforeEach(() => {
  top = testDir();
  base = join(top, 'base');
  mkdirSync(join(top, 'project/src/deep'), { recursive: true });
  vi.stubEnv('CROFT_BASE_DIR', base);
});
afterEach(() => {
  process.chdir(home);
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

function recordIn(dir: string): void {
  const activity = openActivity(base, dir);
  const actor = { userId: null, via: 'cli', client: null } as const;
  const record = activity.begin({ tool: 'write_file', actor, started: Date.now(), paths: () => ['a'] });
  record.finish({ outcome: 'ok', changes: [{ kind: 'create', path: 'a' }] });
  activity.close();
}

it('is the given directory, or the current one', () => {
  process.chdir(join(top, 'project'));
  expect(chosenWorkspace({ dir: 'src' }, base)).toBe(join(top, 'project/src'));
  expect(chosenWorkspace({}, base)).toBe(join(top, 'project'));
});

it('is the nearest directory with activity, and says which', () => {
  const written: string[] = [];
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => written.push(String(text)) > 0);
  recordIn(join(top, 'project'));
  process.chdir(join(top, 'project/src/deep'));
  expect(chosenWorkspace({}, base)).toBe(join(top, 'project'));
  expect(written.join('')).toBe(`croft: using ${join(top, 'project')}, the nearest directory with activity\n`);
  // A log without entries does not count.
  mkdirSync(activityDir(base, join(top, 'project/src')), { recursive: true });
  expect(chosenWorkspace({}, base)).toBe(join(top, 'project'));
  expect(written.splice(1)).toHaveLength(1);
  recordIn(join(top, 'project/src/deep'));
  expect(chosenWorkspace({}, base)).toBe(join(top, 'project/src/deep'));
  expect(written).toHaveLength(1);
});

it('is the namespace of a user who has one, and makes none', () => {
  expect(refusalOf(() => chosenWorkspace({ user: 'ann', dir: '.' }, base))).toBe('Give --dir or --user, not both');
  expect(refusalOf(() => chosenWorkspace({ user: ' ' }, base))).toBe('--user needs the id of a user');
  expect(refusalOf(() => chosenWorkspace({ user: 'ann' }, base))).toMatch(/^User ann has no namespace below/);
  const { root } = resolveNamespace({ userId: 'ann', forceIsolation: true });
  expect(chosenWorkspace({ user: 'ann' }, base)).toBe(root);
  expect(refusalOf(() => chosenWorkspace({ user: 'bob' }, base))).toMatch(/^User bob has no namespace/);
});
