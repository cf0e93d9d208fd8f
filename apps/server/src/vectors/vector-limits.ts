const MIB = 1024 * 1024;

/** Bounds of stored collections. A write above them is refused. */
export const VECTOR_LIMITS = {
  chunksOfCollection: 50_000,
  collectionsOfUser: 200,
  /** Texts, records, vectors and words of a user together. */
  bytesOfUser: 1024 * MIB,
  /** Vectors and hashes of texts, of a user's writes that have not ended. Above it, another attempt embeds the rest again. */
  draftBytesOfUser: 256 * MIB,
  nameLength: 200,
  /** Vectors in the memory of the server, of all users together. */
  cacheBytes: 256 * MIB,
} as const;

export type VectorLimits = Readonly<Record<keyof typeof VECTOR_LIMITS, number>>;
