import { ComponentError } from '../component-error.ts';

/**
 * The length that all of these vectors have: that of the first one unless it is given; 0 without vectors.
 *
 * @throws ComponentError where one has another length
 */
export function lengthOf(vectors: Iterable<Float32Array>, expected?: number): number {
  let length = expected;
  for (const vector of vectors) {
    length ??= vector.length;
    if (vector.length === length) continue;
    throw new ComponentError(
      `The vectors have different lengths: ${length} and ${vector.length} numbers.`,
      'The embedding model changed. Run the flow again, or replace the content.',
    );
  }
  return length ?? 0;
}
