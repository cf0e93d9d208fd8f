/** Vectors in memory, the latest used ones. */
export interface BlockCache {
  get(key: string): Float32Array | undefined;
  add(key: string, vectors: Float32Array): void;
  /** Of all vectors in it. */
  bytes(): number;
}

/** A cache with a bound: the vectors that were not used for the longest time go. */
export function createBlockCache(maxBytes: number): BlockCache {
  const blocks = new Map<string, Float32Array>();
  let bytes = 0;
  return {
    get(key) {
      const found = blocks.get(key);
      if (found === undefined) return undefined;
      // The last key of a map is the newest.
      blocks.delete(key);
      blocks.set(key, found);
      return found;
    },
    add(key, vectors) {
      if (vectors.byteLength > maxBytes || blocks.has(key)) return;
      blocks.set(key, vectors);
      bytes += vectors.byteLength;
      for (const [oldest, { byteLength }] of blocks) {
        if (bytes <= maxBytes) return;
        blocks.delete(oldest);
        bytes -= byteLength;
      }
    },
    bytes: () => bytes,
  };
}
