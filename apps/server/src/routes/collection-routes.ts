import { and, asc, eq } from 'drizzle-orm';
import { collectionRoutes } from '../contract/collection-routes.ts';
import type { Db } from '../store/database.ts';
import { vectorCollection, vectorDraft } from '../store/vector-schema.ts';
import { draftsOf } from '../vectors/known-vectors.ts';
import { type Route, route } from './route.ts';

export interface CollectionRouteOptions {
  readonly storage: () => Promise<Db>;
}

/** The caller's collections of texts with vectors. */
export function makeCollectionRoutes({ storage }: CollectionRouteOptions): Route[] {
  return [
    route(collectionRoutes.listCollections, async ({ caller }) => {
      const rows = await (await storage())
        .select()
        .from(vectorCollection)
        .where(eq(vectorCollection.userId, caller.userId))
        .orderBy(asc(vectorCollection.name));
      return {
        collections: rows.map(({ name, embedder, chunks, bytes, updatedAt }) => ({
          name,
          embedder,
          chunks,
          bytes,
          updatedAt: updatedAt.toISOString(),
        })),
      };
    }),
    route(collectionRoutes.deleteCollection, async ({ caller, params, problem }) => {
      const db = await storage();
      await db.delete(vectorDraft).where(draftsOf({ userId: caller.userId, name: params.name }));
      const gone = await db
        .delete(vectorCollection)
        .where(and(eq(vectorCollection.userId, caller.userId), eq(vectorCollection.name, params.name)))
        .returning({ id: vectorCollection.id });
      if (gone.length === 0) throw problem('not_found', 'You have no such collection.');
      return { name: params.name };
    }),
  ];
}
