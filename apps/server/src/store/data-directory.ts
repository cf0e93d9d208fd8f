import { spawn, type SpawnOptions } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  constants,
  existsSync,
  lchownSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { noBinary, type PostgresBinaries } from './postgres-binaries.ts';
import { ownDirectory } from './own-directory.ts';
import type { PostgresUser } from './postgres-user.ts';
import { errorCode, StoreError } from './store-error.ts';
import { DATABASE_NAME, type PostgresLayout } from './postgres-layout.ts';
import { writeSettings } from './postgres-settings.ts';

const MAJOR = '18';
/** Retries, because a program of a killed start may still write for a moment. */
const LEFTOVER = { recursive: true, force: true, maxRetries: 5, retryDelay: 200 } as const;

const INITDB_OPTIONS = [
  `--username=${DATABASE_NAME}`,
  '--auth=peer',
  '--encoding=UTF8',
  '--locale=C',
  // Sorted the same way on every system, whatever its C library.
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  '--data-checksums',
  '--wal-segsize=4',
  // Given, so that it does not try out which are possible.
  '--set=max_connections=50',
  '--set=shared_buffers=16MB',
];

/**
 * Creates the directories, the settings, and on the first start the database. The database gets its name when it is complete; the
 * remains of an interrupted first start are removed. Every start rewrites the settings.
 *
 * @throws StoreError
 */
export async function prepareDataDirectory(
  layout: PostgresLayout,
  user: PostgresUser,
  binaries: PostgresBinaries,
): Promise<void> {
  try {
    // The database's account may only pass through it.
    ownDirectory(layout.root, user.dropped ? 0o711 : 0o700);
    giveDirectory(layout.run, user);
    writeSettings(layout, user);
    if (existsSync(layout.data)) adoptData(layout, user);
    else await createData(layout, user, binaries);
  } catch (error) {
    if (error instanceof StoreError) throw error;
    throw new StoreError(
      'base_unusable',
      `The database in ${layout.root} cannot be prepared (${errorCode(error)}): make the directory writable for this user, choose another base directory with CROFT_BASE_DIR, or set DATABASE_URL.`,
      error,
    );
  }
}

/** Creates a directory for the database's account, in a directory that only this account can write to. */
function giveDirectory(path: string, user: PostgresUser): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  chmodSync(path, 0o700);
  if (user.dropped) lchownSync(path, user.uid, user.gid);
}

function adoptData(layout: PostgresLayout, user: PostgresUser): void {
  const version = readFileSync(join(layout.data, 'PG_VERSION'), 'utf8').trim();
  if (version !== MAJOR)
    throw new StoreError(
      'base_unusable',
      `${layout.data} was made by PostgreSQL ${version}, and this program brings PostgreSQL ${MAJOR}: dump it with the program that made it, or choose another base directory with CROFT_BASE_DIR.`,
    );
  const owner = statSync(layout.data).uid;
  if (owner === user.uid) return;
  if (!user.dropped)
    throw new StoreError(
      'base_unusable',
      `${layout.data} belongs to user ${owner}: start Croft as that user or as root, or change its owner (chown -R).`,
    );
  // Root restored a backup.
  giveTo(layout.data, user);
}

function giveTo(path: string, user: PostgresUser): void {
  lchownSync(path, user.uid, user.gid);
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    const child = join(path, entry.name);
    if (entry.isDirectory()) giveTo(child, user);
    else lchownSync(child, user.uid, user.gid);
  }
}

async function createData(layout: PostgresLayout, user: PostgresUser, binaries: PostgresBinaries): Promise<void> {
  for (const name of readdirSync(layout.root))
    if (/^data\.[0-9a-f]+\.new$/.test(name)) rmSync(join(layout.root, name), LEFTOVER);
  const name = `data.${randomBytes(6).toString('hex')}.new`;
  const unnamed = join(layout.root, name);
  const here = layout.asSeen(name);
  giveDirectory(unnamed, user);
  const rootFd = openSync(layout.root, constants.O_RDONLY | constants.O_DIRECTORY);
  const run = (program: string, args: string[], input = '') =>
    runProgram(program, args, input, {
      cwd: '/',
      env: { ...binaries.env, ...PROGRAM_ENV },
      stdio: ['pipe', 'ignore', 'pipe', rootFd],
      ...(user.dropped ? { uid: user.uid, gid: user.gid } : {}),
    });
  try {
    await run(binaries.initdb, ['-D', here, ...INITDB_OPTIONS]);
    const rename = `ALTER DATABASE postgres RENAME TO ${DATABASE_NAME}\n`;
    await run(binaries.postgres, ['--single', '-D', here, '-c', 'log_min_messages=error', 'template1'], rename);
    renameSync(unnamed, layout.data);
  } catch (error) {
    rmSync(unnamed, { recursive: true, force: true });
    throw error;
  } finally {
    closeSync(rootFd);
  }
}

/** Runs a program to its end without blocking this process, which may already serve requests. */
async function runProgram(program: string, args: string[], input: string, options: SpawnOptions): Promise<void> {
  const child = spawn(program, args, options);
  let said = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-4_000);
  });
  child.stdin?.on('error', () => {}).end(input);
  const status = await new Promise<number | null>((resolve) => {
    child.once('close', resolve);
    child.once('error', (error) => {
      said += String(error);
      resolve(null);
    });
  });
  if (status !== 0) throw cannotRun(status, said.trim());
}

/** The complete environment of PostgreSQL's programs; nothing else of this process's environment is passed on. */
export const PROGRAM_ENV = { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' } as const;

/** The error of one of PostgreSQL's programs; a different one if the system cannot load the program. */
export function cannotRun(status: number | null, output: string): StoreError {
  const last = output.split('\n').slice(-3).join(' ');
  if (status === 127 || status === 126 || /ENOENT|EACCES|shared libraries/.test(output))
    return noBinary(`The PostgreSQL that came with the install cannot run on this system (${last}).`);
  return new StoreError('start_failed', `PostgreSQL did not start: ${last || `exit code ${String(status)}`}`);
}
