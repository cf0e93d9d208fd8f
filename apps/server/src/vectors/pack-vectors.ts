import { lengthOf } from '@croft/components';

/** Chunks of a row of the database. */
export const CHUNKS_OF_BLOCK = 512;

/**
 * Vectors of one length as bytes, in the byte order of x64 and arm64.
 *
 * @throws ComponentError where one has another length
 */
export function packed(vectors: readonly Float32Array[]): Buffer {
  const dimensions = lengthOf(vectors);
  const all = new Float32Array(vectors.length * dimensions);
  for (const [at, vector] of vectors.entries()) all.set(vector, at * dimensions);
  return Buffer.from(all.buffer);
}
