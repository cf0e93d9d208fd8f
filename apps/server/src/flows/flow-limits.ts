/** Bounds of stored flows. Bytes are of JSON in UTF-8. */
export const FLOW_LIMITS = {
  /** Of one document. */
  documentBytes: 8 * 1024 * 1024,
  /** Of a request that carries a document or edits. */
  bodyBytes: 9 * 1024 * 1024,
  nameLength: 200,
  descriptionLength: 10_000,
  flowsOfUser: 10_000,
  /** Documents, edits and restore points of one owner together. */
  bytesOfUser: 1024 * 1024 * 1024,
  /** Entries that are kept for undo and for clients with an older version. */
  keptEdits: 500,
  keptEditBytes: 16 * 1024 * 1024,
  /** Components of a flow that is drawn: a line is indented by its column, so a drawing grows with the square. */
  drawnNodes: 200,
  restorePoints: 100,
  /** Deleted flows of a user that can be restored: how many, how large together, and how long. */
  deletedFlows: 20,
  deletedBytes: 64 * 1024 * 1024,
  deletedDays: 7,
  shares: 100,
  /** Flows of one page of a list. */
  pageSize: 200,
} as const;

/** Tags of one flow. */
export const TAG_LIMITS = { count: 20, length: 40 } as const;
