import pg from 'pg';

type Connected = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  done: (release?: boolean | Error) => void,
) => void;

/** Codes of a server that is away, which DBOS takes for a failure of its caller. A unix socket is missing during a restart. */
const AWAY: ReadonlySet<unknown> = new Set(['ENOENT', 'ENOTFOUND', 'EAI_AGAIN']);

/**
 * Gives a write to a connection that the server has closed another code: DBOS takes `EPIPE`, which has five letters, for a
 * code of PostgreSQL, and does not repeat the statement.
 */
class RunClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super(config);
    this.connection.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') error.code = 'ECONNRESET';
    });
  }
}

/** A pool for DBOS too, which repeats a statement only where a server refuses or breaks the connection. */
export class RunPool extends pg.Pool {
  constructor(config: pg.PoolConfig) {
    super({ ...config, Client: RunClient });
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<pg.PoolClient> | void {
    if (callback === undefined)
      return super.connect().catch((error: Error) => {
        throw asRefused(error);
      });
    super.connect((error, client, done) => callback(error && asRefused(error), client, done));
  }
}

const asRefused = (error: Error): Error =>
  AWAY.has((error as NodeJS.ErrnoException).code) ? Object.assign(error, { code: 'ECONNREFUSED' }) : error;
