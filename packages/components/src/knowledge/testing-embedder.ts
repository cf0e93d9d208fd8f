import type { Embedder } from './embedder.ts';
import { normalised } from './lexical-embedder.ts';
import { type Chunk, memoryVectorStore, type VectorStore } from './vector-store.ts';

/** For tests: an embedder that records the texts it gets. Its vectors are those of `model`, which a test can exchange. */
export function testEmbedder(name = 'test/model') {
  const asked: (readonly string[])[] = [];
  const embedder: Embedder & { model: (text: string) => readonly number[]; tokens: number } = {
    name,
    tokens: 5,
    model: (text) => [text.length, 1],
    async embed(texts) {
      asked.push(texts);
      return {
        vectors: texts.map((text) => normalised(Float32Array.from(embedder.model(text)))),
        inputTokens: embedder.tokens,
      };
    },
  };
  return { embedder, asked };
}

/** For tests: a store in memory that was never compared with a model. */
export function uncomparedStore(): VectorStore & { notes: string[] } {
  const notes: string[] = [];
  const store = memoryVectorStore();
  return {
    ...store,
    notes,
    isCompared: () => notes.length > 0,
    compared: (...names) => void notes.push(names.join(' ')),
  };
}

/** For tests: a chunk with the vector that the embedder gives. */
export async function chunkOf(text: string, { embed }: Embedder): Promise<Chunk> {
  const { vectors } = await embed([text], new AbortController().signal);
  return { text, data: { text }, vector: vectors[0] as Float32Array };
}
