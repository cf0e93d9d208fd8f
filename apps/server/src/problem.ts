import { hostFailure } from './host-failure.ts';
import { StoreError } from './store/store-error.ts';
import { WorkspaceError, type WorkspaceErrorCode } from '@croft/workspace';

/**
 * A refusal as the API gives it: a status, a code programs branch on, and a sentence that says what to do. Never a host
 * path, never a stack.
 */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly status: number;
  readonly code: string;
  readonly headers: Readonly<Record<string, string>>;

  /** @param cause for the log; answers do not show it */
  constructor(
    status: number,
    code: string,
    message: string,
    headers: Readonly<Record<string, string>> = {},
    cause?: unknown,
  ) {
    super(message, { cause });
    this.status = status;
    this.code = code;
    this.headers = headers;
  }
}

/** Nobody is signed in. */
export function notSignedIn(): Problem {
  return new Problem(401, 'not_signed_in', 'Sign in first, or send an API key as a bearer token.', {
    'WWW-Authenticate': 'Bearer',
  });
}

/** Whatever it is, this caller has none. The same words whether it exists for somebody else or not at all. */
export function notFound(what = 'There is nothing at this address.'): Problem {
  return new Problem(404, 'not_found', what);
}

const STATUS: Readonly<Partial<Record<WorkspaceErrorCode, number>>> = {
  outside: 403,
  link_outside: 403,
  denied: 403,
  read_only: 403,
  not_found: 404,
  invalid: 400,
  exists: 409,
  changed: 409,
  is_directory: 409,
  not_directory: 409,
  not_regular: 409,
  not_empty: 409,
  hard_linked: 409,
  mounted: 409,
  not_undoable: 409,
  too_large: 413,
  binary: 415,
  not_text: 415,
  no_user: 401,
  deadline: 504,
  quota: 507,
};

const RETRY_SOON = { 'Retry-After': '5' };

/** A failure as the API tells it; `undefined` for one nobody outside may know about. */
export function toProblem(error: unknown): Problem | undefined {
  if (error instanceof Problem) return error;
  if (error instanceof StoreError && error.code === 'last_admin') return new Problem(409, error.code, error.message);
  const failure = hostFailure(error);
  if (failure === 'disk_full')
    return new Problem(507, failure, 'The disk of the server is full. Tell its operator.', {}, error);
  if (failure === 'database_down')
    return new Problem(503, failure, 'The database does not answer. Try again in a moment.', RETRY_SOON, error);
  if (isUnstorable(error)) return new Problem(400, 'invalid', 'Leave out the NUL character.');
  if (!(error instanceof WorkspaceError)) return undefined;
  const code = error.code === 'quota' ? 'quota_exceeded' : error.code;
  return new Problem(STATUS[error.code] ?? 503, code, error.message);
}

/** The same asynchronous functions, which throw the problem of an error where {@link toProblem} knows one. */
export function throwProblems<T extends object>(functions: T): T {
  return new Proxy(functions, {
    get(target, name) {
      const run: unknown = Reflect.get(target, name);
      if (typeof run !== 'function') return run;
      return async (...args: unknown[]) => {
        try {
          return await (run.apply(target, args) as Promise<unknown>);
        } catch (error) {
          throw toProblem(error) ?? error;
        }
      };
    },
  });
}

/** PostgreSQL's word for a text that no column can hold: one with NUL, since all text is UTF-8 by then. */
function isUnstorable(error: unknown): boolean {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: { code?: unknown } };
  return code === '22021' || cause?.code === '22021';
}

/** The body of every JSON error. */
export function problemBody({ code, message }: Problem): { error: { code: string; message: string } } {
  return { error: { code, message } };
}
