import type { Row } from '../values.ts';
import { bm25 } from './bm25.ts';
import { createComparisons } from './comparisons.ts';
import { lengthOf } from './vector-length.ts';

/** A text with its vector and the record it comes from. */
export interface Chunk {
  readonly text: string;
  readonly data: Row;
  /** Of unit length. */
  readonly vector: Float32Array;
}

export interface Hit {
  readonly text: string;
  readonly data: Row;
  /** Cosine of the vectors, or the BM25 score of a text search. Higher is closer. */
  readonly score: number;
}

/** A stored text with its vector. */
export type Sample = Pick<Chunk, 'text' | 'vector'>;

export interface CollectionInfo {
  /** The embedder whose vectors the collection holds. */
  readonly embedder: string;
  readonly chunks: number;
}

/** How chunks are written. */
export interface WriteOptions {
  readonly replace: boolean;
  readonly signal: AbortSignal;
  /** Of the step that writes: a durable store adds the chunks of a repeated step once. */
  readonly stepKey: string;
}

/** Where a run keeps and finds texts by similarity. An app passes it in: in memory, or over its database. */
export interface VectorStore {
  info(collection: string): Promise<CollectionInfo | undefined>;
  /** Adds chunks; `replace` empties the collection first, in the same act. */
  write(collection: string, embedder: string, chunks: readonly Chunk[], options: WriteOptions): Promise<CollectionInfo>;
  /**
   * The vectors that this embedder made for these texts, by text: first those that `keepVectors` kept, then those of the
   * collection's chunks. Texts without one are missing.
   */
  vectorsOf(
    collection: string,
    embedder: string,
    texts: readonly string[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, Float32Array>>;
  /**
   * Keeps vectors for a write that has not ended, so that the next attempt finds them. The next `write` to the collection
   * removes them. Searches do not see them. A store may keep none where it has too many.
   */
  keepVectors(collection: string, embedder: string, vectors: ReadonlyMap<string, Float32Array>): Promise<void>;
  /** Removes the vectors that `keepVectors` kept. */
  dropKept(collection: string, embedder: string): Promise<void>;
  /** The first chunk of a collection of this embedder. */
  sample(collection: string, embedder: string): Promise<Sample | undefined>;
  /** Whether this process wrote the collection or called `compared` in the last two minutes. */
  isCompared(collection: string, embedder: string): boolean;
  /** Notes that the model gives the vectors of the collection, or those that are kept for it. */
  compared(collection: string, embedder: string): void;
  /** The chunks whose vectors are closest, by exact cosine. */
  searchVector(collection: string, vector: Float32Array, limit: number, signal: AbortSignal): Promise<readonly Hit[]>;
  /** The chunks that share words with the query, best first. */
  searchText(collection: string, query: string, limit: number, signal: AbortSignal): Promise<readonly Hit[]>;
}

/** A vector store in memory, for runs without a server. Its content ends with the process. */
export function memoryVectorStore(): VectorStore {
  const collections = new Map<string, { readonly embedder: string; readonly chunks: readonly Chunk[] }>();
  /** Vectors of writes that have not ended: by collection, then by text. */
  const kept = new Map<string, { readonly embedder: string; readonly vectors: Map<string, Float32Array> }>();
  const comparisons = createComparisons();
  const infoOf = (collection: string): CollectionInfo | undefined => {
    const found = collections.get(collection);
    return found && { embedder: found.embedder, chunks: found.chunks.length };
  };
  const chunksOf = (collection: string) => collections.get(collection)?.chunks ?? [];
  return {
    info: async (collection) => infoOf(collection),
    async write(collection, embedder, chunks, { replace, signal }) {
      signal.throwIfAborted();
      const all = [...(replace ? [] : chunksOf(collection)), ...chunks];
      lengthOf(all.map(({ vector }) => vector));
      collections.set(collection, { embedder, chunks: all });
      kept.delete(collection);
      comparisons.note([collection, embedder]);
      return infoOf(collection) as CollectionInfo;
    },
    async vectorsOf(collection, embedder, texts, signal) {
      signal.throwIfAborted();
      const draft = kept.get(collection);
      const known = new Map(draft?.embedder === embedder ? draft.vectors : []);
      if (collections.get(collection)?.embedder === embedder)
        for (const { text, vector } of chunksOf(collection)) if (!known.has(text)) known.set(text, vector);
      const wanted = new Set(texts);
      return new Map([...known].filter(([text]) => wanted.has(text)));
    },
    async keepVectors(collection, embedder, vectors) {
      const draft = kept.get(collection);
      const before = draft?.embedder === embedder ? draft.vectors : new Map<string, Float32Array>();
      for (const [text, vector] of vectors) before.set(text, vector);
      kept.set(collection, { embedder, vectors: before });
    },
    async dropKept(collection, embedder) {
      if (kept.get(collection)?.embedder === embedder) kept.delete(collection);
    },
    async sample(collection, embedder) {
      return collections.get(collection)?.embedder === embedder ? chunksOf(collection)[0] : undefined;
    },
    isCompared: (collection, embedder) => comparisons.isRecent([collection, embedder]),
    compared: (collection, embedder) => comparisons.note([collection, embedder]),
    async searchVector(collection, vector, limit, signal) {
      signal.throwIfAborted();
      const chunks = chunksOf(collection);
      return best(
        chunks,
        chunks.map((chunk) => dot(chunk.vector, vector)),
        limit,
      );
    },
    async searchText(collection, query, limit, signal) {
      signal.throwIfAborted();
      const chunks = chunksOf(collection);
      return best(
        chunks,
        bm25(
          query,
          chunks.map(({ text }) => text),
        ),
        limit,
      );
    },
  };
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < a.length; at++) sum += (a[at] as number) * (b[at] as number);
  return sum;
}

/** The chunks with the highest scores above 0; equal scores keep their order. */
function best(chunks: readonly Chunk[], scores: readonly number[], limit: number): readonly Hit[] {
  return chunks
    .map(({ text, data }, at) => ({ text, data, score: scores[at] as number }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, limit);
}
