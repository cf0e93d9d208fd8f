import { ComponentError } from '../services.ts';
import { isRow } from '../values.ts';
import { embedLexically, LEXICAL_EMBEDDER } from './lexical-embedder.ts';

const BATCH = 64;

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

/** Vectors of unit length for texts. Gives the event loop a turn between batches, so that a run can be cancelled. */
export async function* embedTexts(
  texts: readonly string[],
  signal: AbortSignal,
): AsyncGenerator<{ readonly kind: 'progress'; readonly done: number; readonly total: number }, Float32Array[], void> {
  const vectors: Float32Array[] = [];
  for (let start = 0; start < texts.length; start += BATCH) {
    yield { kind: 'progress', done: start, total: texts.length };
    await new Promise((resolve) => setImmediate(resolve));
    signal.throwIfAborted();
    vectors.push(...texts.slice(start, start + BATCH).map(embedLexically));
  }
  return vectors;
}
