/** Largest documents that Croft opens. Counts, or bytes of UTF-8 where the name says so. */
export const LIMITS = {
  nodes: 20_000,
  edges: 100_000,
  notes: 2_000,
  groups: 2_000,
  /** Lists and objects inside of each other, in one value. */
  depth: 200,
  documentBytes: 64 * 1024 * 1024,
  /** One edit, and one list of edits sent together. */
  editsAtOnce: 10_000,
} as const;
