import { type ModelRef, readEmbeddingRef } from '@croft/models';
import { requireModels, type Services } from '../services.ts';
import { isRow } from '../values.ts';
import { embedLexically, LEXICAL_EMBEDDER, normalised } from './lexical-embedder.ts';

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

/** The cost of embedding, for the metrics of the run. */
export const usageOf = ({ name }: Embedder, inputTokens: number) =>
  ({ kind: 'usage', model: name, inputTokens, outputTokens: 0 }) as const;
