import { ComponentError, type VectorStore } from '@croft/components';
import { and, eq } from 'drizzle-orm';
import type { Db } from '../store/database.ts';
import { vectorCollection, vectorDraft } from '../store/vector-schema.ts';
import { draftsOf, keepDraft, knownVectors } from './known-vectors.ts';
import { readFirst, searchVectors, searchWords, type VectorEngine } from './search-chunks.ts';
import { VECTOR_LIMITS, type VectorLimits } from './vector-limits.ts';
import { writeChunks } from './write-chunks.ts';

/** The collections of a user, for one run. Searches give the same as `memoryVectorStore`. */
export function storedVectors(
  storage: () => Promise<Db>,
  engine: VectorEngine,
  { userId, runId }: { readonly userId: string; readonly runId: string },
  limits: VectorLimits = VECTOR_LIMITS,
): VectorStore {
  const find = async (db: Db, name: string) => {
    const [row] = await db
      .select()
      .from(vectorCollection)
      .where(and(eq(vectorCollection.userId, userId), eq(vectorCollection.name, checkedName(name, limits))));
    return row;
  };
  return {
    async info(name) {
      const found = await find(await storage(), name);
      return found && { embedder: found.embedder, chunks: found.chunks };
    },
    async write(name, embedder, chunks, options) {
      const write = { userId, runId, name: checkedName(name, limits), embedder, chunks, limits, ...options };
      const { chunks: count } = await writeChunks(await storage(), write);
      engine.comparisons.note([userId, name, embedder]);
      return { embedder, chunks: count };
    },
    async vectorsOf(name, embedder, texts, signal) {
      return knownVectors(await storage(), { userId, name: checkedName(name, limits), embedder }, texts, signal);
    },
    async keepVectors(name, embedder, vectors) {
      await keepDraft(await storage(), { userId, name: checkedName(name, limits), embedder }, vectors, limits);
    },
    async dropKept(name, embedder) {
      await (await storage()).delete(vectorDraft).where(draftsOf({ userId, name }, embedder));
    },
    async sample(name, embedder) {
      const db = await storage();
      const found = await find(db, name);
      return found?.embedder === embedder ? readFirst(db, found) : undefined;
    },
    isCompared: (name, embedder) => engine.comparisons.isRecent([userId, name, embedder]),
    compared: (name, embedder) => engine.comparisons.note([userId, name, embedder]),
    async searchVector(name, vector, limit, signal) {
      signal.throwIfAborted();
      const db = await storage();
      const found = await find(db, name);
      return found ? searchVectors(db, engine, found, vector, limit, signal) : [];
    },
    async searchText(name, query, limit, signal) {
      signal.throwIfAborted();
      const db = await storage();
      const found = await find(db, name);
      return found ? searchWords(db, found, query, limit, signal) : [];
    },
  };
}

/** @throws ComponentError */
function checkedName(name: string, { nameLength }: VectorLimits): string {
  if (name.length <= nameLength && !name.includes('\0')) return name;
  throw new ComponentError(
    `The name of a collection has at most ${nameLength} characters, without NUL.`,
    'Choose a shorter name.',
  );
}
