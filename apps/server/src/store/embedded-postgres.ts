import { mkdirSync, realpathSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { lockBase } from './base-lock.ts';
import { prepareDataDirectory } from './data-directory.ts';
import { postgresLayout } from './postgres-layout.ts';
import { connectionTo, type SocketConnection } from './socket-connection.ts';
import { preparePostgresBinaries } from './postgres-binaries.ts';
import { choosePostgresUser } from './postgres-user.ts';
import { type Postmaster, startPostmaster } from './postmaster.ts';
import { type ShortPath, shortPath } from './short-path.ts';
import { errorCode, StoreError } from './store-error.ts';

/** The socket's name with the directory's separator: `/.s.PGSQL.5432.lock` is the longest in it. */
const LONGEST_NAME_BYTES = 20;
const FIRST_BACKOFF_MS = 50;
const MAX_BACKOFF_MS = 10_000;
/** After running this long, the next failure counts as the first again. */
const STEADY_MS = 60_000;
const RESTART_WAIT_MS = 10_000;
/** The embedded PostgreSQL of this server. It is restarted when it fails. */
export interface EmbeddedPostgres {
  /** How this process reaches it; `host` is the directory of its socket and means nothing to another process. */
  readonly connection: SocketConnection;
  readonly isUp: () => boolean;
  /**
   * Fulfilled while it takes connections.
   *
   * @throws StoreError `unavailable` when it is down and not back within `restartWaitMs`
   */
  up(): Promise<void>;
  /** Stops it and releases the base directory. Close the connections first. */
  stop(): Promise<void>;
}

/**
 * Starts the embedded PostgreSQL 18 of a base directory, making it on the first start. The directory is held for this
 * process's life; the database ends with this process, also when it is killed; when the database alone is killed it is
 * started again, 50 ms later at first and at most 10 s later.
 *
 * @throws StoreError
 */
export async function startEmbeddedPostgres(options: {
  baseDir: string;
  /** Called with PostgreSQL's output and restarts; never with statements. */
  log?: (line: string) => void;
  /** How long `up` waits for a restart. */
  restartWaitMs?: number;
}): Promise<EmbeddedPostgres> {
  const log = options.log ?? (() => {});
  const baseDir = openBase(options.baseDir);
  const lock = await lockBase(baseDir);
  let socket: ShortPath | undefined;
  try {
    const layout = postgresLayout(baseDir);
    const user = choosePostgresUser(baseDir, layout.data);
    const binaries = preparePostgresBinaries(user, layout.links, layout.asSeen('lib'));
    await prepareDataDirectory(layout, user, binaries);
    socket = shortPath(layout.run, LONGEST_NAME_BYTES);
    const host = socket.path;
    const start = () => startPostmaster({ layout, user, binaries, socketDir: host, log });
    const running = await keepUp(start, log, options.restartWaitMs ?? RESTART_WAIT_MS);
    return {
      connection: connectionTo(host),
      isUp: running.isUp,
      up: running.up,
      stop: async () => {
        await running.stop();
        socket?.close();
        await lock.release();
      },
    };
  } catch (error) {
    socket?.close();
    await lock.release();
    throw error;
  }
}

function openBase(baseDir: string): string {
  try {
    mkdirSync(baseDir, { recursive: true, mode: 0o700 });
    return realpathSync(baseDir);
  } catch (error) {
    throw new StoreError(
      'base_unusable',
      `The base directory ${baseDir} cannot be made (${errorCode(error)}): choose another with CROFT_BASE_DIR.`,
      error,
    );
  }
}

/** As a PostgreSQL that starts answers: callers that wait for a database know the code. */
const startingError = (): Error => Object.assign(new Error('the database system is starting up'), { code: '57P03' });

/** Starts it, the first time with a failure of the caller's, and again whenever it ends unasked. */
async function keepUp(start: () => Promise<Postmaster>, log: (line: string) => void, restartWaitMs: number) {
  const stopping = new AbortController();
  let current: Postmaster | undefined = await start();
  let waiting: (() => void)[] = [];
  const watch = async () => {
    let backoffMs = FIRST_BACKOFF_MS;
    while (current) {
      const since = Date.now();
      await current.ended;
      current = undefined;
      if (Date.now() - since > STEADY_MS) backoffMs = FIRST_BACKOFF_MS;
      while (!stopping.signal.aborted && !current) {
        log(`The embedded database ended; starting it again in ${backoffMs} ms.`);
        await sleep(backoffMs, undefined, { signal: stopping.signal }).catch(() => {});
        backoffMs = Math.min(backoffMs * 2, MAX_BACKOFF_MS);
        if (stopping.signal.aborted) break;
        current = await start().catch((error: unknown) => {
          log(String(error));
          return undefined;
        });
      }
      if (stopping.signal.aborted) await current?.stop();
      for (const wake of waiting) wake();
      waiting = [];
    }
  };
  const watching = watch();
  return {
    isUp: () => current !== undefined,
    up: async () => {
      if (current) return;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, restartWaitMs);
        waiting.push(() => {
          clearTimeout(timer);
          resolve();
        });
      });
      if (!current)
        throw new StoreError('unavailable', 'The database restarts; try again in a few seconds.', startingError());
    },
    stop: async () => {
      stopping.abort();
      await current?.stop();
      await watching;
    },
  };
}
