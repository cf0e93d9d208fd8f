import type { EmbeddingModelV3 } from '@ai-sdk/provider';
import { ModelError } from './errors.ts';
import { limitedSignal } from './limited-signal.ts';
import { type ModelRef, readModelRef } from './model-ref.ts';
import { type Provider, PROVIDERS, providerNamed, type Variables } from './providers.ts';

/** Texts to turn into vectors. */
export interface EmbedRequest {
  readonly model: ModelRef;
  readonly texts: readonly string[];
  readonly signal?: AbortSignal | undefined;
}

/** The vectors of texts, in their order and of one length, as the provider sent them. */
export interface EmbedResult {
  readonly vectors: readonly Float32Array[];
  /** 0 where the provider reports none. */
  readonly inputTokens: number;
}

/** More numbers than any model gives. */
const MAX_DIMENSIONS = 16_384;

/**
 * Reads an embedding model in the forms of `readModelRef`. The name of the result is not empty.
 *
 * @throws ModelError `unknown_model`
 */
export function readEmbeddingRef(value: unknown): ModelRef {
  const owner = PROVIDERS.find(({ embeddings }) => embeddings?.models.includes(String(value)) === true);
  const ref = owner === undefined ? readModelRef(value) : { provider: owner.name, name: String(value) };
  const embeddings = providerNamed(ref?.provider ?? '')?.embeddings;
  if (ref === undefined || embeddings === undefined)
    throw new ModelError(
      'unknown_model',
      `${ref?.provider ?? 'The value'} has no embedding models.`,
      `Write provider/name with one of these providers: ${embeddingProviders().join(', ')}.`,
    );
  const name = ref.name || embeddings.models[0];
  if (name !== undefined) return { provider: ref.provider, name };
  throw new ModelError(
    'unknown_model',
    `${ref.provider} needs the name of an embedding model.`,
    `Write ${ref.provider}/name with a model of your server.`,
  );
}

const embeddingProviders = (): string[] =>
  PROVIDERS.flatMap(({ name, embeddings }) => (embeddings === undefined ? [] : [name]));

interface EmbedOptions {
  readonly variables: Variables;
  readonly fetch: typeof globalThis.fetch;
  /** Attempts after the first one for failures that may pass, such as a rate limit. */
  readonly retries: number;
  /** Of one request to the provider. */
  readonly silenceMs: number;
  explain(error: unknown): ModelError;
}

/**
 * Embeds texts, in as many requests as the provider's limits need, one after the other.
 *
 * @throws ModelError, `cancelled` after an abort
 */
export async function embedTexts(
  provider: Provider,
  { model, texts, signal }: EmbedRequest,
  { variables, fetch, retries, silenceMs, explain }: EmbedOptions,
): Promise<EmbedResult> {
  if (texts.length === 0) return { vectors: [], inputTokens: 0 };
  try {
    signal?.throwIfAborted();
    const { name } = readEmbeddingRef(model);
    const open = await provider.embeddings?.open(variables, fetch);
    if (open === undefined) throw new Error(`${provider.name} has no embedding models.`);
    const { embedMany } = await import('ai');
    const { embeddings, usage } = await embedMany({
      model: withTimeLimit(open(name), silenceMs),
      values: [...texts],
      maxRetries: retries,
      maxParallelCalls: 1,
      ...(signal && { abortSignal: signal }),
    });
    const vectors = embeddings.map((each) => Float32Array.from(each));
    if (!areVectors(vectors, texts.length))
      throw new ModelError(
        'bad_reply',
        `${provider.name}: The provider sent a reply that is not valid. It has no vector of the same length for each text.`,
        `Check that '${name}' is an embedding model.`,
      );
    return { vectors, inputTokens: Number.isFinite(usage.tokens) ? usage.tokens : 0 };
  } catch (error) {
    throw explain(signal?.aborted === true ? new DOMException('The request was cancelled.', 'AbortError') : error);
  }
}

function areVectors(vectors: readonly Float32Array[], count: number): boolean {
  const length = vectors[0]?.length ?? 0;
  return (
    vectors.length === count &&
    length > 0 &&
    length <= MAX_DIMENSIONS &&
    vectors.every((vector) => vector.length === length && vector.every(Number.isFinite))
  );
}

function withTimeLimit(model: EmbeddingModelV3, limitMs: number): EmbeddingModelV3 {
  return {
    specificationVersion: 'v3',
    provider: model.provider,
    modelId: model.modelId,
    maxEmbeddingsPerCall: model.maxEmbeddingsPerCall,
    supportsParallelCalls: model.supportsParallelCalls,
    doEmbed({ abortSignal, ...options }) {
      return model.doEmbed({ ...options, abortSignal: limitedSignal(abortSignal, limitMs) });
    },
  };
}
