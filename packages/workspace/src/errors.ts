import { getSystemErrorMap } from 'node:util';

/**
 * Every way a workspace operation can fail. The set is pinned by a test: callers branch on it.
 *
 * - `outside` the path leaves the workspace; `link_outside` a link on it does
 * - `denied` the credential deny-list, a reserved segment or a masked directory
 * - `invalid` the arguments themselves are unusable (NUL byte, unportable name, empty pattern …)
 * - `mounted` the change would cross a mount in the workspace
 * - `not_undoable` the trash cannot keep what the change would replace or remove
 * - `busy` something must be made ready first: see {@link NotYet}
 * - `changed` the file is not at the version the caller expected
 * - `busy` other calls kept changing the same directory or file for the whole wait; nothing was changed
 * - `unavailable` the workspace directory itself is gone or cannot be made
 */
export type WorkspaceErrorCode =
  | 'outside'
  | 'link_outside'
  | 'denied'
  | 'invalid'
  | 'not_found'
  | 'is_directory'
  | 'not_directory'
  | 'not_regular'
  | 'not_empty'
  | 'exists'
  | 'too_large'
  | 'binary'
  | 'not_text'
  | 'hard_linked'
  | 'mounted'
  | 'not_undoable'
  | 'no_match'
  | 'ambiguous'
  | 'changed'
  | 'busy'
  | 'read_only'
  | 'quota'
  | 'cancelled'
  | 'deadline'
  | 'io'
  | 'unavailable'
  | 'no_user';

/**
 * A failure whose `message` is safe to show to a model: it names the path as the caller wrote it and never a host path.
 * `operatorMessage` has further facts for an operator (host paths, the raw cause).
 */
export class WorkspaceError extends Error {
  override readonly name = 'WorkspaceError';
  readonly code: WorkspaceErrorCode;
  /** Extra envelope fields for the caller, e.g. `{ matches: 3 }`. */
  readonly extra: Readonly<Record<string, unknown>>;
  /** The same failure with host paths, for logs and metadata. Never shown to a model. */
  readonly operatorMessage: string;

  constructor(
    code: WorkspaceErrorCode,
    message: string,
    more: { extra?: Record<string, unknown>; operatorMessage?: string; cause?: unknown } = {},
  ) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause });
    this.code = code;
    this.extra = more.extra ?? {};
    this.operatorMessage = more.operatorMessage ?? message;
  }
}

/**
 * Nothing was done yet: the act needs something that takes long to make ready (a count, a copy). Await `ready`, which
 * does not reject, and do the same again.
 */
export class NotYet extends WorkspaceError {
  readonly ready: Promise<void>;

  constructor(message: string, ready: Promise<void>) {
    super('busy', message);
    this.ready = ready;
  }
}

const MAX_WAITS = 5;

/** Does `act` when what it needs is ready. Gives up when it is not ready after five waits. */
export async function whenReady<T>(act: () => T | Promise<T>, signal?: AbortSignal): Promise<T> {
  for (let waits = 0; ; waits++) {
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof NotYet) || waits === MAX_WAITS) throw error;
      await error.ready;
      throwIfCancelled(signal);
    }
  }
}

/** @throws WorkspaceError `cancelled`, whatever reason the signal carries */
export function throwIfCancelled(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new WorkspaceError('cancelled', 'The call was cancelled');
}

/** The `errno` name of a Node file-system error (`ENOENT`), or `undefined` when it is not one. */
export function errnoOf(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' && /^E[A-Z0-9]+$/.test(code) ? code : undefined;
}

/**
 * The operating system's sentence for an error, capitalised and without the path Node appends
 * (`Permission denied`). Node's own message carries descriptor paths, which mean nothing to the reader.
 */
export function osReason(error: unknown): string {
  const errno = (error as { errno?: unknown } | null)?.errno;
  const known = typeof errno === 'number' ? getSystemErrorMap().get(errno)?.[1] : undefined;
  const text = known ?? errnoOf(error) ?? 'unexpected failure';
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Turns a Node file-system error met on `path` into a {@link WorkspaceError}; passes others through. */
export function toWorkspaceError(error: unknown, path: string, doing: string): unknown {
  if (error instanceof WorkspaceError) return error;
  switch (errnoOf(error)) {
    case undefined:
      return error;
    case 'ENOENT':
      return new WorkspaceError('not_found', `File not found: ${path}`, { cause: error });
    case 'ENAMETOOLONG':
      return new WorkspaceError('invalid', `Path is too long: ${shorten(path)}`, { cause: error });
    case 'ENOTDIR':
      return new WorkspaceError('not_directory', `Not a directory: ${path}`, { cause: error });
    default:
      return new WorkspaceError('io', `Cannot ${doing}: ${osReason(error)}`, { cause: error });
  }
}

/** Whether an error says that this process has no permission. */
export function isRefusal(error: unknown): boolean {
  const code = errnoOf(error);
  return code === 'EACCES' || code === 'EPERM';
}

/** Keeps a long path readable in a message. */
export function shorten(text: string, max = 200): string {
  return text.length <= max ? text : `${text.slice(0, max)}… (${text.length} characters)`;
}
