import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, readdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { testDir } from '../support/temp-dir.ts';

const LAUNCHER = join(import.meta.dirname, '../../apps/cli/launcher.cjs');
let dir: string;
beforeEach(() => void (dir = testDir()));

/** Runs the launcher with a program that prints `word`. V8 accepts a cache of any program with the same length. */
function run(word: string, base: string): string {
  const program = join(dir, word);
  mkdirSync(program, { recursive: true });
  copyFileSync(LAUNCHER, join(program, 'croft.cjs'));
  writeFileSync(join(program, 'croft-main.cjs'), `(function () { process.stdout.write('${word}'); })`);
  return execFileSync(process.execPath, [join(program, 'croft.cjs')], {
    env: { ...process.env, CROFT_BASE_DIR: base },
    encoding: 'utf8',
  });
}

/** A base directory whose cache contains the program `planted`. */
function plant(): { base: string; cacheFile: string } {
  const base = join(dir, 'base');
  expect(run('planted', base)).toBe('planted');
  const [name] = readdirSync(join(base, 'cache'));
  return { base, cacheFile: join(base, 'cache', name as string) };
}

describe.skipIf(process.platform === 'win32')('the code cache', () => {
  it('runs if it is in a directory that only this user can write', () => {
    // Without this the other tests would prove nothing.
    expect(run('genuine', plant().base)).toBe('planted');
  });

  it.each<[string, (at: { base: string; cacheFile: string }) => void]>([
    ['the base directory is a link', ({ base }) => moveBehindLink(base)],
    ['its directory is a link', ({ base }) => moveBehindLink(join(base, 'cache'))],
    ['it is a link', ({ cacheFile }) => moveBehindLink(cacheFile)],
    ['others may write to the base directory', ({ base }) => chmodSync(base, 0o777)],
    ['its group may write to its directory', ({ base }) => chmodSync(join(base, 'cache'), 0o770)],
    ['others may read it, as what an agent makes', ({ cacheFile }) => chmodSync(cacheFile, 0o644)],
  ])('is left alone when %s', (_, spoil) => {
    const at = plant();
    spoil(at);
    expect(run('genuine', at.base)).toBe('genuine');
    expect(run('genuine', at.base)).toBe('genuine');
  });
});

function moveBehindLink(path: string): void {
  const elsewhere = join(dir, 'elsewhere');
  renameSync(path, elsewhere);
  symlinkSync(elsewhere, path);
}

describe('a guard that cannot be loaded', () => {
  it.each<[string, string | undefined]>([
    ['is missing', undefined],
    ['is no program', '(function () { broken'],
    ['fails while it loads', "(function () { throw new Error('at /root/secret'); })"],
    ['fails later', "(function () { setTimeout(() => { throw new Error('at /root/secret'); }); })"],
  ])('blocks the call of a hook when it %s: every code but 2 would let it through', (_, bundle) => {
    copyFileSync(LAUNCHER, join(dir, 'croft.cjs'));
    if (bundle !== undefined) writeFileSync(join(dir, 'croft-guard.cjs'), bundle);
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(dir, 'croft.cjs'), 'guard', 'hook'], {
      env: { ...process.env, CROFT_BASE_DIR: join(dir, 'base') },
      encoding: 'utf8',
    });
    expect({ status, stdout, stderr }).toEqual({
      status: 2,
      stdout: '',
      stderr: 'croft guard: the hook failed, so the call is blocked\n',
    });
  });
});
