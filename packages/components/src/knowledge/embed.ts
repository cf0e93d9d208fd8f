import { usageOf } from './embedder.ts';
import { embedCompared, exchangedModel, type OwnCollection } from './exchanged-model.ts';
import { lengthOf } from './vector-length.ts';

const BATCH = 128;

/** Texts that a collection gets. */
interface CollectionTexts {
  readonly texts: readonly string[];
  /** Whether the chunks that it has stay. */
  readonly appends: boolean;
}

export type EmbedProgress =
  | { readonly kind: 'progress'; readonly done: number; readonly total: number }
  | ReturnType<typeof usageOf>;

/**
 * Vectors of unit length for texts of a collection, by text. Embeds only texts whose vectors the collection does not have,
 * each text once. Keeps each batch, so that a cancelled or killed write continues with the rest. Gives the event loop a turn
 * between batches, so that a run can be cancelled.
 *
 * The model behind a name can be exchanged: where it gives other vectors now, no known one is used. The first batch, of at
 * least one text, has the length of today's vectors: known vectors of another length are embedded again.
 *
 * @throws ComponentError where the model gives vectors of two lengths, or others than those of the chunks that stay
 */
export async function* embedForCollection(
  own: OwnCollection,
  { texts, appends }: CollectionTexts,
  signal: AbortSignal,
): AsyncGenerator<EmbedProgress, ReadonlyMap<string, Float32Array>, void> {
  const { store, collection, embedder } = own;
  const unique = [...new Set(texts)];
  const vectors = new Map(await store.vectorsOf(collection, embedder.name, unique, signal));
  const { isChunkSame, isKnownSame } = yield* embedCompared(own, [], vectors, signal);
  if (!isChunkSame && appends)
    throw exchangedModel(own, 'Write all texts again with Replace, or into a collection with another name.');
  if (!isChunkSame || !isKnownSame) {
    vectors.clear();
    await store.dropKept(collection, embedder.name);
  }
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
