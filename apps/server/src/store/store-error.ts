/**
 * Failures of the store that an operator or user can act on. PostgreSQL's own errors (a unique violation, a statement timeout) pass
 * through as errors of the driver.
 *
 * - `base_in_use` another server holds the base directory
 * - `base_unusable` the base directory cannot hold a database (rights, file system, a path too long for this system)
 * - `no_binary` there is no PostgreSQL for this platform, or it cannot run here
 * - `start_failed` PostgreSQL was started and ended, or did not become ready
 * - `unavailable` the database restarts, or refuses connections, and was not back in time
 * - `unreachable` the database of DATABASE_URL does not answer or refuses the login
 * - `bad_url` DATABASE_URL cannot be read
 * - `newer_database` a newer program has already changed the tables
 * - `last_admin` the change would leave no admin
 */
export type StoreErrorCode =
  | 'base_in_use'
  | 'base_unusable'
  | 'no_binary'
  | 'start_failed'
  | 'unavailable'
  | 'unreachable'
  | 'bad_url'
  | 'newer_database'
  | 'last_admin';

/**
 * A failure of the store, as a sentence for the operator. It may have host paths, never a password. Do not send it to remote clients,
 * except `last_admin`.
 */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  readonly code: StoreErrorCode;

  constructor(code: StoreErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
  }
}

/** The `code` of a system or driver error, or an empty text. */
export function errorCode(error: unknown): string {
  const code = (error as { code?: unknown } | null | undefined)?.code;
  return typeof code === 'string' ? code : '';
}
