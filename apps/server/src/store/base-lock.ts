import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ownDirectory } from './own-directory.ts';
import { shortPath } from './short-path.ts';
import { errorCode, StoreError } from './store-error.ts';

/** In a base directory while a backup is restored to it. */
export const RESTORING = '.restoring';

const SOCKET_NAME = /^(\d+)-[0-9a-f]{16}$/;
const LONGEST_NAME_BYTES = 40;
const REPLY_TIMEOUT_MS = 1_000;
const RETRY_MS = 40;
const GIVE_UP_MS = 8_000;
/** A socket without its final name that is older than this belongs to an aborted start. */
const UNNAMED_MS = 60_000;

/** A base directory held by this process. */
export interface BaseLock {
  /** Releases the directory. The kernel does the same at every end of the process. */
  release(): Promise<void>;
}

type Answer = 'gone' | 'held' | 'trying';

/**
 * Locks the base directory for this process until it ends. Each starting process has its own listening socket in `<base>/.lock`. A
 * socket that answers proves a living process; a file with a process id does not, because ids are reused and differ between
 * containers on one volume. Every process creates its socket before it looks at the others, so of two concurrent starts at
 * least one sees the other. The one with the lower name waits for the other's decision; the other one withdraws. The next
 * start removes the sockets of killed processes.
 *
 * Works within one kernel, so not on a network file system that two machines use.
 *
 * @throws StoreError `base_in_use` with the holder's process id, `base_unusable`, also for a restore that did not end
 */
export async function lockBase(baseDir: string): Promise<BaseLock> {
  const directory = join(baseDir, '.lock');
  try {
    ownDirectory(directory, 0o700);
  } catch (error) {
    throw unusable(baseDir, error);
  }
  const giveUpAt = Date.now() + GIVE_UP_MS;
  for (;;) {
    const attempt = await tryLock(baseDir, directory);
    if (typeof attempt !== 'string') return attempt;
    if (Date.now() > giveUpAt) throw inUse(baseDir, attempt);
    await sleep(RETRY_MS);
  }
}

/** The lock, or the name of another starting process that has priority. */
async function tryLock(baseDir: string, directory: string): Promise<BaseLock | string> {
  const own = await openOwn(baseDir, directory);
  try {
    for (;;) {
      const others = await askOthers(own.path, own.name);
      const holder = others.find((other) => other.answer === 'held');
      if (holder) throw inUse(baseDir, holder.name);
      if (others.length === 0) {
        requireWhole(baseDir);
        own.hold();
        return { release: own.close };
      }
      const first = others.find((other) => other.name < own.name);
      if (first) {
        await own.close();
        return first.name;
      }
      await sleep(RETRY_MS);
    }
  } catch (error) {
    await own.close();
    throw error;
  }
}

/**
 * Refuses the base directory of a restore that did not end. Without some of its files, a server would make new keys, and would
 * not find the files of users.
 *
 * @throws StoreError `base_unusable`
 */
export function requireWhole(baseDir: string): void {
  if (!existsSync(join(baseDir, RESTORING))) return;
  throw new StoreError(
    'base_unusable',
    `A restore of a backup to ${baseDir} did not complete. Delete that directory, and restore the backup again.`,
  );
}

/** Opens a listening socket that answers `trying`, and later `held`. It gets its final name after it listens. */
async function openOwn(baseDir: string, directory: string) {
  const name = `${process.pid}-${randomBytes(8).toString('hex')}`;
  const short = shortPath(directory, LONGEST_NAME_BYTES);
  let state: Answer = 'trying';
  const server: Server = createServer((socket) => {
    socket.on('error', () => {});
    socket.end(`${state}\n`);
  });
  server.unref();
  const unnamed = `${name}.new`;
  let closed = false;
  const close = async () => {
    if (closed) return;
    closed = true;
    rmSync(join(short.path, name), { force: true });
    await new Promise<void>((resolve) => server.close(() => resolve()));
    short.close();
  };
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(join(short.path, unnamed), resolve);
    });
    server.on('error', () => {});
    renameSync(join(short.path, unnamed), join(short.path, name));
  } catch (error) {
    await close();
    throw unusable(baseDir, error);
  }
  return {
    name,
    path: short.path,
    close,
    hold: () => {
      state = 'held';
    },
  };
}

async function askOthers(directory: string, own: string) {
  const found = [];
  for (const name of readdirSync(directory)) {
    if (name === own) continue;
    const path = join(directory, name);
    if (!SOCKET_NAME.test(name)) {
      const age = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
      if (name.endsWith('.new') && age > UNNAMED_MS) rmSync(path, { force: true });
      continue;
    }
    const answer = await ask(path);
    if (answer === 'gone') rmSync(path, { force: true });
    else found.push({ name, answer });
  }
  return found;
}

/** A process that accepts the connection and does not answer is alive and busy, so it counts as the holder. */
function ask(path: string): Promise<Answer> {
  return new Promise((resolve) => {
    const socket = connect(path);
    const finish = (answer: Answer) => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(REPLY_TIMEOUT_MS, () => finish('held'));
    socket.once('data', (data) => finish(data.toString().startsWith('trying') ? 'trying' : 'held'));
    socket.once('error', (error) =>
      finish(['ECONNREFUSED', 'ENOENT', 'ECONNRESET'].includes(errorCode(error)) ? 'gone' : 'held'),
    );
    socket.once('end', () => finish('gone'));
  });
}

function inUse(baseDir: string, name: string): StoreError {
  const pid = SOCKET_NAME.exec(name)?.[1] ?? 'unknown';
  return new StoreError(
    'base_in_use',
    `Another Croft server (process ${pid}) is using ${baseDir}. Use that one, stop it first, or give this one its own base directory with CROFT_BASE_DIR.`,
  );
}

function unusable(baseDir: string, error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  const code = errorCode(error);
  const advice =
    code === 'EACCES' || code === 'EPERM' || code === 'EROFS'
      ? 'make it writable for this user, or choose another with CROFT_BASE_DIR'
      : 'choose one on a local file system with CROFT_BASE_DIR, or set DATABASE_URL';
  return new StoreError('base_unusable', `${baseDir} cannot be used as a base directory (${code}): ${advice}.`, error);
}
