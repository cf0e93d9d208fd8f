import { randomBytes } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findBrokenNamespaces, findNamespace, WorkspaceError } from '@croft/workspace';
import type { Settings } from './config/settings.ts';
import type { SharedMount } from './files/shared-mount.ts';
import { hostFailure } from './host-failure.ts';
import { LOCAL_USER_ID } from './local-user.ts';
import { logHostFailure, type Log } from './log.ts';
import type { Readiness } from './readiness.ts';
import { hasAdmin } from './store/users.ts';

/** Why the server cannot serve now. `admin`: the first admin account does not exist yet. `files`: no caller's tree can be opened. */
export type NotReady = 'database' | 'admin' | 'disk' | 'files';

export interface ReadyCheckOptions {
  readonly settings: Pick<Settings, 'autoLogin' | 'baseDir'>;
  readonly readiness: Readiness;
  readonly sharedMount: Pick<SharedMount, 'mode'>;
  readonly log: Log;
}

/** The state of the server. With accounts, `brokenNamespaces` counts the users whose calls fail while others' succeed. */
export interface ReadyState {
  readonly waitingFor?: NotReady;
  readonly brokenNamespaces?: number;
}

/** `/readyz` needs no sign-in, so a good result is reused for this long. */
const FRESH_MS = 1_000;
/** An orchestrator gives up after a few seconds; the database counts as down before that. */
const DATABASE_MS = 2_000;
/** Enough that a file system without room refuses it, also one that packs small files into their inodes. */
const PROBE_BYTES = 64 * 1024;
const MAX_LOGGED = 10;

/**
 * Checks whether the server can serve: asks the database for an admin, writes a file in the base directory and in that of
 * the workspaces, and finds every namespace of a caller's tree without making it. Requests at the same time share one check; a
 * good answer may be one second old.
 */
export function createReadyCheck(options: ReadyCheckOptions): () => Promise<ReadyState> {
  const { settings, readiness, log } = options;
  let running: Promise<ReadyState> | undefined;
  let good: ReadyState = {};
  let goodUntil = 0;
  const check = async (): Promise<ReadyState> => {
    if (!readiness.isReady()) return { waitingFor: 'database' };
    const [database, disk] = await Promise.all([
      within(DATABASE_MS, hasAdmin(readiness.db, settings)).then(
        (found) => (found ? undefined : ('admin' as const)),
        () => 'database' as const,
      ),
      // The workspaces may be a volume of their own.
      Promise.all(['', 'workspaces'].map((name) => probeDisk(join(settings.baseDir, name), log))),
    ]);
    const waitingFor = database ?? disk.find((one) => one !== undefined) ?? findUnusable(options);
    if (waitingFor !== undefined) return { waitingFor };
    const broken = settings.autoLogin ? [] : await findBrokenNamespaces(envOf(settings));
    if (broken.length > 0) log.error({ namespaces: broken.slice(0, MAX_LOGGED) }, 'namespaces are not directories');
    good = broken.length > 0 ? { brokenNamespaces: broken.length } : {};
    goodUntil = Date.now() + FRESH_MS;
    return good;
  };
  return async () => {
    if (Date.now() < goodUntil) return good;
    running ??= check().finally(() => {
      running = undefined;
    });
    return running;
  };
}

/** Finds what `createCallerFiles` opens for every caller: a namespace that fails there fails every call. */
function findUnusable({ settings, sharedMount, log }: ReadyCheckOptions): 'files' | undefined {
  const env = envOf(settings);
  try {
    findNamespace({ userId: settings.autoLogin ? LOCAL_USER_ID : 'ready-check', forceIsolation: true, env });
    if (settings.autoLogin || sharedMount.mode() !== 'off')
      findNamespace({ env: { ...env, CROFT_AUTO_LOGIN: 'true' } });
    return undefined;
  } catch (error) {
    if (!(error instanceof WorkspaceError)) throw error;
    log.error({ reason: error.operatorMessage }, 'files unavailable');
    return 'files';
  }
}

const envOf = ({ autoLogin, baseDir }: ReadyCheckOptions['settings']) => ({
  CROFT_BASE_DIR: baseDir,
  CROFT_AUTO_LOGIN: String(autoLogin),
});

/** Ignores failures other than a full disk. */
async function probeDisk(directory: string, log: Log): Promise<'disk' | undefined> {
  const file = join(directory, `.ready-${randomBytes(6).toString('hex')}`);
  try {
    await writeFile(file, Buffer.alloc(PROBE_BYTES), { mode: 0o600, flag: 'wx' });
    return undefined;
  } catch (error) {
    if (hostFailure(error) !== 'disk_full') return undefined;
    logHostFailure(log, error, {});
    return 'disk';
  } finally {
    await rm(file, { force: true }).catch(() => {});
  }
}

async function within<T>(timeoutMs: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('too late')), timeoutMs);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
