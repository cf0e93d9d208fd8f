import { randomBytes } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findNamespace, WorkspaceError } from '@croft/workspace';
import type { Settings } from './config/settings.ts';
import { hostFailure } from './host-failure.ts';
import { logHostFailure, type Log } from './log.ts';
import type { Readiness } from './readiness.ts';
import { hasAdmin } from './store/users.ts';

/** Why the server cannot serve now. `admin`: nobody can sign in yet. `files`: no namespace can be opened. */
export type NotReady = 'database' | 'admin' | 'disk' | 'files';

export interface ReadyCheckOptions {
  readonly settings: Pick<Settings, 'autoLogin' | 'baseDir'>;
  readonly readiness: Readiness;
  readonly log: Log;
}

/** `/readyz` is open to everybody: a good answer is given again for this long. */
const FRESH_MS = 1_000;
/** An orchestrator gives up after a few seconds; the database counts as down before that. */
const DATABASE_MS = 2_000;
/** Enough that a file system without room refuses it, also one that packs small files into their inodes. */
const PROBE_BYTES = 64 * 1024;

/**
 * Checks whether the server can serve: asks the database for an admin, writes a file in the base directory and in that of
 * the workspaces, and looks for a namespace without making it. Requests at the same time share one check; a good answer may be one second old.
 */
export function createReadyCheck({ settings, readiness, log }: ReadyCheckOptions): () => Promise<NotReady | undefined> {
  let running: Promise<NotReady | undefined> | undefined;
  let goodUntil = 0;
  const check = async (): Promise<NotReady | undefined> => {
    if (!readiness.isReady()) return 'database';
    const [database, disk] = await Promise.all([
      within(DATABASE_MS, hasAdmin(readiness.db, settings)).then(
        (found) => (found ? undefined : ('admin' as const)),
        () => 'database' as const,
      ),
      // The workspaces may be a volume of their own.
      Promise.all(['', 'workspaces'].map((name) => probeDisk(join(settings.baseDir, name), log))),
    ]);
    const found = database ?? disk.find((one) => one !== undefined) ?? findUnusable(settings, log);
    if (found === undefined) goodUntil = Date.now() + FRESH_MS;
    return found;
  };
  return async () => {
    if (Date.now() < goodUntil) return undefined;
    running ??= check().finally(() => {
      running = undefined;
    });
    return running;
  };
}

function findUnusable({ autoLogin, baseDir }: ReadyCheckOptions['settings'], log: Log): 'files' | undefined {
  const env = { CROFT_BASE_DIR: baseDir, CROFT_AUTO_LOGIN: String(autoLogin) };
  try {
    findNamespace({ userId: 'ready-check', env });
    return undefined;
  } catch (error) {
    if (!(error instanceof WorkspaceError)) throw error;
    log.error({ reason: error.operatorMessage }, 'files unavailable');
    return 'files';
  }
}

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
