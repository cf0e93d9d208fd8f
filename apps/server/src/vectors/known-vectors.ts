import { createHash, randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { and, eq, inArray, lt, sql } from 'drizzle-orm';
import type { Db } from '../store/database.ts';
import { vectorBlock, vectorCollection, vectorDraft } from '../store/vector-schema.ts';
import { CHUNKS_OF_BLOCK, packed } from './pack-vectors.ts';
import type { VectorLimits } from './vector-limits.ts';

export const HASH_BYTES = 32;
/** Blocks of one statement: 8 MB with 512 numbers in a vector. */
const BLOCKS_AT_ONCE = 8;
/** An attempt after this time embeds its texts again. */
const DRAFT_DAYS = 7;

/** A collection of a user, and the embedder of a write to it. */
export interface DraftOwner {
  readonly userId: string;
  readonly name: string;
  readonly embedder: string;
}

/** SHA-256 of texts, one after the other. UTF-16, because UTF-8 makes half surrogates equal. Other requests run in between. */
export async function hashesOf(texts: readonly string[], signal?: AbortSignal): Promise<Buffer> {
  const hashes = Buffer.alloc(texts.length * HASH_BYTES);
  for (const [at, text] of texts.entries()) {
    if (at % CHUNKS_OF_BLOCK === 0) await nextTurn();
    signal?.throwIfAborted();
    createHash('sha256')
      .update(text, 'utf16le')
      .digest()
      .copy(hashes, at * HASH_BYTES);
  }
  return hashes;
}

/** The vectors that the chunks of the collection and its drafts have for these texts, by text. */
export async function knownVectors(
  db: Db,
  { userId, name, embedder }: DraftOwner,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Float32Array>> {
  const hashes = await hashesOf(texts, signal);
  const wanted = new Map(texts.map((text, at) => [keyAt(hashes, at), text]));
  const known = new Map<string, Float32Array>();
  const ofDraft = { id: vectorDraft.id, count: vectorDraft.count, hashes: vectorDraft.hashes };
  const drafts = await db.select(ofDraft).from(vectorDraft).where(draftsOf({ userId, name }, embedder));
  const readDrafts = (ids: readonly string[]) =>
    db
      .select({ ...ofDraft, vectors: vectorDraft.vectors })
      .from(vectorDraft)
      .where(inArray(vectorDraft.id, [...ids]));
  await collect(drafts, readDrafts, wanted, known, signal);
  const columns = { id: vectorBlock.first, count: vectorBlock.count, hashes: vectorBlock.hashes };
  const ofCollection = and(
    eq(vectorCollection.userId, userId),
    eq(vectorCollection.name, name),
    eq(vectorCollection.embedder, embedder),
  );
  const blocks = await db
    .select({ ...columns, collection: vectorCollection.id })
    .from(vectorBlock)
    .innerJoin(vectorCollection, and(eq(vectorCollection.id, vectorBlock.collectionId), ofCollection));
  const readBlocks = (firsts: readonly number[]) =>
    db
      .select({ ...columns, vectors: vectorBlock.vectors })
      .from(vectorBlock)
      .where(and(eq(vectorBlock.collectionId, blocks[0]?.collection ?? ''), inArray(vectorBlock.first, [...firsts])));
  await collect(blocks, readBlocks, wanted, known, signal);
  return known;
}

interface Hashed<Id> {
  readonly id: Id;
  readonly count: number;
  readonly hashes: Buffer;
}

/** Adds the vectors of wanted texts, and reads the vectors only of rows that have one. Other requests run in between. */
async function collect<Id>(
  rows: readonly Hashed<Id>[],
  read: (ids: readonly Id[]) => Promise<readonly (Hashed<Id> & { readonly vectors: Buffer })[]>,
  wanted: ReadonlyMap<string, string>,
  known: Map<string, Float32Array>,
  signal: AbortSignal,
): Promise<void> {
  const missingAt = ({ hashes }: { readonly hashes: Buffer }, at: number) => {
    const text = wanted.get(keyAt(hashes, at));
    return text === undefined || known.has(text) ? undefined : text;
  };
  const has = (row: Hashed<Id>) => Array.from({ length: row.count }, (_, at) => missingAt(row, at)).some(isText);
  const useful: Id[] = [];
  for (const row of rows) {
    await nextTurn();
    signal.throwIfAborted();
    if (has(row)) useful.push(row.id);
  }
  for (let from = 0; from < useful.length; from += BLOCKS_AT_ONCE) {
    signal.throwIfAborted();
    for (const row of await read(useful.slice(from, from + BLOCKS_AT_ONCE))) {
      const bytes = row.vectors.length / row.count;
      for (let at = 0; at < row.count; at++) {
        const text = missingAt(row, at);
        if (text === undefined) continue;
        known.set(text, new Float32Array(new Uint8Array(row.vectors.subarray(at * bytes, (at + 1) * bytes)).buffer));
      }
    }
  }
}

const isText = (text: string | undefined): boolean => text !== undefined;
const keyAt = (hashes: Buffer, at: number): string => hashes.toString('base64', at * HASH_BYTES, (at + 1) * HASH_BYTES);

/** Drafts of one embedder, or of all, for a collection. */
export const draftsOf = ({ userId, name }: Pick<DraftOwner, 'userId' | 'name'>, embedder?: string) =>
  and(
    eq(vectorDraft.userId, userId),
    eq(vectorDraft.name, name),
    embedder === undefined ? undefined : eq(vectorDraft.embedder, embedder),
  );

/**
 * Keeps vectors until the collection is written, in place of those of another length that the model gave before. Keeps none
 * where the user has too many.
 */
export async function keepDraft(
  db: Db,
  owner: DraftOwner,
  vectors: ReadonlyMap<string, Float32Array>,
  { draftBytesOfUser }: VectorLimits,
): Promise<void> {
  const content = packed([...vectors.values()]);
  if (content.length === 0) return;
  const isOther = sql`octet_length(${vectorDraft.vectors}) <> ${vectorDraft.count} * ${content.length / vectors.size}::int`;
  await db.delete(vectorDraft).where(and(draftsOf(owner, owner.embedder), isOther));
  const [kept] = await db
    .select({
      bytes: sql`coalesce(sum(octet_length(${vectorDraft.vectors}) + octet_length(${vectorDraft.hashes})), 0)`.mapWith(
        Number,
      ),
    })
    .from(vectorDraft)
    .where(eq(vectorDraft.userId, owner.userId));
  if ((kept?.bytes ?? 0) + content.length + vectors.size * HASH_BYTES > draftBytesOfUser) return;
  const hashes = await hashesOf([...vectors.keys()]);
  await db.insert(vectorDraft).values({ id: randomUUID(), ...owner, count: vectors.size, vectors: content, hashes });
}

/** Removes the vectors of writes that did not continue. */
export async function dropOldDrafts(db: Db, now: Date): Promise<void> {
  const before = new Date(now.getTime() - DRAFT_DAYS * 86_400_000);
  await db.delete(vectorDraft).where(lt(vectorDraft.createdAt, before));
}
