import { readMigrationFiles } from 'drizzle-orm/migrator';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import { StoreError } from './store-error.ts';

/** Any number, the same in every Croft: two servers that start at once on one database queue here. */
const LOCK_ID = 7_860_018_004;
const MIGRATIONS_DIR = fileURLToPath(new URL('../../migrations', import.meta.url));

/**
 * Brings the tables up to this program: every migration of `apps/server/migrations` that the database has not had, in
 * order, in one transaction, by one server at a time. Does nothing when there is none. Needs no extension and no right
 * beyond creating tables in the schema that comes first in the search path.
 *
 * @throws StoreError `newer_database` when it has had one that this program does not know
 */
export async function migrate(client: pg.ClientBase, migrationsDir: string = MIGRATIONS_DIR): Promise<void> {
  const known = readMigrationFiles({ migrationsFolder: migrationsDir });
  if (await isUpToDate(client, known)) return;
  await client.query('BEGIN');
  try {
    // Bound to the transaction, so that it is given back however this ends, and a pooler between does no harm.
    await client.query('SET LOCAL statement_timeout = 0');
    await client.query('SELECT pg_advisory_xact_lock($1)', [LOCK_ID]);
    await client.query(
      'CREATE TABLE IF NOT EXISTS croft_migration (hash text PRIMARY KEY, name_ms bigint NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())',
    );
    const applied = await appliedHashes(client);
    refuseNewer(applied, known);
    for (const { hash, sql, folderMillis } of known) {
      if (applied.has(hash)) continue;
      for (const statement of sql) await client.query(statement);
      await client.query('INSERT INTO croft_migration (hash, name_ms) VALUES ($1, $2)', [hash, folderMillis]);
    }
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  }
}

type Migrations = ReturnType<typeof readMigrationFiles>;

/** The look that most starts end with, which takes no lock. */
async function isUpToDate(client: pg.ClientBase, known: Migrations): Promise<boolean> {
  const { rows } = await client.query<{ there: boolean }>("SELECT to_regclass('croft_migration') IS NOT NULL AS there");
  if (!rows[0]?.there) return false;
  const applied = await appliedHashes(client);
  refuseNewer(applied, known);
  return known.every(({ hash }) => applied.has(hash));
}

async function appliedHashes(client: pg.ClientBase): Promise<Set<string>> {
  const { rows } = await client.query<{ hash: string }>('SELECT hash FROM croft_migration');
  return new Set(rows.map((row) => row.hash));
}

function refuseNewer(applied: ReadonlySet<string>, known: Migrations): void {
  const hashes = new Set(known.map(({ hash }) => hash));
  const strange = [...applied].filter((hash) => !hashes.has(hash)).length;
  if (strange > 0)
    throw new StoreError(
      'newer_database',
      `The database was last used by a newer Croft (${strange} of its changes to the tables are not known here): install the newest version, or use another database.`,
    );
}
