import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError } from '../config/load-config.ts';
import type { Settings } from '../config/settings.ts';
import { loadOrCreateSecret } from '../secret-file.ts';
import type { SecretKeys } from '../secret-key.ts';
import type { Db } from '../store/database.ts';
import { readSetting, writeSetting } from '../store/settings.ts';
import { sealingKeys } from '../variables/sealing-keys.ts';

const FILE = 'worker-group';

/**
 * The id of a base directory on a shared database: only processes with this directory, and so with the files of its users,
 * take its runs. Empty for the embedded database, which one process uses.
 */
export function workerGroupOf({ baseDir, databaseUrl }: Pick<Settings, 'baseDir' | 'databaseUrl'>): string {
  if (databaseUrl === undefined) return '';
  return loadOrCreateSecret(join(baseDir, FILE), {
    what: 'group',
    pattern: /^[0-9a-f]{16}$/,
    make: () => randomBytes(8).toString('hex'),
  });
}

const settingOf = (group: string): string => `worker-group:${group}`;
/** An id reveals nothing about its key. */
const keyIdsOf = (secretKeys: SecretKeys): string[] => sealingKeys(secretKeys, 'runs').map(({ id }) => id);

/** Stores with which key the server of this group encrypts runs, for workers to check theirs. */
export async function announceGroup(db: Db, group: string, secretKeys: SecretKeys): Promise<void> {
  if (group !== '') await writeSetting(db, settingOf(group), { keyId: keyIdsOf(secretKeys)[0] });
}

/** @throws ConfigError with a sentence where these settings are not those of a worker */
export function refuseWorkerSettings({ baseDir, databaseUrl }: Pick<Settings, 'baseDir' | 'databaseUrl'>): void {
  if (databaseUrl === undefined)
    throw new ConfigError('A worker needs DATABASE_URL: set it to the database of the server, for the server too');
  if (!existsSync(join(baseDir, FILE)))
    throw new ConfigError(
      `CROFT_BASE_DIR (${baseDir}) is not the base directory of a server with DATABASE_URL: start the server with it first, or set CROFT_BASE_DIR to the directory of the server`,
    );
}

/** @throws ConfigError where no server has this group on the database, or its key is another one */
export async function refuseForeignGroup(db: Db, group: string, secretKeys: SecretKeys): Promise<void> {
  const stored = (await readSetting(db, settingOf(group))) as { keyId?: unknown } | null | undefined;
  if (stored === undefined || stored === null)
    throw new ConfigError(
      'No server with this base directory uses this database: set DATABASE_URL and CROFT_BASE_DIR as for the server',
    );
  if (!keyIdsOf(secretKeys).includes(String(stored.keyId)))
    throw new ConfigError('The secret key is not that of the server: set CROFT_SECRET_KEY as for the server');
}
