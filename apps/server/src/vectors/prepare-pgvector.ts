import { sql } from 'drizzle-orm';
import type { Log } from '../log.ts';
import type { Db, Transaction } from '../store/database.ts';
import { errorCode } from '../store/store-error.ts';

/** Of an advisory lock: two servers that begin at once prepare one after the other. */
const LOCK_ID = 7_860_018_013;
/** The role may not create the extension, or a table. */
const INSUFFICIENT_PRIVILEGE = '42501';

/**
 * The number of the type `vector`, with the table for vectors of that type. Creates the extension where PostgreSQL has its
 * files and the role may. Undefined where it cannot be used.
 */
export async function preparePgvector(db: Db, log: Pick<Log, 'info' | 'warn'>): Promise<number | undefined> {
  const { rows } = await db.execute(sql`SELECT 1 FROM pg_available_extensions WHERE name = 'vector'`);
  if (rows.length === 0) return undefined;
  try {
    const type = await db.transaction(prepareIn);
    if (type !== undefined) log.info('vectors are searched with pgvector');
    return type;
  } catch (error) {
    if (errorCode((error as Error).cause ?? error) !== INSUFFICIENT_PRIVILEGE) throw error;
    log.warn('PostgreSQL has pgvector, but this role may not create it: run CREATE EXTENSION vector, then restart');
    return undefined;
  }
}

async function prepareIn(tx: Transaction): Promise<number | undefined> {
  await tx.execute(sql`SELECT pg_advisory_xact_lock(${LOCK_ID}::bigint)`);
  if ((await typeIn(tx)) === undefined) await tx.execute(sql`CREATE EXTENSION IF NOT EXISTS vector`);
  const type = await typeIn(tx);
  if (type === undefined || (await hasTable(tx))) return type;
  // DROP EXTENSION … CASCADE removes the column, and leaves a table without vectors.
  await tx.execute(sql`DROP TABLE IF EXISTS vector_copy`);
  await tx.execute(sql`
    CREATE TABLE vector_copy (
      collection_id text NOT NULL REFERENCES vector_collection (id) ON DELETE CASCADE,
      position integer NOT NULL,
      vector vector NOT NULL,
      PRIMARY KEY (collection_id, position)
    )`);
  // Up to 2,000 numbers stay in the row: reading them from the TOAST table takes seven times as long.
  await tx.execute(sql`ALTER TABLE vector_copy ALTER COLUMN vector SET STORAGE MAIN`);
  return type;
}

/** The type of the extension, not one of a table with the same name; undefined outside the search path. */
async function typeIn(tx: Transaction): Promise<number | undefined> {
  const { rows } = await tx.execute<{ oid: number }>(sql`
    SELECT type.oid FROM pg_extension AS extension
    JOIN pg_type AS type ON type.typname = 'vector' AND type.typnamespace = extension.extnamespace
    WHERE extension.extname = 'vector' AND pg_type_is_visible(type.oid)`);
  return rows[0]?.oid;
}

async function hasTable(tx: Transaction): Promise<boolean> {
  const { rows } = await tx.execute(sql`
    SELECT 1 FROM pg_attribute
    WHERE attrelid = to_regclass('vector_copy') AND attname = 'vector' AND NOT attisdropped`);
  return rows.length > 0;
}
