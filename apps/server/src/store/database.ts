import { outageCodes } from '@croft/runs/outage';
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type BaseLock, lockBase, requireWhole } from './base-lock.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts';
import { GatedPool } from './gated-pool.ts';
import { migrate } from './migrate.ts';
import * as schema from './schema.ts';
import { errorCode, StoreError } from './store-error.ts';

const MAX_CONNECTIONS = 10;
const REACH_TIMEOUT_MS = 60_000;
const REACH_RETRY_MS = 500;
/** How often the log says that the server still waits for its database. */
const REACH_NEWS_MS = 15_000;

/** The tables, as drizzle reads and writes them; a transaction of it is one, too. */
export type Db = NodePgDatabase<typeof schema>;

export type Transaction = Parameters<Parameters<Db['transaction']>[0]>[0];

/** An opened database. */
export interface Database {
  /** Usable at once: queries wait until the database is ready, and up to 10 s while it restarts. */
  readonly db: Db;
  /** At most 10 connections; a statement ends after 30 s, a transaction that does nothing after 60 s. */
  readonly pool: pg.Pool;
  /**
   * Fulfilled when the database answers and its tables are this program's.
   *
   * @throws StoreError with a sentence for the operator
   */
  readonly ready: Promise<void>;
  /** Whether it is ready; for the embedded one, whether it runs now. Does not ask the database. */
  isUp(): boolean;
  /** Connection settings for a library with its own connections. Use after `ready`. Never log it: it has the password. */
  connection(): pg.ClientConfig;
  /** Waits for running queries, then closes the connections and stops the embedded database. */
  close(): Promise<void>;
}

/**
 * `url`: an external PostgreSQL; `holds`: the base directory of a server with one, locked until `close`. `baseDir`: the embedded one of that base directory. `connection`: one that another thread of
 * this process has opened.
 */
export type OpenDatabaseOptions = (
  | { readonly url: string; readonly holds?: string }
  | { readonly baseDir: string }
  | { readonly connection: pg.ClientConfig }
) & {
  /** Called with log lines: output of the embedded PostgreSQL, lost connections. Never statements or passwords. */
  readonly log?: (line: string) => void;
  /** How long to wait for an external database that does not respond yet. */
  readonly reachTimeoutMs?: number;
  /** How long a query waits while the embedded database restarts; 10 s unless given. */
  readonly restartWaitMs?: number;
};

/** Opens the database and brings its tables up to date; returns at once, `ready` says when it is done. */
export function openDatabase(options: OpenDatabaseOptions): Database {
  const log = options.log ?? (() => {});
  let embedded: EmbeddedPostgres | undefined;
  let lock: BaseLock | undefined;
  let state: 'opening' | 'ready' | 'closed' = 'opening';
  let connection: pg.ClientConfig =
    'url' in options ? readUrl(options.url) : 'connection' in options ? options.connection : {};
  const pool = new GatedPool({
    ...connection,
    max: MAX_CONNECTIONS,
    idleTimeoutMillis: 10_000,
    connectionTimeoutMillis: 10_000,
    statement_timeout: 30_000,
    idle_in_transaction_session_timeout: 60_000,
    application_name: 'croft',
  });
  // Hide it: it has the password, and a pool may be logged as part of another object.
  const { connectionString } = connection;
  if (connectionString !== undefined)
    Object.defineProperty(pool.options, 'connectionString', { value: connectionString, enumerable: false });
  // Losing an idle connection is not a failure: the pool has already removed it.
  pool.on('error', (error) => log(`A connection to the database was lost (${errorCode(error) || error.message}).`));
  const open = async () => {
    if ('baseDir' in options) {
      embedded = await startEmbeddedPostgres(options);
      ({ connection } = embedded);
      Object.assign(pool.options, connection);
    }
    if ('url' in options && options.holds !== undefined) lock = await holdBase(options.holds, log);
    if ('connection' in options) {
      state = 'ready';
      return;
    }
    const client = await reach(connection, {
      timeoutMs: options.reachTimeoutMs ?? REACH_TIMEOUT_MS,
      cancelled: () => state === 'closed',
      log,
    });
    try {
      await migrate(client);
    } finally {
      await client.end();
    }
    if (state === 'opening') state = 'ready';
  };
  const ready = open();
  ready.catch(() => {});
  pool.gate = async () => {
    await ready;
    await embedded?.up();
  };
  const close = async () => {
    await ready.catch(() => {});
    try {
      await pool.end();
    } finally {
      await embedded?.stop();
      await lock?.release();
    }
  };
  let closing: Promise<void> | undefined;
  return {
    db: drizzle(pool, { schema }),
    pool,
    ready,
    isUp: () => state === 'ready' && (embedded?.isUp() ?? true),
    connection: () => connection,
    close: () => {
      state = 'closed';
      closing ??= close();
      return closing;
    },
  };
}

/**
 * Locks the base directory, as the embedded database does. Goes on without the lock where the system or the disk has no
 * sockets, as Windows: `croft backup` refuses there, too.
 */
async function holdBase(baseDir: string, log: (line: string) => void): Promise<BaseLock | undefined> {
  try {
    return await lockBase(baseDir);
  } catch (error) {
    if (errorCode(error) === 'base_in_use') throw error;
    requireWhole(baseDir);
    log(
      `WARNING: this server runs without a lock of its base directory (${errorCode(error)}), so start no second server and no restore there.`,
    );
    return undefined;
  }
}

/** Parses DATABASE_URL. Errors do not quote it, because it has a password. */
function readUrl(text: string): pg.ClientConfig {
  const bad = (why: string) =>
    new StoreError('bad_url', `DATABASE_URL ${why}: write it as postgresql://user:password@host:5432/database.`);
  if (!/^postgres(ql)?:\/\//.test(text)) throw bad('does not begin with postgresql://');
  try {
    const { host, port, user, database } = new pg.Client({ connectionString: text });
    if (!host || !port || !user || !database) throw bad('names no host, user or database');
  } catch (error) {
    throw error instanceof StoreError ? error : bad('cannot be read');
  }
  return { connectionString: text };
}

interface Reaching {
  readonly timeoutMs: number;
  readonly cancelled: () => boolean;
  readonly log: (line: string) => void;
}

/**
 * Waits for a database that is not there yet, as in a group of containers started together; a refused login is final. Logs
 * the first failure at once, because a mistyped address fails in the same way.
 */
async function reach(connection: pg.ClientConfig, { timeoutMs, cancelled, log }: Reaching): Promise<pg.Client> {
  const giveUpAt = Date.now() + timeoutMs;
  let newsAt = 0;
  for (;;) {
    const client = new pg.Client({ ...connection, application_name: 'croft', connectionTimeoutMillis: 10_000 });
    client.on('error', () => {});
    try {
      return await client.connect().then(() => client);
    } catch (error) {
      const code = errorCode(error);
      if (outageCodes.has(code) && Date.now() < giveUpAt && !cancelled()) {
        if (Date.now() >= newsAt) {
          newsAt = Date.now() + REACH_NEWS_MS;
          const seconds = Math.ceil((giveUpAt - Date.now()) / 1_000);
          log(
            `WARNING: the database at ${client.host}:${client.port} does not answer (${code}). Trying again for ${seconds} s. Is DATABASE_URL right?`,
          );
        }
        await sleep(Math.min(REACH_RETRY_MS, Math.max(1, giveUpAt - Date.now())));
        continue;
      }
      const { host, port, database } = client;
      throw new StoreError(
        'unreachable',
        `The database ${database ?? ''} at ${host}:${port} cannot be used (${code || 'no answer'}): check that it runs, and that DATABASE_URL has the right host, user and password.`,
      );
    }
  }
}
