import { cpSync, existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createSealer, openRuns } from '@croft/runs';
import { type Database, openDatabase } from './store/database.ts';
import { postgresLayout } from './store/postgres-layout.ts';

/**
 * Copies a database with tables and without rows into a new base directory, in a tenth of the time that creating one takes.
 * The first call of a test run creates the original. Does nothing outside `npm test`, where the directory for it is missing.
 */
export function copyNewDatabase(baseDir: string): Promise<void> {
  return copyOriginal(baseDir, 'new', async () => {});
}

/** As {@link copyNewDatabase}, with the tables that a server adds for its first queued run, in more than 100 statements. */
export function copyServerDatabase(baseDir: string): Promise<void> {
  return copyOriginal(baseDir, 'server', async (database) => {
    const sealer = createSealer([{ id: 'unused', key: Buffer.alloc(32) }]);
    const runs = await openRuns({ database: database.connection(), sealer });
    await runs.close();
  });
}

type Prepare = (database: Database) => Promise<void>;

async function copyOriginal(baseDir: string, name: string, prepare: Prepare): Promise<void> {
  const originals = process.env['TEST_DATABASES'];
  if (originals === undefined) return;
  const original = join(originals, name);
  if (!existsSync(original)) await createOriginal(originals, original, prepare);
  cpSync(original, postgresLayout(baseDir).data, { recursive: true });
}

/** Processes may do this at the same time: the first complete one stays. */
async function createOriginal(originals: string, original: string, prepare: Prepare): Promise<void> {
  const baseDir = mkdtempSync(join(originals, 'new-'));
  try {
    const database = openDatabase({ baseDir });
    try {
      await database.ready;
      await prepare(database);
    } finally {
      await database.close();
    }
    renameSync(postgresLayout(baseDir).data, original);
  } catch (error) {
    if (!existsSync(original)) throw error;
  } finally {
    rmSync(baseDir, { recursive: true, force: true, maxRetries: 5 });
  }
}
