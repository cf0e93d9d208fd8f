import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, it } from 'vitest';
import { useSharedDatabase } from '../../../../tests/store/use-shared-database.ts';
import type { Db } from '../store/database.ts';
import { vectorBlock, vectorChunk, vectorCollection, vectorTerm } from '../store/vector-schema.ts';
import { type BlockCache, createBlockCache } from './block-cache.ts';
import { packed } from './pack-vectors.ts';
import { readFirst, searchVectors, searchWords } from './search-chunks.ts';
import { indexWords } from './word-index.ts';

let db: Db;
let cache: BlockCache;
const userId = 'sc-ann';
useSharedDatabase((database) => void (db = database.db), [userId]);
const { signal } = new AbortController();
const TEXTS = ['red apple', 'green apple apple', 'blue sea'];
const VECTORS = [
  [1, 0],
  [0, 1],
  [0.6, 0.8],
].map((numbers) => Float32Array.from(numbers));
let collection: typeof vectorCollection.$inferSelect;

beforeEach(async () => {
  cache = createBlockCache(1_000);
  await db.delete(vectorCollection).where(eq(vectorCollection.userId, userId));
  const { terms, words } = await indexWords(TEXTS, 0, signal);
  const row = { id: 'sc-1', userId, name: 'c', embedder: 'e', dimensions: 2, chunks: TEXTS.length, words, bytes: 0 };
  [collection] = (await db.insert(vectorCollection).values(row).returning()) as [typeof collection];
  await db.insert(vectorChunk).values(
    TEXTS.map((text, position) => ({
      collectionId: 'sc-1',
      position,
      content: JSON.stringify({ text, record: { position } }),
    })),
  );
  // Two blocks, so that positions do not begin at 0.
  for (const [first, part] of [
    [0, VECTORS.slice(0, 2)],
    [2, VECTORS.slice(2)],
  ] as const)
    await db.insert(vectorBlock).values({ collectionId: 'sc-1', first, count: part.length, vectors: packed(part) });
  await db.insert(vectorTerm).values(
    [...terms].map(([term, postings]) => ({
      collectionId: 'sc-1',
      term,
      postings: Buffer.from(Uint32Array.from(postings).buffer),
    })),
  );
});
const closest = (numbers: number[], limit = 3) =>
  searchVectors(db, { cache }, collection, Float32Array.from(numbers), limit, signal);
const texts = (hits: readonly { text: string }[]) => hits.map(({ text }) => text);

describe('the search by vector', () => {
  it('gives the closest chunks first, with their scores and records', async () => {
    const hits = await closest([0.6, 0.8]);
    expect(texts(hits)).toEqual(['blue sea', 'green apple apple', 'red apple']);
    expect(hits.map(({ score }) => Number(score.toFixed(3)))).toEqual([1, 0.8, 0.6]);
    expect(hits[0]).toMatchObject({ record: { position: 2 } });
    expect(texts(await closest([1, 0], 1))).toEqual(['red apple']);
  });

  it('reads a block once while it is in memory', async () => {
    await closest([1, 0]);
    expect(cache.bytes()).toBe(24);
    await db.delete(vectorBlock).where(eq(vectorBlock.first, 2));
    await db
      .insert(vectorBlock)
      .values({ collectionId: 'sc-1', first: 2, count: 1, vectors: packed([Float32Array.from([-1, 0])]) });
    expect(texts(await closest([0.6, 0.8], 1))).toEqual(['blue sea']);
    cache = createBlockCache(0);
    expect(texts(await closest([0.6, 0.8], 1))).toEqual(['green apple apple']);
  });

  it('uses pgvector where the database has it', async () => {
    const asked: unknown[][] = [];
    const pgvector = {
      closest: async (...args: unknown[]) => (asked.push(args.slice(1, 4)), [{ position: 1, score: 0.5 }]),
    };
    const vector = Float32Array.from([1, 0]);
    const hits = await searchVectors(db, { cache, pgvector } as never, collection, vector, 2, signal);
    expect(hits).toEqual([{ text: 'green apple apple', record: { position: 1 }, score: 0.5 }]);
    expect(asked).toEqual([[collection, vector, 2]]);
    const none = { closest: async () => undefined };
    expect(texts(await searchVectors(db, { cache, pgvector: none } as never, collection, vector, 1, signal))).toEqual([
      'red apple',
    ]);
  });

  it('leaves out chunks that were replaced meanwhile, and ends with the signal', async () => {
    await db.delete(vectorChunk).where(eq(vectorChunk.position, 2));
    expect(texts(await closest([0.6, 0.8]))).toEqual(['green apple apple', 'red apple']);
    const stopped = AbortSignal.abort(new Error('stopped'));
    await expect(searchVectors(db, { cache }, collection, Float32Array.from([1, 0]), 1, stopped)).rejects.toThrow(
      'stopped',
    );
  });

  it('finds nothing in an empty collection', async () => {
    expect(
      await searchVectors(db, { cache }, { ...collection, id: 'none' }, Float32Array.from([1, 0]), 3, signal),
    ).toEqual([]);
  });
});

describe('the search by words', () => {
  const search = (query: string, limit = 3) => searchWords(db, collection, query, limit, signal);

  it('gives the chunks that share words, the best first', async () => {
    expect(texts(await search('apple'))).toEqual(['green apple apple', 'red apple']);
    expect(texts(await search('red apple'))).toEqual(['red apple', 'green apple apple']);
    expect(texts(await search('red apple', 1))).toEqual(['red apple']);
    // Equal scores: in the order of the chunks.
    expect(texts(await search('sea red'))).toEqual(['red apple', 'blue sea']);
    expect(await search('none')).toEqual([]);
    expect(await search('')).toEqual([]);
    expect((await search('sea'))[0]?.score).toBeGreaterThan(0);
  });

  it('reads more words than one statement takes', async () => {
    const many = Array.from({ length: 20 }, (_, at) => `word${at}`).join(' ');
    expect(texts(await search(`${many} sea`))).toEqual(['blue sea']);
  });

  it('ends with the signal', async () => {
    const stopped = AbortSignal.abort(new Error('stopped'));
    await expect(searchWords(db, collection, 'apple', 3, stopped)).rejects.toThrow('stopped');
  });
});

it('reads the first chunk with its vector', async () => {
  const first = await readFirst(db, collection);
  expect([first?.text, [...(first?.vector ?? [])]]).toEqual(['red apple', [1, 0]]);
  expect(await readFirst(db, { ...collection, id: 'none' })).toBeUndefined();
});
