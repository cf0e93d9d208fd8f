import { accessSync, constants, existsSync, lstatSync, realpathSync, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { errnoOf, osReason, WorkspaceError } from './errors.ts';
import { makeDirs } from './make-dirs.ts';
import {
  isNamespaceName,
  loadOrCreatePepper,
  pepperOf,
  readPepper,
  requireNoNamespaces,
  userNamespace,
} from './pepper.ts';

/** The paths of a server's workspaces. Read from the environment for every call; immutable. */
export interface IsolationConfig {
  /** `<CROFT_BASE_DIR>/workspaces`: holds `shared/`, `users/` and the pepper. */
  readonly baseDir: string;
  readonly pepperPath: string;
  /** The base directory as the operator wrote it, or the default. For messages. */
  readonly configured: string;
}

/** The files that a call may touch: those of all users, those of its user, or none (`refused`). */
export type NamespaceMode = 'shared' | 'isolated' | 'refused';

/** The identity of a caller, and the namespace that it wants. */
export interface NamespaceRequest {
  readonly userId?: string | null | undefined;
  /** Refuses the shared namespace, whatever the server's mode. */
  readonly forceIsolation?: boolean;
  /** Below the namespace; empty or blank means the namespace itself. */
  readonly subPath?: string | null | undefined;
  readonly env?: NodeJS.ProcessEnv;
}

/** A namespace that exists on disk. */
export interface ResolvedNamespace {
  readonly mode: 'shared' | 'isolated';
  /** Host path of `shared/` or `users/<hash>/`. */
  readonly root: string;
  readonly config: IsolationConfig;
}

/** Where a namespace is or would be. */
export interface FoundNamespace {
  readonly mode: 'shared' | 'isolated';
  /** Host path; `undefined` while there is no pepper to derive it from. */
  readonly root: string | undefined;
  readonly exists: boolean;
}

/** `~/.croft` unless `CROFT_BASE_DIR` says otherwise; a blank value counts as unset. */
export function croftBaseDir(env: NodeJS.ProcessEnv = process.env): string {
  const set = env.CROFT_BASE_DIR?.trim();
  return resolve(set || join(env.HOME || homedir(), '.croft'));
}

export function readIsolationConfig(env: NodeJS.ProcessEnv = process.env): IsolationConfig {
  const configured = croftBaseDir(env);
  const baseDir = join(realDir(configured), 'workspaces');
  return Object.freeze({ baseDir, pepperPath: join(baseDir, '.fs_pepper'), configured });
}

/** `CROFT_AUTO_LOGIN`: on unless it is `false`, `0`, `no` or `off`. */
export function autoLogin(env: NodeJS.ProcessEnv = process.env): boolean {
  return !/^(false|0|no|off)$/i.test(env.CROFT_AUTO_LOGIN?.trim() ?? '');
}

/** The trimmed user id; `undefined` for an absent or empty one, and for the texts `none` and `null`. */
export function presentUser(userId: string | null | undefined): string | undefined {
  const trimmed = userId === null || userId === undefined ? '' : String(userId).trim();
  return trimmed === '' || /^(none|null)$/i.test(trimmed) ? undefined : trimmed;
}

/** Which mode a call runs in. No I/O. */
export function namespaceMode(request: NamespaceRequest): NamespaceMode {
  if (!request.forceIsolation && autoLogin(request.env)) return 'shared';
  return presentUser(request.userId) === undefined ? 'refused' : 'isolated';
}

/**
 * Finds and makes the caller's namespace. Without a user it is refused before any I/O.
 *
 * @throws WorkspaceError `no_user`, `unavailable`; `operatorMessage` names the host paths, `message` does not
 */
export function resolveNamespace(request: NamespaceRequest): ResolvedNamespace {
  const mode = grantedMode(request);
  const config = readIsolationConfig(request.env);
  if (mode === 'shared') {
    const root = join(config.baseDir, 'shared');
    makeNamespace(root, SHARED, config);
    return { mode, root, config };
  }
  const pepper = pepperOf(config, loadOrCreatePepper);
  const root = join(config.baseDir, userNamespace(pepper, presentUser(request.userId) as string));
  makeNamespace(root, ISOLATED, config);
  return { mode, root, config };
}

/**
 * Finds the caller's namespace and makes nothing. Where `resolveNamespace` would fail, this fails with the same error, as
 * far as permissions tell.
 *
 * @throws WorkspaceError as `resolveNamespace`
 */
export function findNamespace(request: NamespaceRequest): FoundNamespace {
  const mode = grantedMode(request);
  const config = readIsolationConfig(request.env);
  if (mode === 'shared') {
    const root = join(config.baseDir, 'shared');
    return { mode, root, exists: isUsable(root, SHARED, config) };
  }
  const pepper = pepperOf(config, (path) => readPepper(path) ?? requireNoNamespaces(path));
  if (pepper === undefined) {
    isUsable(join(config.baseDir, 'users'), ISOLATED, config);
    return { mode, root: undefined, exists: false };
  }
  const root = join(config.baseDir, userNamespace(pepper, presentUser(request.userId) as string));
  return { mode, root, exists: isUsable(root, ISOLATED, config) };
}

/**
 * Host paths of the entries of `users/` that are not directories, such as symbolic links: no call can open these
 * namespaces. Empty while `users/` is missing or is not a directory. Reads names and types only.
 */
export async function findBrokenNamespaces(env?: NodeJS.ProcessEnv): Promise<readonly string[]> {
  const users = join(readIsolationConfig(env).baseDir, 'users');
  try {
    const entries = await readdir(users, { withFileTypes: true });
    return entries
      .filter((entry) => isNamespaceName(entry.name) && !entry.isDirectory())
      .map(({ name }) => join(users, name));
  } catch {
    // `findNamespace` reports why.
    return [];
  }
}

const SHARED = 'shared workspace';
const ISOLATED = 'user namespace';

/** @throws WorkspaceError `no_user` */
function grantedMode(request: NamespaceRequest): 'shared' | 'isolated' {
  const mode = namespaceMode(request);
  if (mode !== 'refused') return mode;
  const when = request.forceIsolation ? '_force_isolation is set' : 'AUTO_LOGIN=False';
  throw new WorkspaceError('no_user', `FileSystemTool requires an authenticated user when ${when}`);
}

function makeNamespace(path: string, what: string, config: IsolationConfig): void {
  try {
    // Checked first, because every call comes here and a failed mkdir costs more than the rest.
    if (!exists(path, what)) makeDirs(path);
    requireAccess(path);
  } catch (error) {
    throw notMade(error, path, what, config);
  }
}

/** Whether the directory exists; where not, whether it can be made is checked too. */
function isUsable(path: string, what: string, config: IsolationConfig): boolean {
  try {
    const found = exists(path, what);
    requireAccess(found ? path : nearestExisting(path));
    return found;
  } catch (error) {
    throw notMade(error, path, what, config);
  }
}

/**
 * Whether the namespace exists. An operator may put the shared files elsewhere with a symbolic link. A link in the place of a
 * user's namespace could lead to the files of another user.
 *
 * @throws NotANamespace for a link to a missing target, and for a link in the place of a user's namespace
 */
function exists(path: string, what: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found?.isSymbolicLink() !== true) return found !== undefined;
  if (what === ISOLATED) throw new NotANamespace('It is a symbolic link, not a directory');
  if (!existsSync(path)) throw new NotANamespace('It is a symbolic link to a missing directory');
  return true;
}

/** Its message is the reason for the operator. */
class NotANamespace extends Error {}

/** @throws Node's error for what is not a directory, or belongs to another account */
function requireAccess(dir: string): void {
  const inDir = `${dir}/.`;
  try {
    accessSync(inDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    if (errnoOf(error) !== 'EROFS') throw error;
    // A read-only file system can still be read.
    accessSync(inDir, constants.R_OK | constants.X_OK);
  }
}

function nearestExisting(path: string): string {
  const parent = dirname(path);
  return parent === path || statSync(parent, { throwIfNoEntry: false }) ? parent : nearestExisting(parent);
}

function notMade(error: unknown, path: string, what: string, config: IsolationConfig): WorkspaceError {
  const reason = error instanceof NotANamespace ? error.message : osReason(error);
  return new WorkspaceError(
    'unavailable',
    `Cannot create ${what}: ${reason}. Check that CROFT_BASE_DIR is writable by the Croft process user.`,
    {
      operatorMessage: `Cannot create ${what} at ${path}: ${reason}. Check that CROFT_BASE_DIR (${config.configured}) is writable by the Croft process user.`,
      cause: error,
    },
  );
}

/** The real path of a directory that may not exist yet. */
export function realDir(given: string): string {
  const path = resolve(given);
  try {
    return realpathSync.native(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realDir(parent), path.slice(parent.length).replace(/^[/\\]/, ''));
  }
}
