import { sql } from 'drizzle-orm';
import { bigint, customType, index, integer, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { createdAt, ownerId, updatedAt } from './schema.ts';

const bytea = customType<{ data: Buffer }>({ dataType: () => 'bytea' });

/** Collections of texts with vectors, by user and name. Content that replaces another gets a new id. */
export const vectorCollection = pgTable(
  'vector_collection',
  {
    id: text('id').primaryKey(),
    userId: ownerId(),
    name: text('name').notNull(),
    /** The model that made the vectors. */
    embedder: text('embedder').notNull(),
    dimensions: integer('dimensions').notNull(),
    chunks: integer('chunks').notNull(),
    /** Of all texts together, for their average length. */
    words: bigint('words', { mode: 'number' }).notNull(),
    bytes: bigint('bytes', { mode: 'number' }).notNull(),
    updatedAt: updatedAt(),
  },
  (table) => [uniqueIndex('vector_collection_user_id_name_idx').on(table.userId, table.name)],
);

/** The collection of a row; deleting the collection deletes the row. */
const collectionId = () =>
  text('collection_id')
    .notNull()
    .references(() => vectorCollection.id, { onDelete: 'cascade' });

/** Texts of a collection in their order, each with its record. `content` is JSON, because texts may contain NUL. */
export const vectorChunk = pgTable(
  'vector_chunk',
  { collectionId: collectionId(), position: integer('position').notNull(), content: text('content').notNull() },
  (table) => [primaryKey({ columns: [table.collectionId, table.position] })],
);

/** Vectors of consecutive chunks: 32-bit floats, little-endian, one vector after the other. */
export const vectorBlock = pgTable(
  'vector_block',
  {
    collectionId: collectionId(),
    /** The position of its first chunk. */
    first: integer('first').notNull(),
    count: integer('count').notNull(),
    vectors: bytea('vectors').notNull(),
    /** SHA-256 of each text, one after the other; see `known-vectors.ts`. Blocks of older servers have none. */
    hashes: bytea('hashes').notNull().default(sql`''::bytea`),
  },
  (table) => [primaryKey({ columns: [table.collectionId, table.first] })],
);

/** Vectors of writes that have not ended, in batches, so that the next attempt does not embed their texts again. */
export const vectorDraft = pgTable(
  'vector_draft',
  {
    id: text('id').primaryKey(),
    userId: ownerId(),
    /** Of a collection, which may not exist yet. */
    name: text('name').notNull(),
    embedder: text('embedder').notNull(),
    count: integer('count').notNull(),
    vectors: bytea('vectors').notNull(),
    hashes: bytea('hashes').notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    index('vector_draft_user_id_name_idx').on(table.userId, table.name),
    index('vector_draft_created_at_idx').on(table.createdAt),
  ],
);

/** Where a word occurs: position, count and length of each text that has it, as 32-bit numbers, little-endian. */
export const vectorTerm = pgTable(
  'vector_term',
  { collectionId: collectionId(), term: text('term').notNull(), postings: bytea('postings').notNull() },
  (table) => [primaryKey({ columns: [table.collectionId, table.term] })],
);

/** Additions that were made, by step: an interrupted run repeats a step, and adds its texts once. */
export const vectorWrite = pgTable(
  'vector_write',
  { collectionId: collectionId(), step: text('step').notNull(), createdAt: createdAt() },
  (table) => [primaryKey({ columns: [table.collectionId, table.step] })],
);
