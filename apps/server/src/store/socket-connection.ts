import { DATABASE_NAME } from './postgres-layout.ts';

/** How a client of the embedded PostgreSQL reaches it. */
export interface SocketConnection {
  /** The directory of its socket. */
  readonly host: string;
  readonly port: number;
  readonly ssl: false;
  readonly user: string;
  readonly database: string;
  readonly options: string;
}

/**
 * Session setting: PostgreSQL does not log this session's errors, whose messages quote values. The client gets them and
 * logs them without values. `log` is above `error` in this setting; PostgreSQL's own processes keep logging errors.
 */
const QUIET = '-c log_min_messages=log';

/** A complete connection: variables such as `PGPORT` and `PGSSLMODE` would fill what is missing. */
export const connectionTo = (socketDir: string): SocketConnection => ({
  host: socketDir,
  port: 5432,
  ssl: false,
  user: DATABASE_NAME,
  database: DATABASE_NAME,
  options: QUIET,
});
