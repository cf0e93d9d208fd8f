import { mkdirSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { testDir } from '../../../../tests/support/temp-dir.ts';
import { CONFIG_FILE, findGuardConfig, type GuardConfig } from './find-config.ts';
import { createProjectPolicies } from './project-policies.ts';

let root: string;
let file: string;
let notices: string[];
beforeEach(() => {
  root = testDir();
  file = join(root, CONFIG_FILE);
  notices = [];
});
afterEach(() => {
  vi.useRealTimers();
});

const write = (yaml: string) => writeFileSync(file, `sandboxing:\n  ${yaml}\n`);
const config = (start = root): GuardConfig => findGuardConfig({ env: {}, baseDir: join(root, 'base') }, start);
const policies = (of = config(), turn?: () => number) => createProjectPolicies(of, (text) => notices.push(text), turn);
/** Files count as settled a second after their last change. */
const settle = () => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 5_000 });

it('follows the file of a project: made, changed, wrong and removed', () => {
  const all = policies();
  expect(all.for(root)).toMatchObject({ policy: { strict: false }, problem: undefined });
  write('strict_mode: true');
  expect(all.for(root).policy.strict).toBe(true);
  write('deny_read: [x]');
  expect(all.for(root).policy.strict).toBe(false);
  write('strict_mode: maybe');
  expect(all.for(root).problem).toContain(`${file}:2:16: sandboxing.strict_mode: must be true or false`);
  rmSync(file);
  expect(all.for(root)).toMatchObject({ policy: { strict: false }, problem: undefined });
});

it('gives the same policy while the file does not change, and another one once it did', () => {
  write('strict_mode: true');
  settle();
  const all = policies();
  const first = all.for(root);
  writeFileSync(join(root, 'another-file'), '');
  settle();
  expect(all.for(root)).toBe(first);
  write('strict_mode: true  # again');
  utimesSync(file, 1, 1);
  expect(all.for(root)).not.toBe(first);
});

it('reads a file again that is younger than a second, because it may have changed within a tick of its time', () => {
  write('strict_mode: true');
  const all = policies();
  const { ctimeMs } = statSync(file);
  vi.useFakeTimers({ toFake: ['Date'], now: ctimeMs + 900 });
  const first = all.for(root);
  expect(all.for(root)).not.toBe(first);
  vi.setSystemTime(ctimeMs + 1_100);
  const settled = all.for(root);
  expect(all.for(root)).toBe(settled);
});

it('sees a file behind a link that led nowhere before', () => {
  const later = join(testDir(), 'later.yaml');
  symlinkSync(later, file);
  settle();
  const all = policies();
  expect(all.for(root).policy.strict).toBe(false);
  writeFileSync(later, 'sandboxing:\n  strict_mode: true\n');
  expect(all.for(root).policy.strict).toBe(true);
});

it('looks once for all calls of one turn', () => {
  let turn = 1;
  const all = policies(config(), () => turn);
  settle();
  all.for(root);
  all.for(root);
  write('strict_mode: true');
  expect(all.for(root).policy.strict).toBe(false);
  turn++;
  expect(all.for(root).policy.strict).toBe(true);
});

it('keeps what the project of the start tightened for every project, and reports each notice once', () => {
  write('strict_mode: true');
  const all = policies();
  const other = join(root, 'other');
  mkdirSync(other);
  writeFileSync(join(other, CONFIG_FILE), 'sandboxing:\n  strict_mode: false\n  allowed_roots: [/srv]\n');
  for (let i = 0; i < 3; i++) expect(all.for(other).policy).toMatchObject({ strict: true, allowedRoots: [] });
  expect(notices).toHaveLength(1);
  expect(notices[0]).toContain('sandboxing.allowed_roots is not obeyed');
});

it('reads no file of a project without a root', () => {
  write('strict_mode: true');
  expect(policies(config(join(root, 'elsewhere'))).for(undefined).policy.strict).toBe(false);
});
