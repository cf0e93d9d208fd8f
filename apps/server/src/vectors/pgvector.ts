import { isOutage } from '@croft/runs/outage';
import { and, desc, eq, lte, sql } from 'drizzle-orm';
import type { Log } from '../log.ts';
import type { Db } from '../store/database.ts';
import { errorCode } from '../store/store-error.ts';
import { vectorBlock, type vectorCollection } from '../store/vector-schema.ts';
import { bestOf, type Scored } from './best-scores.ts';
import { preparePgvector } from './prepare-pgvector.ts';

type Collection = Pick<typeof vectorCollection.$inferSelect, 'id' | 'dimensions' | 'chunks'>;

/** The type `vector` holds no more. */
const MAX_DIMENSIONS = 16_000;
/** Of one statement: 16 MB of vectors. A cancelled search ends after the statement that runs. */
const NUMBERS_AT_ONCE = 4 * 1024 * 1024;

/** Searches in the database, where it has the extension `vector`. */
export interface Pgvector {
  /** The closest chunks; undefined where the extension cannot search this collection. */
  closest(
    db: Db,
    collection: Collection,
    vector: Float32Array,
    limit: number,
    signal: AbortSignal,
  ): Promise<readonly Scored[] | undefined>;
}

/**
 * Opens pgvector at the first search. The blocks stay the source: `vector_copy` holds the same vectors in the type of
 * the extension, and a search first copies those that are missing. A failure other than an outage gives undefined, and
 * the next search looks for the extension again.
 */
export function createPgvector(log: Pick<Log, 'info' | 'warn'>): Pgvector {
  let prepared: Promise<number | undefined> | undefined;
  return {
    async closest(db, collection, vector, limit, signal) {
      if (vector.length !== collection.dimensions || vector.length > MAX_DIMENSIONS) return undefined;
      try {
        prepared ??= preparePgvector(db, log);
        const type = await prepared;
        if (type === undefined) return undefined;
        await copyMissing(db, collection, type, signal);
        return await closestOfCopy(db, collection, vector, limit, signal);
      } catch (error) {
        signal.throwIfAborted();
        prepared = undefined;
        if (isOutage(error)) throw error;
        log.warn(
          { code: errorCode((error as Error).cause ?? error) },
          'pgvector failed; the server compares vectors itself',
        );
        return undefined;
      }
    },
  };
}

/**
 * Copies vectors that were written since the last search, in the order of their positions, so that a search that ends
 * early leaves no gap. Two searches may copy the same ones.
 */
async function copyMissing(db: Db, { id, chunks, dimensions }: Collection, type: number, signal: AbortSignal) {
  const { rows } = await db.execute<{ next: number }>(
    sql`SELECT coalesce(max(position) + 1, 0)::int AS next FROM vector_copy WHERE collection_id = ${id}`,
  );
  let next = rows[0]?.next ?? 0;
  while (next < chunks) {
    signal.throwIfAborted();
    const [block] = await db
      .select({ first: vectorBlock.first, vectors: vectorBlock.vectors })
      .from(vectorBlock)
      .where(and(eq(vectorBlock.collectionId, id), lte(vectorBlock.first, next)))
      .orderBy(desc(vectorBlock.first))
      .limit(1);
    const missing = block?.vectors.subarray((next - block.first) * dimensions * 4);
    // The collection was replaced meanwhile.
    if (missing === undefined || missing.length === 0) return;
    await db.execute(sql`
      INSERT INTO vector_copy (collection_id, position, vector)
      SELECT ${id}, ${next}::int + place::int - 1, vector
      FROM unnest(${vectorArray(type, missing, dimensions)}::vector[]) WITH ORDINALITY AS new (vector, place)
      ON CONFLICT DO NOTHING`);
    next += missing.length / (dimensions * 4);
  }
}

/** Vectors as an array in PostgreSQL's binary form: as text, they would cost both sides seconds. */
function vectorArray(type: number, vectors: Buffer, dimensions: number): Buffer {
  const bytes = dimensions * 4;
  const count = vectors.length / bytes;
  const array = Buffer.alloc(20 + count * (8 + bytes));
  // One dimension, no nulls, the type, the length, the first index.
  for (const [at, field] of [1, 0, type, count, 1].entries()) array.writeUInt32BE(field, at * 4);
  for (let row = 0, at = 20; row < count; row++, at += 8 + bytes) {
    array.writeUInt32BE(4 + bytes, at);
    array.writeUInt16BE(dimensions, at + 4);
    vectors.copy(array, at + 8, row * bytes, (row + 1) * bytes);
    array.subarray(at + 8, at + 8 + bytes).swap32();
  }
  return array;
}

/**
 * Compares every vector: there is no index. The inner product is the cosine here, because vectors have unit length, and
 * unlike `<=>` it keeps equal scores equal: the lengths that `<=>` divides by differ in their last bits.
 */
async function closestOfCopy(
  db: Db,
  { id, chunks, dimensions }: Collection,
  vector: Float32Array,
  limit: number,
  signal: AbortSignal,
): Promise<readonly Scored[]> {
  const product = sql`vector <#> ${JSON.stringify([...vector])}::vector`;
  const step = Math.max(1, Math.floor(NUMBERS_AT_ONCE / dimensions));
  const best = bestOf(limit);
  for (let first = 0; first < chunks; first += step) {
    signal.throwIfAborted();
    const { rows } = await db.execute<{ position: number; score: number }>(sql`
      SELECT position, -distance AS score
      FROM (
        SELECT position, ${product} AS distance FROM vector_copy
        WHERE collection_id = ${id} AND position >= ${first} AND position < ${first + step}
      ) AS compared
      WHERE distance < 0 ORDER BY distance, position LIMIT ${limit}`);
    for (const { position, score } of rows) best.add(position, score);
  }
  return best.list();
}
