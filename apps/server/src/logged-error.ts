import pg from 'pg';

/** An error as the log shows it: fields that cannot hold a value from a query. */
export interface LoggedError {
  readonly type: string;
  readonly message: string;
  /** Only the frames: the first lines of a stack repeat the message. */
  readonly stack?: string;
  readonly code?: string;
  /** SQL with placeholders. */
  readonly query?: string;
  readonly schema?: string;
  readonly table?: string;
  readonly column?: string;
  readonly constraint?: string;
  readonly causes?: readonly LoggedError[];
}

const MAX_CAUSES = 4;
const MAX_QUERY_CHARS = 500;
/** Names that PostgreSQL gives; none holds a value. */
const NAMES = ['schema', 'table', 'column', 'constraint'] as const;

/**
 * Describes an error for the log. Copies named fields only: query parameters and PostgreSQL's `detail`, `where`, `hint`
 * and `internalQuery` hold session tokens, key hashes and e-mail addresses.
 *
 * @param depth how many errors this one is a cause of
 */
export function loggedError(error: unknown, depth = 0): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error, message: 'not an Error object' };
  const { query, code } = error as { query?: unknown; code?: unknown };
  const frames = error.stack?.split('\n').filter((line) => /^\s+at /.test(line));
  const names = NAMES.flatMap((name) => {
    const value = (error as unknown as Record<string, unknown>)[name];
    return isOfServer(error) && typeof value === 'string' ? [[name, value] as const] : [];
  });
  const inner: unknown[] = [error.cause, ...(error instanceof AggregateError ? error.errors : [])];
  const causes = depth < MAX_CAUSES ? inner.filter((one) => one instanceof Error).slice(0, MAX_CAUSES) : [];
  return {
    type: error.name,
    message: safeMessage(error),
    ...(frames !== undefined && frames.length > 0 && { stack: frames.join('\n') }),
    ...(typeof code === 'string' && { code }),
    ...(typeof query === 'string' && { query: query.slice(0, MAX_QUERY_CHARS) }),
    ...Object.fromEntries(names),
    ...(causes.length > 0 && { causes: causes.map((cause) => loggedError(cause, depth + 1)) }),
  };
}

/** Whether PostgreSQL sent it. An error of another thread has lost its class, and keeps its fields. */
const isOfServer = (error: Error): boolean => error instanceof pg.DatabaseError || 'severity' in error;

/** The message without the values that drizzle and PostgreSQL put into it. */
function safeMessage(error: Error): string {
  if ('query' in error && 'params' in error) return 'A database query failed';
  if (isOfServer(error)) return safeServerMessage(error.message);
  // A library may copy the message of an error that it wraps.
  return error.message.replace(/\n?params: [\s\S]*$/, '');
}

/** PostgreSQL quotes values (`invalid input syntax for type integer: "…"`), which may hold quotes themselves. */
function safeServerMessage(message: string): string {
  return message.replace(/"[\s\S]*"/, '"…"').replace(/: (?!")[\s\S]*$/, '');
}
