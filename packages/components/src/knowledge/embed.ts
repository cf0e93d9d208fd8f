import { type ModelRef, readEmbeddingRef } from '@croft/models';
import { requireModels, type Services } from '../services.ts';
import { lengthOf } from './vector-length.ts';
import { isRow } from '../values.ts';
import { embedLexically, LEXICAL_EMBEDDER, normalised } from './lexical-embedder.ts';
import type { VectorStore } from './vector-store.ts';

const BATCH = 128;

/** A model that turns texts into vectors of unit length. */
export interface Embedder {
  /** A collection remembers it. Vectors of two embedders cannot be compared. */
  readonly name: string;
  embed(texts: readonly string[], signal: AbortSignal): Promise<Embedded>;
}

interface Embedded {
  readonly vectors: readonly Float32Array[];
  readonly inputTokens: number;
}

/**
 * The embedder in a value of type Embeddings, or of a field that chooses one; the offline one where the value is empty.
 *
 * @throws ModelError `unknown_model`
 */
export function embedderIn(value: unknown, services: Services): Embedder {
  const name = isRow(value) ? (value['embedder'] ?? value) : value;
  if (name === undefined || name === null || name === '' || name === LEXICAL_EMBEDDER) return LEXICAL;
  return ofProvider(readEmbeddingRef(name), services);
}

const LEXICAL: Embedder = {
  name: LEXICAL_EMBEDDER,
  embed: async (texts) => ({ vectors: texts.map(embedLexically), inputTokens: 0 }),
};

const ofProvider = (model: ModelRef, services: Services): Embedder => ({
  name: `${model.provider}/${model.name}`,
  async embed(texts, signal) {
    const { vectors, inputTokens } = await requireModels(services).embed({ model, texts, signal });
    return { vectors: vectors.map(normalised), inputTokens };
  },
});

/** Text that a collection of an embedder gets. */
interface CollectionTexts {
  readonly collection: string;
  readonly embedder: Embedder;
  readonly texts: readonly string[];
}

export type EmbedProgress =
  | { readonly kind: 'progress'; readonly done: number; readonly total: number }
  | ReturnType<typeof usageOf>;

/** The cost of embedding, for the metrics of the run. */
export const usageOf = ({ name }: Embedder, inputTokens: number) =>
  ({ kind: 'usage', model: name, inputTokens, outputTokens: 0 }) as const;

/**
 * Vectors of unit length for texts of a collection, by text. Embeds only texts whose vectors the collection does not have,
 * each text once. Keeps each batch, so that a cancelled or killed write continues with the rest. Gives the event loop a turn
 * between batches, so that a run can be cancelled.
 *
 * The model behind a name can change. The first batch, of at least one text, has the length of today's vectors: known vectors
 * of another length are embedded again.
 *
 * @throws ComponentError where the model gives vectors of two lengths
 */
export async function* embedForCollection(
  store: VectorStore,
  { collection, embedder, texts }: CollectionTexts,
  signal: AbortSignal,
): AsyncGenerator<EmbedProgress, ReadonlyMap<string, Float32Array>, void> {
  const unique = [...new Set(texts)];
  const vectors = new Map(await store.vectorsOf(collection, embedder.name, unique, signal));
  const missing = unique.filter((text) => !vectors.has(text));
  const waiting = missing.length > 0 ? missing : unique.slice(0, 1);
  for (let start = 0; start < waiting.length; ) {
    yield { kind: 'progress', done: vectors.size, total: unique.length };
    await new Promise((resolve) => setImmediate(resolve));
    signal.throwIfAborted();
    const batch = waiting.slice(start, start + BATCH);
    const made = await embedder.embed(batch, signal);
    const added = new Map(batch.map((text, at) => [text, made.vectors[at] as Float32Array]));
    if (start === 0) for (const text of dropOfOtherLength(vectors, made.vectors[0]?.length, added)) waiting.push(text);
    start += batch.length;
    for (const [text, vector] of added) vectors.set(text, vector);
    lengthOf(added.values(), vectors.values().next().value?.length);
    await store.keepVectors(collection, embedder.name, added);
    if (made.inputTokens > 0) yield usageOf(embedder, made.inputTokens);
  }
  return vectors;
}

/** Removes known vectors of another length. @returns their texts, without those that were embedded just now */
function dropOfOtherLength(
  vectors: Map<string, Float32Array>,
  length: number | undefined,
  added: ReadonlyMap<string, Float32Array>,
): readonly string[] {
  const others = [...vectors].filter(([, vector]) => vector.length !== length).map(([text]) => text);
  for (const text of others) vectors.delete(text);
  return others.filter((text) => !added.has(text));
}
