import { z } from 'zod';
import { defineRoutes } from './define-route.ts';

const collection = z.strictObject({
  name: z.string(),
  /** The embedding model of its vectors. */
  embedder: z.string(),
  chunks: z.number().int(),
  /** Texts, records, vectors and words together. */
  bytes: z.number(),
  updatedAt: z.string(),
});

/** Collections of texts that flows of the caller write and search. */
export const collectionRoutes = defineRoutes('Collections', {
  listCollections: {
    route: 'GET /api/v1/collections',
    summary: 'List the collections that your flows have written, by name',
    access: 'caller',
    response: z.strictObject({ collections: z.array(collection) }),
  },
  deleteCollection: {
    route: 'DELETE /api/v1/collections/{name}',
    summary: 'Delete a collection with its texts and vectors',
    access: 'caller',
    response: z.strictObject({ name: z.string() }),
    errors: ['not_found'],
  },
});
