import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
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

/**
 * As {@link copyNewDatabase}, with the tables that a server adds for its first queued run, in more than 100 statements. The copy
 * has no template for another database: that is a third of the files.
 */
export function copyServerDatabase(baseDir: string): Promise<void> {
  return copyOriginal(baseDir, 'server', async (database) => {
    await dropTemplate(database, 'template1');
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
  const { root, data } = postgresLayout(baseDir);
  mkdirSync(root, { recursive: true });
  // It keeps the owner, so the start of the database does not change the owner of each file.
  execFileSync('cp', ['-a', original, data]);
}

async function dropTemplate({ pool }: Database, name: string): Promise<void> {
  await pool.query('UPDATE pg_database SET datistemplate = false WHERE datname = $1', [name]);
  await pool.query(`DROP DATABASE ${name}`);
}

/** Processes may do this at the same time: the first complete one stays. */
async function createOriginal(originals: string, original: string, prepare: Prepare): Promise<void> {
  const baseDir = mkdtempSync(join(originals, 'new-'));
  try {
    const database = openDatabase({ baseDir });
    try {
      await database.ready;
      await dropTemplate(database, 'template0');
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
