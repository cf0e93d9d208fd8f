import { outageCodes } from '@croft/runs/outage';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { errorCode, StoreError } from './store-error.ts';

type Connected = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  done: (release?: boolean | Error) => void,
) => void;

const RETRY_MS = 100;
/** How long `end` waits for the server to close connections. */
const END_MS = 5_000;

/**
 * A pool whose queries wait while the database is not there: before its first start, and during a restart. A query that
 * was already sent when the connection broke still fails: only the caller knows whether it may be repeated.
 */
export class GatedPool extends pg.Pool {
  /** Fulfilled when a connection may be made; its failure is the caller's. */
  gate: () => Promise<void> = () => Promise.resolve();
  /** How long a query waits for a database that refuses connections. */
  patienceMs = 10_000;
  readonly #connected = new Set<pg.PoolClient>();

  constructor(options: pg.PoolConfig) {
    super(options);
    this.on('connect', (client) => {
      this.#connected.add(client);
      client.once('end', () => this.#connected.delete(client));
    });
    // A connection that breaks while a transaction holds it and sends nothing emits `error`; without a listener that
    // ends the process. The next query on it fails by itself.
    this.on('connect', (client) => client.on('error', () => {}));
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<pg.PoolClient> | void {
    const connecting = this.#connectPatiently();
    if (!callback) return connecting.then(releaseAfterFailedBegin);
    connecting.then(
      (client) => callback(undefined, client, (release) => client.release(release)),
      (error: Error) => callback(error, undefined, () => {}),
    );
  }

  /**
   * Waits for running queries, and up to 5 s for the server to close the connections. `pg` itself does not wait for that; a
   * PostgreSQL that is stopped meanwhile reports each of them as terminated.
   */
  override end(): Promise<void>;
  override end(callback: () => void): void;
  override end(callback?: () => void): Promise<void> | void {
    const ending = super.end().then(() => waitForEnds([...this.#connected]));
    if (!callback) return ending;
    ending.then(callback, callback);
  }

  /** @throws StoreError `unavailable`; what the gate throws */
  async #connectPatiently(): Promise<pg.PoolClient> {
    const giveUpAt = Date.now() + this.patienceMs;
    for (;;) {
      await this.gate();
      try {
        return await super.connect();
      } catch (error) {
        if (!isConnectFailure(error)) throw error;
        if (Date.now() >= giveUpAt || this.ending)
          throw new StoreError('unavailable', 'The database does not take connections. Try again later.', error);
        await sleep(RETRY_MS);
      }
    }
  }
}

/**
 * Gives a connection back when its first query fails. drizzle takes connections this way for transactions only, and keeps
 * one for ever whose `BEGIN` fails: ten of them, as in a few restarts of the database, and every query waits in vain.
 */
function releaseAfterFailedBegin(client: pg.PoolClient): pg.PoolClient {
  const { query, release } = client;
  let isReleased = false;
  client.release = (reason) => {
    if (isReleased) return;
    isReleased = true;
    client.query = query;
    release(reason);
  };
  client.query = ((...args: unknown[]) => {
    client.query = query;
    const result: unknown = Reflect.apply(query, client, args);
    if (result instanceof Promise) result.catch(() => client.release(true));
    return result;
  }) as typeof query;
  return client;
}

async function waitForEnds(clients: readonly pg.PoolClient[]): Promise<void> {
  const signal = AbortSignal.timeout(END_MS);
  await Promise.all(clients.map((client) => once(client, 'end', { signal }).catch(() => {})));
}

/** Whether the next attempt to connect may succeed. */
function isConnectFailure(error: unknown): boolean {
  const code = errorCode(error);
  if (code === '') return /^(Connection terminated|timeout exceeded)/.test(String((error as Error).message));
  return outageCodes.has(code);
}
