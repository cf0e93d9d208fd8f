import { randomUUID } from 'node:crypto';
import { type Chunk, ComponentError, lengthOf, type WriteOptions } from '@croft/components';
import { and, desc, eq, lt, ne, sql } from 'drizzle-orm';
import type { Db, Transaction } from '../store/database.ts';
import { vectorBlock, vectorCollection, vectorDraft, vectorWrite } from '../store/vector-schema.ts';
import { draftsOf, HASH_BYTES, hashesOf } from './known-vectors.ts';
import { CHUNKS_OF_BLOCK, packed } from './pack-vectors.ts';
import type { VectorLimits } from './vector-limits.ts';
import { indexWords } from './word-index.ts';

/** Of an advisory lock, with the user's id: one write of a user at a time. */
const WRITE_LOCK_ID = 7_860_018_012;
const TERMS_OF_STATEMENT = 2_000;

type Collection = typeof vectorCollection.$inferSelect;

/** Chunks to write, for a user. */
export interface ChunkWrite extends WriteOptions {
  readonly userId: string;
  readonly runId: string;
  readonly name: string;
  readonly embedder: string;
  readonly chunks: readonly Chunk[];
  readonly limits: VectorLimits;
}

/**
 * Writes chunks in one transaction: a cancelled write leaves the collection as it was. The same step again adds nothing.
 *
 * @throws ComponentError where the user stores too much, or the vectors have different lengths
 */
export async function writeChunks(db: Db, write: ChunkWrite): Promise<Collection> {
  const { userId, runId, name, chunks, replace, signal, stepKey } = write;
  const contents = chunks.map(({ text, data }) => JSON.stringify({ text, data }));
  const texts = chunks.map(({ text }) => text);
  const { terms, words } = await indexWords(texts, 0, signal);
  const hashes = await hashesOf(texts, signal);
  const dimensions = lengthOf(chunks.map(({ vector }) => vector));
  const bytes = contents.reduce(
    (total, content) => total + Buffer.byteLength(content),
    chunks.length * (dimensions * 4 + HASH_BYTES) + words * 12,
  );
  return db.transaction(async (tx) => {
    await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${userId}, ${WRITE_LOCK_ID}::bigint))`);
    const [found] = await tx
      .select()
      .from(vectorCollection)
      .where(and(eq(vectorCollection.userId, userId), eq(vectorCollection.name, name)));
    const existing = replace ? undefined : found;
    await tx.delete(vectorDraft).where(draftsOf(write));
    const step = JSON.stringify([runId, stepKey]);
    if (existing !== undefined && (await isWritten(tx, existing.id, step))) return existing;
    if (existing !== undefined && existing.embedder !== write.embedder)
      throw new ComponentError(
        `The collection '${name}' has vectors of ${existing.embedder}, not of ${write.embedder}.`,
        `Connect the embedding model ${existing.embedder}, or replace the content.`,
      );
    if (existing !== undefined && existing.chunks > 0 && dimensions > 0 && existing.dimensions !== dimensions)
      throw new ComponentError(
        `The collection '${name}' has vectors of ${existing.dimensions} numbers, not of ${dimensions}.`,
        'Use the same embedding model, or replace the content.',
      );
    await refuseTooMuch(tx, write, existing, bytes);
    if (replace && found !== undefined) await tx.delete(vectorCollection).where(eq(vectorCollection.id, found.id));
    const row = existing ?? (await addCollection(tx, write, dimensions));
    await addStep(tx, row.id, step);
    await addContents(tx, row, contents, signal);
    await addVectors(tx, row, { chunks, hashes }, signal);
    await addTerms(tx, row, terms, signal);
    const [done] = await tx
      .update(vectorCollection)
      .set({
        chunks: row.chunks + chunks.length,
        words: row.words + words,
        bytes: row.bytes + bytes,
        dimensions: dimensions || row.dimensions,
        updatedAt: sql`now()`,
      })
      .where(eq(vectorCollection.id, row.id))
      .returning();
    return done as Collection;
  });
}

async function isWritten(tx: Transaction, collectionId: string, step: string): Promise<boolean> {
  const rows = await tx
    .select({ step: vectorWrite.step })
    .from(vectorWrite)
    .where(and(eq(vectorWrite.collectionId, collectionId), eq(vectorWrite.step, step)));
  return rows.length > 0;
}

/** Notes the step, and forgets those of runs that ended long ago. */
async function addStep(tx: Transaction, collectionId: string, step: string): Promise<void> {
  await tx.insert(vectorWrite).values({ collectionId, step });
  await tx
    .delete(vectorWrite)
    .where(and(eq(vectorWrite.collectionId, collectionId), lt(vectorWrite.createdAt, sql`now() - interval '90 days'`)));
}

async function refuseTooMuch(
  tx: Transaction,
  { userId, name, chunks, replace, limits }: ChunkWrite,
  existing: Collection | undefined,
  bytes: number,
): Promise<void> {
  const [others] = await tx
    .select({
      count: sql<number>`count(*)::int`,
      bytes: sql`coalesce(sum(${vectorCollection.bytes}), 0)`.mapWith(Number),
    })
    .from(vectorCollection)
    .where(and(eq(vectorCollection.userId, userId), replace ? ne(vectorCollection.name, name) : undefined));
  const fix = 'Write fewer chunks, or delete collections with DELETE /api/v1/collections/{name}.';
  const total = (existing?.chunks ?? 0) + chunks.length;
  if (total > limits.chunksOfCollection)
    throw new ComponentError(
      `The collection '${name}' would have ${total} chunks; the server stores at most ${limits.chunksOfCollection}.`,
      'Replace the content, or use several collections.',
    );
  if (existing === undefined && (others?.count ?? 0) >= limits.collectionsOfUser)
    throw new ComponentError(`You have ${limits.collectionsOfUser} collections, which is the limit.`, fix);
  if ((others?.bytes ?? 0) + bytes > limits.bytesOfUser)
    throw new ComponentError(`Your collections would use more than ${limits.bytesOfUser} bytes.`, fix);
}

async function addCollection(tx: Transaction, { userId, name, embedder }: ChunkWrite, dimensions: number) {
  const [row] = await tx
    .insert(vectorCollection)
    .values({ id: randomUUID(), userId, name, embedder, dimensions, chunks: 0, words: 0, bytes: 0 })
    .returning();
  return row as Collection;
}

async function addContents(tx: Transaction, { id, chunks }: Collection, contents: string[], signal: AbortSignal) {
  for (let at = 0; at < contents.length; at += CHUNKS_OF_BLOCK) {
    signal.throwIfAborted();
    await tx.execute(sql`
      INSERT INTO vector_chunk (collection_id, position, content)
      SELECT ${id}, ${chunks + at}::int + place::int - 1, content
      FROM unnest(${sql.param(contents.slice(at, at + CHUNKS_OF_BLOCK))}::text[]) WITH ORDINALITY AS new (content, place)`);
  }
}

/** Fills the last block before it adds others, so that many small additions make few blocks. */
async function addVectors(
  tx: Transaction,
  { id, chunks: before }: Collection,
  { chunks, hashes }: { readonly chunks: readonly Chunk[]; readonly hashes: Buffer },
  signal: AbortSignal,
): Promise<void> {
  const part = (from: number, to: number) => ({
    vectors: packed(chunks.slice(from, to).map(({ vector }) => vector)),
    hashes: hashes.subarray(from * HASH_BYTES, to * HASH_BYTES),
  });
  const [last] = await tx
    .select({
      first: vectorBlock.first,
      count: vectorBlock.count,
      hashed: sql`octet_length(${vectorBlock.hashes})`.mapWith(Number),
    })
    .from(vectorBlock)
    .where(eq(vectorBlock.collectionId, id))
    .orderBy(desc(vectorBlock.first))
    .limit(1);
  let at = 0;
  if (last !== undefined && last.count < CHUNKS_OF_BLOCK) {
    at = Math.min(CHUNKS_OF_BLOCK - last.count, chunks.length);
    const added = part(0, at);
    // Texts of older servers have no hash. No text has zeros for one.
    const unknown = Buffer.alloc(last.count * HASH_BYTES - last.hashed);
    await tx
      .update(vectorBlock)
      .set({
        vectors: sql`${vectorBlock.vectors} || ${added.vectors}`,
        hashes: sql`${vectorBlock.hashes} || ${Buffer.concat([unknown, added.hashes])}`,
        count: last.count + at,
      })
      .where(and(eq(vectorBlock.collectionId, id), eq(vectorBlock.first, last.first)));
  }
  for (; at < chunks.length; at += CHUNKS_OF_BLOCK) {
    signal.throwIfAborted();
    const count = Math.min(CHUNKS_OF_BLOCK, chunks.length - at);
    await tx.insert(vectorBlock).values({ collectionId: id, first: before + at, count, ...part(at, at + count) });
  }
}

async function addTerms(
  tx: Transaction,
  { id, chunks }: Collection,
  terms: ReadonlyMap<string, readonly number[]>,
  signal: AbortSignal,
): Promise<void> {
  const all = [...terms];
  for (let at = 0; at < all.length; at += TERMS_OF_STATEMENT) {
    signal.throwIfAborted();
    const part = all.slice(at, at + TERMS_OF_STATEMENT);
    const words = part.map(([term]) => term);
    const postings = part.map(([, list]) => Buffer.from(shifted(list, chunks).buffer));
    await tx.execute(sql`
      INSERT INTO vector_term (collection_id, term, postings)
      SELECT ${id}, term, postings FROM unnest(${sql.param(words)}::text[], ${sql.param(postings)}::bytea[]) AS new (term, postings)
      ON CONFLICT (collection_id, term) DO UPDATE SET postings = vector_term.postings || excluded.postings`);
  }
}

/** Postings of texts that come after others. */
function shifted(list: readonly number[], before: number): Uint32Array<ArrayBuffer> {
  const postings = Uint32Array.from(list);
  for (let at = 0; at < postings.length; at += 3) postings[at] = (postings[at] as number) + before;
  return postings;
}
