import { spawn, spawnSync } from 'node:child_process';
import { closeSync, constants, openSync, readdirSync, readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { cannotRun, PROGRAM_ENV } from './data-directory.ts';
import type { PostgresLayout } from './postgres-layout.ts';
import { connectionTo } from './socket-connection.ts';
import type { PostgresBinaries } from './postgres-binaries.ts';
import type { PostgresUser } from './postgres-user.ts';
import { errorCode, StoreError } from './store-error.ts';

const LAST_LINES = 20;
const POLL_MS = 10;
/** Long, because a start after a crash first repeats what was acknowledged. */
const READY_TIMEOUT_MS = 120_000;
const SIGNAL_WAIT_MS = 5_000;

/**
 * Runs PostgreSQL and reads from a pipe whose write end only the server has. The kernel closes the pipe at every end of the server;
 * then the script stops PostgreSQL with increasing force: SIGINT, SIGQUIT, SIGKILL. It is a shell script, because a shell needs
 * a megabyte and exists on every system. It runs in its own process group, so that Ctrl-C in a terminal reaches only the server,
 * which still has rows to write. It ignores signals that would end it before PostgreSQL.
 */
const KEEPER = `
trap '' HUP INT TERM
exec 4<&0 </dev/null
"$@" 4<&- &
child=$!
(
  read -r _ <&4
  for signal in INT QUIT KILL; do
    kill -"$signal" "$child" || exit 0
    tries=0
    while [ "$tries" -lt 50 ]; do
      kill -0 "$child" || exit 0
      sleep 0.1 3<&-
      tries=$((tries + 1))
    done
  done
) >/dev/null 2>&1 &
watcher=$!
exec 4<&-
wait "$child"
code=$?
kill -KILL "$watcher" 2>/dev/null
wait "$watcher" 2>/dev/null
exit "$code"
`;

/** A running PostgreSQL. */
export interface Postmaster {
  /** Fulfilled when it has ended, asked or not. */
  readonly ended: Promise<void>;
  /** Stops it: no new connections, open transactions rolled back, everything on disk. Waits until it has ended. */
  stop(): Promise<void>;
}

/**
 * Starts PostgreSQL over a prepared directory and waits until it takes connections. It does not outlive this process.
 *
 * @throws StoreError `start_failed`, `no_binary`
 */
export async function startPostmaster(options: PostmasterOptions): Promise<Postmaster> {
  const giveUpAt = Date.now() + SIGNAL_WAIT_MS;
  for (;;) {
    await endStray(options.layout.data);
    for (const name of readdirSync(options.layout.run)) rmSync(join(options.layout.run, name), { force: true });
    try {
      return await startOnce(options);
    } catch (error) {
      // Its sessions see a moment later than itself that it is dead.
      if (!/shared memory block .* in use/.test(String(error)) || Date.now() > giveUpAt) throw error;
      await sleep(10 * POLL_MS);
    }
  }
}

/** Parameters of a start. */
export interface PostmasterOptions {
  readonly layout: PostgresLayout;
  readonly user: PostgresUser;
  readonly binaries: PostgresBinaries;
  /** A path of the socket directory that is short enough, for this process. */
  readonly socketDir: string;
  readonly log: (line: string) => void;
}

async function startOnce(options: PostmasterOptions): Promise<Postmaster> {
  const { layout, user, binaries } = options;
  const lines: string[] = [];
  const rootFd = openSync(layout.root, constants.O_RDONLY | constants.O_DIRECTORY);
  const child = spawn(
    '/bin/sh',
    [
      '-c',
      KEEPER,
      'croft-postgres',
      binaries.postgres,
      '-D',
      layout.asSeen('data'),
      '-c',
      `config_file=${layout.asSeen('postgresql.conf')}`,
    ],
    {
      cwd: '/',
      env: { ...binaries.env, ...PROGRAM_ENV },
      stdio: ['pipe', 'ignore', 'pipe', rootFd],
      detached: true,
      ...(user.dropped ? { uid: user.uid, gid: user.gid } : {}),
    },
  );
  closeSync(rootFd);
  // Both are pipes, see `stdio`.
  const lifeline = child.stdin as Writable;
  const messages = child.stderr as Readable;
  lifeline.on('error', () => {});
  messages.setEncoding('utf8').on('data', (text: string) => {
    for (const line of text.split('\n').filter((part) => part.trim() !== '' && !part.endsWith('is starting up'))) {
      lines.push(line);
      if (lines.length > LAST_LINES) lines.shift();
      options.log(line);
    }
  });
  let status: number | null | undefined;
  const ended = new Promise<void>((resolve) => {
    const end = (code: number | null) => {
      status = code;
      resolve();
    };
    child.once('close', end);
    child.once('error', (error) => {
      lines.push(String(error));
      end(null);
    });
  });
  const stop = async () => {
    lifeline.end();
    await ended;
  };
  const giveUpAt = Date.now() + READY_TIMEOUT_MS;
  try {
    while (!(await takesConnections(options.socketDir))) {
      if (status !== undefined) throw cannotRun(status, lines.join('\n'));
      if (Date.now() > giveUpAt)
        throw new StoreError(
          'start_failed',
          `PostgreSQL did not become ready within ${READY_TIMEOUT_MS / 1000} s: ${lines.at(-1) ?? 'it said nothing'}`,
        );
      await sleep(POLL_MS);
    }
  } catch (error) {
    await stop();
    throw error;
  }
  return { ended, stop };
}

async function takesConnections(socketDir: string): Promise<boolean> {
  const client = new pg.Client({ ...connectionTo(socketDir) });
  client.on('error', () => {});
  try {
    await client.connect();
    return true;
  } catch (error) {
    const code = errorCode(error);
    // Not there yet, or still starting; anything else will not change by waiting.
    if (code === '28000') throw new StoreError('start_failed', `PostgreSQL refuses this account: ${String(error)}`);
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}

/** Ends a PostgreSQL that still runs over the directory: its server was killed a moment ago, or its keeper was too. */
async function endStray(dataDir: string): Promise<void> {
  const file = join(dataDir, 'postmaster.pid');
  const pid = readPid(file);
  if (pid === undefined) return;
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    const giveUpAt = Date.now() + SIGNAL_WAIT_MS;
    if (stateOf(pid, dataDir) !== 'ours') {
      // PostgreSQL would mistake a process with the same id, or a zombie process, for itself.
      rmSync(file, { force: true });
      return;
    }
    try {
      process.kill(pid, signal);
    } catch (error) {
      if (errorCode(error) === 'EPERM') throw strayStays(pid, dataDir);
    }
    while (Date.now() < giveUpAt) {
      if (stateOf(pid, dataDir) !== 'ours') break;
      await sleep(POLL_MS);
    }
  }
  if (stateOf(pid, dataDir) === 'ours') throw strayStays(pid, dataDir);
  rmSync(file, { force: true });
}

function strayStays(pid: number, dataDir: string): StoreError {
  return new StoreError(
    'start_failed',
    `A PostgreSQL (process ${pid}) still runs over ${dataDir} and cannot be ended by this user: end it, then start again.`,
  );
}

function readPid(file: string): number | undefined {
  try {
    const pid = Number(readFileSync(file, 'utf8').split('\n', 1)[0]);
    return Number.isSafeInteger(pid) && pid > 1 ? pid : undefined;
  } catch {
    return undefined;
  }
}

function stateOf(pid: number, dataDir: string): 'ended' | 'ours' | 'another' {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (errorCode(error) === 'ESRCH') return 'ended';
  }
  if (process.platform !== 'linux') {
    const { stdout } = spawnSync('ps', ['-p', String(pid), '-o', 'command='], { encoding: 'utf8' });
    return stdout?.includes(`-D ${dataDir}`) ? 'ours' : 'another';
  }
  try {
    if (/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))) return 'ended';
    return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(dataDir) ? 'ours' : 'another';
  } catch (error) {
    return errorCode(error) === 'ENOENT' ? 'ended' : 'another';
  }
}
