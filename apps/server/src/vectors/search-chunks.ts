import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Comparisons, Hit, Sample } from '@croft/components';
import { and, asc, eq, inArray, sql } from 'drizzle-orm';
import type { Db } from '../store/database.ts';
import { vectorBlock, vectorChunk, type vectorCollection, vectorTerm } from '../store/vector-schema.ts';
import { bestOf, type Scored } from './best-scores.ts';
import type { BlockCache } from './block-cache.ts';
import type { Pgvector } from './pgvector.ts';
import { addScores, termsOf } from './word-index.ts';

type Collection = typeof vectorCollection.$inferSelect;

/** Blocks of one statement: 8 MB with 512 numbers in a vector. */
const BLOCKS_AT_ONCE = 8;
/** Words of one statement: up to 10 MB of postings in a full collection. */
const TERMS_AT_ONCE = 16;
/** Other requests get their turn after this time. */
const TURN_MS = 15;

/** Where vectors are compared: with pgvector if it is given and the database has it, or here. One serves a process. */
export interface VectorEngine {
  readonly cache: BlockCache;
  /** By user, collection and embedder. */
  readonly comparisons: Comparisons;
  readonly pgvector?: Pgvector;
}

/** The chunks with the closest vectors, by exact cosine; vectors have unit length. Compares every vector. */
export async function searchVectors(
  db: Db,
  { cache, pgvector }: Pick<VectorEngine, 'cache' | 'pgvector'>,
  collection: Collection,
  vector: Float32Array,
  limit: number,
  signal: AbortSignal,
): Promise<Hit[]> {
  const best =
    (await pgvector?.closest(db, collection, vector, limit, signal)) ??
    (await closestOfBlocks(db, cache, collection, vector, limit, signal));
  signal.throwIfAborted();
  return readHits(db, collection.id, best);
}

async function closestOfBlocks(
  db: Db,
  cache: BlockCache,
  { id, dimensions }: Collection,
  vector: Float32Array,
  limit: number,
  signal: AbortSignal,
): Promise<readonly Scored[]> {
  const blocks = await db
    .select({ first: vectorBlock.first, count: vectorBlock.count })
    .from(vectorBlock)
    .where(eq(vectorBlock.collectionId, id))
    .orderBy(asc(vectorBlock.first));
  const best = bestOf(limit);
  const keyOf = ({ first, count }: { first: number; count: number }) => `${id}/${first}/${count}`;
  let started = performance.now();
  for (let at = 0; at < blocks.length; at += BLOCKS_AT_ONCE) {
    const part = blocks.slice(at, at + BLOCKS_AT_ONCE);
    const held = new Map(part.map((block) => [block.first, cache.get(keyOf(block))]));
    const missing = part.filter(({ first }) => held.get(first) === undefined);
    for (const { first, count, vectors } of await readBlocks(db, id, missing)) {
      held.set(first, vectors);
      cache.add(keyOf({ first, count }), vectors);
    }
    for (const { first } of part) {
      const vectors = held.get(first) ?? new Float32Array();
      for (let row = 0; (row + 1) * dimensions <= vectors.length; row++)
        best.add(first + row, dotAt(vectors, row * dimensions, vector));
      if (performance.now() - started < TURN_MS) continue;
      await nextTurn();
      signal.throwIfAborted();
      started = performance.now();
    }
  }
  return best.list();
}

/** The product of a vector and one that starts in the middle of others. */
function dotAt(vectors: Float32Array, start: number, vector: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < vector.length; at++) sum += (vectors[start + at] as number) * (vector[at] as number);
  return sum;
}

/** The chunks that share words with a query, by BM25. Reads only the words of the query, a few at once. */
export async function searchWords(
  db: Db,
  collection: Collection,
  query: string,
  limit: number,
  signal: AbortSignal,
): Promise<Hit[]> {
  const terms = termsOf(query);
  const scores = new Map<number, number>();
  for (let at = 0; at < terms.length; at += TERMS_AT_ONCE) {
    const part = terms.slice(at, at + TERMS_AT_ONCE);
    const rows = await db
      .select({ term: vectorTerm.term, postings: vectorTerm.postings })
      .from(vectorTerm)
      .where(and(eq(vectorTerm.collectionId, collection.id), inArray(vectorTerm.term, part)));
    const byTerm = new Map(rows.map(({ term, postings }) => [term, new Uint32Array(aligned(postings))]));
    for (const term of part) {
      const list = byTerm.get(term);
      if (list === undefined) continue;
      addScores(scores, list, collection);
      await nextTurn();
      signal.throwIfAborted();
    }
  }
  const best = bestOf(limit);
  for (const [position, score] of [...scores].sort(([a], [b]) => a - b)) best.add(position, score);
  return readHits(db, collection.id, best.list());
}

/** The first chunk of a collection. */
export async function readFirst(db: Db, { id, dimensions }: Collection): Promise<Sample | undefined> {
  const [row] = await db
    .select({
      content: vectorChunk.content,
      vector: sql<Buffer>`substring(${vectorBlock.vectors} for ${dimensions * 4}::int)`,
    })
    .from(vectorChunk)
    .innerJoin(vectorBlock, and(eq(vectorBlock.collectionId, vectorChunk.collectionId), eq(vectorBlock.first, 0)))
    .where(and(eq(vectorChunk.collectionId, id), eq(vectorChunk.position, 0)));
  return row && { text: (JSON.parse(row.content) as Hit).text, vector: new Float32Array(aligned(row.vector)) };
}

async function readBlocks(db: Db, id: string, wanted: readonly { readonly first: number }[]) {
  if (wanted.length === 0) return [];
  const firsts = wanted.map(({ first }) => first);
  const rows = await db
    .select({ first: vectorBlock.first, count: vectorBlock.count, vectors: vectorBlock.vectors })
    .from(vectorBlock)
    .where(and(eq(vectorBlock.collectionId, id), inArray(vectorBlock.first, firsts)));
  return rows.map((row) => ({ ...row, vectors: new Float32Array(aligned(row.vectors)) }));
}

/** A copy: numbers of four bytes start at a multiple of four, and a buffer of the driver anywhere. */
const aligned = (bytes: Buffer): ArrayBuffer => new Uint8Array(bytes).buffer;

async function readHits(db: Db, id: string, best: readonly Scored[]): Promise<Hit[]> {
  if (best.length === 0) return [];
  const positions = best.map(({ position }) => position);
  const rows = await db
    .select({ position: vectorChunk.position, content: vectorChunk.content })
    .from(vectorChunk)
    .where(and(eq(vectorChunk.collectionId, id), inArray(vectorChunk.position, positions)));
  const contents = new Map(rows.map(({ position, content }) => [position, content]));
  // The collection may have been replaced meanwhile.
  return best.flatMap(({ position, score }) => {
    const content = contents.get(position);
    return content === undefined ? [] : [{ ...(JSON.parse(content) as Omit<Hit, 'score'>), score }];
  });
}
