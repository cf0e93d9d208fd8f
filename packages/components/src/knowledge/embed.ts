import { ComponentError } from '../services.ts';
import { isRow } from '../values.ts';
import { embedLexically, LEXICAL_EMBEDDER } from './lexical-embedder.ts';
import type { VectorStore } from './vector-store.ts';

const BATCH = 128;

/** The name of the embedder in a value of type Embeddings; the offline one where none is connected. */
export function embedderIn(value: unknown): string {
  if (value === undefined || value === null || value === '') return LEXICAL_EMBEDDER;
  const name = isRow(value) ? value['embedder'] : value;
  if (name === LEXICAL_EMBEDDER) return LEXICAL_EMBEDDER;
  throw new ComponentError(
    `There is no embedding model '${String(name).slice(0, 100)}'.`,
    `Use ${LEXICAL_EMBEDDER}, which needs no key.`,
  );
}

/**
 * Vectors of unit length for texts of a collection, by text. Embeds only texts whose vectors the collection does not have,
 * each text once. Keeps each batch, so that a cancelled or killed write continues with the rest. Gives the event loop a turn
 * between batches, so that a run can be cancelled.
 */
export async function* embedForCollection(
  store: VectorStore,
  { collection, embedder, texts }: { collection: string; embedder: string; texts: readonly string[] },
  signal: AbortSignal,
): AsyncGenerator<
  { readonly kind: 'progress'; readonly done: number; readonly total: number },
  ReadonlyMap<string, Float32Array>,
  void
> {
  const unique = [...new Set(texts)];
  const vectors = new Map(await store.vectorsOf(collection, embedder, unique, signal));
  const missing = unique.filter((text) => !vectors.has(text));
  for (let start = 0; start < missing.length; start += BATCH) {
    yield { kind: 'progress', done: vectors.size, total: unique.length };
    await new Promise((resolve) => setImmediate(resolve));
    signal.throwIfAborted();
    const batch = new Map(missing.slice(start, start + BATCH).map((text) => [text, embedLexically(text)]));
    await store.keepVectors(collection, embedder, batch);
    for (const [text, vector] of batch) vectors.set(text, vector);
  }
  return vectors;
}
