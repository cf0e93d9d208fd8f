import { ComponentError } from '../component-error.ts';
import { type Embedder, usageOf } from './embedder.ts';
import { LEXICAL_EMBEDDER } from './lexical-embedder.ts';
import type { Sample, VectorStore } from './vector-store.ts';

/**
 * The squared distance of two vectors of unit length with a cosine of 0.99. A model gives a text nearly the same vector each
 * time; two models give it vectors that are far apart.
 */
const SAME_AT_MOST = 0.02;

const NOTHING = { vectors: [], inputTokens: 0 };

/** A collection, and the embedder that a node uses with it. */
export interface OwnCollection {
  readonly store: VectorStore;
  readonly collection: string;
  readonly embedder: Embedder;
}

/**
 * Embeds texts. Where the model was not compared with the collection for a while, embeds its first chunk and one of the
 * `known` vectors again, in the same call: the model behind a name can be exchanged for one with vectors of the same length.
 *
 * @returns the vectors of the texts, and whether the chunk and the known vector are still those of the model
 */
export async function* embedCompared(
  { store, collection, embedder }: OwnCollection,
  texts: readonly string[],
  known: ReadonlyMap<string, Float32Array>,
  signal: AbortSignal,
) {
  const isDue = embedder.name !== LEXICAL_EMBEDDER && !store.isCompared(collection, embedder.name);
  const chunk = isDue ? await store.sample(collection, embedder.name) : undefined;
  const [kept] = isDue ? [...known].map(([text, vector]): Sample => ({ text, vector })) : [];
  const samples = [chunk, kept].filter((each) => each !== undefined);
  const all = [...texts, ...samples.map(({ text }) => text)];
  const { vectors, inputTokens } = all.length === 0 ? NOTHING : await embedder.embed(all, signal);
  if (inputTokens > 0) yield usageOf(embedder, inputTokens);
  const isSame = (sample: Sample | undefined) =>
    sample === undefined || isSameVector(sample.vector, vectors[texts.length + samples.indexOf(sample)]);
  const [isChunkSame, isKnownSame] = [isSame(chunk), isSame(kept)];
  if (isDue && isChunkSame && isKnownSame) store.compared(collection, embedder.name);
  return { vectors: vectors.slice(0, texts.length), isChunkSame, isKnownSame };
}

/** Whether both can be the vector that one model gives for one text. */
function isSameVector(a: Float32Array, b: Float32Array | undefined): boolean {
  if (a.length !== b?.length) return false;
  let distance = 0;
  for (let at = 0; at < a.length; at++) distance += ((a[at] as number) - (b[at] as number)) ** 2;
  return distance <= SAME_AT_MOST;
}

/** The error of a collection whose vectors today's model does not give. */
export const exchangedModel = ({ collection, embedder }: Omit<OwnCollection, 'store'>, fix: string): ComponentError =>
  new ComponentError(
    `${embedder.name} gives other vectors now than those in the collection '${collection}': the model behind this name was exchanged.`,
    fix,
  );
