import { type Chunk, createComparisons, memoryVectorStore, type VectorStore } from '@croft/components';
import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { type TestDatabase, useTestDatabase } from '../../../../tests/store/use-test-database.ts';
import { createBlockCache } from './block-cache.ts';
import { dropOldDrafts } from './known-vectors.ts';
import { createPgvector } from './pgvector.ts';
import { storedVectors } from './stored-vectors.ts';
import { VECTOR_LIMITS } from './vector-limits.ts';

const MODEL = 'test/model';
const { signal } = new AbortController();
let opened: TestDatabase;
let step = 0;

useTestDatabase((started) => void (opened = started), ['ada', 'ben']);

const log = { info: () => {}, warn: () => {} };
const storeOf = (userId: string, more = {}, cache = createBlockCache(VECTOR_LIMITS.cacheBytes)) =>
  storedVectors(
    async () => opened.database.db,
    { cache, comparisons: createComparisons(), pgvector: createPgvector(log) },
    { userId, runId: 'run' },
    { ...VECTOR_LIMITS, ...more },
  );
const options = (replace = false, stepKey = `s${step++}`) => ({ replace, signal, stepKey });
const chunkOf = (text: string, ...vector: number[]): Chunk => ({
  text,
  data: { text, of: vector[0] },
  vector: Float32Array.from(vector.map((each) => each / Math.hypot(...vector))),
});

/** Numbers that look random and are the same each time. */
function numbers(): () => number {
  let state = 1;
  return () => (state = (state * 16807) % 2147483647) / 2147483647 - 0.5;
}

it('finds the same as the store in memory, by vector and by words', async () => {
  const next = numbers();
  const words = ['sheep', 'wall', 'grass', 'Wólf', 'summer', 'hill'];
  const long = 'x'.repeat(5_000);
  const chunks = Array.from({ length: 1_300 }, (_, at) => {
    const text = words.filter(() => next() > 0).join(at % 7 === 0 ? ' hill hill ' : ' ');
    return chunkOf(`${text}${at % 20 === 0 ? ` ${long}` : ''}\0${at % 40}`, ...Array.from({ length: 16 }, next));
  });
  const stores: VectorStore[] = [memoryVectorStore(), storeOf('ada')];
  for (const store of stores) {
    await store.write('c', MODEL, chunks.slice(0, 600), options(true));
    await store.write('c', MODEL, chunks.slice(600, 601), options());
    expect(await store.write('c', MODEL, chunks.slice(601), options())).toEqual({ embedder: MODEL, chunks: 1_300 });
  }
  const both = <Value>(read: (store: VectorStore) => Promise<Value>) => Promise.all(stores.map(read));
  for (const limit of [1, 10, 1_000]) {
    const query = Float32Array.from(Array.from({ length: 16 }, next));
    const [memory, stored] = await both((store) => store.searchVector('c', query, limit, signal));
    expect(memory).not.toEqual([]);
    expect(stored).toEqual(memory);
    for (const text of ['wolf on the hill', `hill ${long} summer 3`, 'nothing of this', '']) {
      const [expected, found] = await both((store) => store.searchText('c', text, limit, signal));
      expect(found).toEqual(expected);
    }
  }
});

it('lets other work run while it looks for many words, and ends when it is cancelled', async () => {
  const words = Array.from({ length: 400 }, (_, at) => `word${at}`).join(' ');
  const ada = storeOf('ada');
  await ada.write(
    'words',
    MODEL,
    Array.from({ length: 500 }, () => chunkOf(words, 1, 0)),
    options(true),
  );
  let turns = 0;
  const count = () => {
    turns++;
    timer = setImmediate(count);
  };
  let timer = setImmediate(count);
  expect(await ada.searchText('words', words, 1, signal)).toHaveLength(1);
  clearImmediate(timer);
  expect(turns).toBeGreaterThan(200);
  const leaving = new AbortController();
  const searching = ada.searchText('words', words, 1, leaving.signal);
  leaving.abort();
  await expect(searching).rejects.toThrow();
  const many = Array.from({ length: 70_000 }, (_, at) => at.toString(36)).join(' ');
  expect(await ada.searchText('words', `word1 ${many}`, 1, signal)).toHaveLength(1);
});

it('keeps collections of users apart, and replaces the content in one act', async () => {
  const ada = storeOf('ada');
  await ada.write('own', MODEL, [chunkOf('hers', 1, 0), chunkOf('too', 0, 1)], options(true));
  expect(await storeOf('ben').info('own')).toBeUndefined();
  expect(await storeOf('ben').searchVector('own', Float32Array.of(1, 0), 9, signal)).toEqual([]);
  const found = async () => (await ada.searchVector('own', Float32Array.of(1, 0), 9, signal)).map(({ text }) => text);
  expect(await found()).toEqual(['hers']);
  const leaving = new AbortController();
  const replaced = ada.write('own', MODEL, [chunkOf('new', 1, 0)], { ...options(true), signal: leaving.signal });
  leaving.abort();
  await expect(replaced).rejects.toThrow();
  expect(await found()).toEqual(['hers']);
  await ada.write('own', MODEL, [chunkOf('new', 1, 0)], options(true));
  expect(await found()).toEqual(['new']);
  expect(await ada.searchText('own', 'hers', 9, signal)).toEqual([]);
});

it('adds the chunks of a repeated step once', async () => {
  const ada = storeOf('ada');
  await ada.write('steps', MODEL, [chunkOf('a', 1, 0)], options(true));
  for (const key of ['again', 'again', 'other'])
    await ada.write('steps', MODEL, [chunkOf('b', 1, 0)], options(false, key));
  expect(await ada.info('steps')).toEqual({ embedder: MODEL, chunks: 3 });
  const { db } = opened.database;
  await db.execute(sql`UPDATE vector_write SET created_at = now() - interval '91 days'`);
  await ada.write('steps', MODEL, [chunkOf('c', 1, 0)], options(false, 'late'));
  const { rows } = await db.execute(
    sql`SELECT step FROM vector_write w JOIN vector_collection c ON c.id = w.collection_id WHERE c.name = 'steps'`,
  );
  expect(rows).toEqual([{ step: '["run","late"]' }]);
});

it('refuses too many chunks, collections and bytes, and vectors of another length', async () => {
  const two = [chunkOf('a', 1, 0), chunkOf('b', 0, 1)];
  const write = (name: string, limits: object, chunks = two, replace = false) =>
    storeOf('ben', limits).write(name, MODEL, chunks, options(replace));
  await write('one', {});
  await expect(write('one', { chunksOfCollection: 3 })).rejects.toThrow('would have 4 chunks');
  await expect(write('two', { collectionsOfUser: 1 })).rejects.toThrow('1 collections');
  await expect(write('two', { bytesOfUser: 60 })).rejects.toThrow('more than 60 bytes');
  await expect(write('one', {}, [chunkOf('c', 1, 0, 0)])).rejects.toThrow('vectors of 2 numbers, not of 3');
  await expect(storeOf('ben').write('one', 'other/model', two, options())).rejects.toThrow(
    'vectors of test/model, not of other/model',
  );
  await expect(write('x'.repeat(201), {})).rejects.toThrow('at most 200 characters');
  expect(await storeOf('ben').info('one')).toEqual({ embedder: MODEL, chunks: 2 });
  await write('one', { chunksOfCollection: 2, collectionsOfUser: 1 }, two, true);
});

it('holds vectors in memory up to a bound, and searches more than fit', async () => {
  const cache = createBlockCache(20 * 1024);
  const ada = storeOf('ada', {}, cache);
  const next = numbers();
  const chunks = Array.from({ length: 1_500 }, (_, at) => chunkOf(`${at}`, next(), next(), next(), next()));
  await ada.write('big', MODEL, chunks, options(true));
  const target = chunks[1_234] as Chunk;
  for (let round = 0; round < 2; round++)
    expect((await ada.searchVector('big', target.vector, 1, signal))[0]?.text).toBe('1234');
  expect(cache.bytes()).toBeGreaterThan(0);
  expect(cache.bytes()).toBeLessThanOrEqual(20 * 1024);
  // Without compression, which takes time and gains nothing.
  const { rows } = await opened.database.db.execute(
    sql`SELECT attstorage FROM pg_attribute WHERE attrelid = 'vector_block'::regclass AND attname = 'vectors'`,
  );
  expect(rows).toEqual([{ attstorage: 'e' }]);
});

it('gives known vectors of one user, collection and embedder, from chunks and from a write that did not end', async () => {
  const ada = storeOf('ada');
  const known = async (texts: readonly string[], name = 'known', embedder = MODEL, store = ada) =>
    Object.fromEntries(
      [...(await store.vectorsOf(name, embedder, texts, signal))].map(([text, each]) => [text, [...each]]),
    );
  // The first chunks as an older server wrote them: without hashes.
  await ada.write('known', MODEL, [chunkOf('old', 1, 0)], options(true));
  await opened.database.db.execute(sql`UPDATE vector_block SET hashes = ''`);
  await ada.write('known', MODEL, [chunkOf('stored', 0, 1), chunkOf('\ud800', 1, 0)], options());
  await ada.keepVectors('known', MODEL, new Map([['kept', Float32Array.of(1, 0)]]));
  const texts = ['old', 'stored', 'kept', 'new', '\ud801'];
  expect(await known(texts)).toEqual({ stored: [0, 1], kept: [1, 0] });
  expect(await known(texts, 'other')).toEqual({});
  expect(await known(texts, 'known', 'other/model')).toEqual({});
  expect(await known(texts, 'known', MODEL, storeOf('ben'))).toEqual({});
  expect(await ada.searchVector('known', Float32Array.of(1, 0), 9, signal)).toHaveLength(2);
  await ada.write('known', MODEL, [], options());
  expect(await known(texts)).toEqual({ stored: [0, 1] });
});

it('keeps vectors of unfinished writes up to a bound, and for seven days', async () => {
  const ben = storeOf('ben', { draftBytesOfUser: 2 * (8 + 32) - 1 });
  for (const text of ['first', 'too much']) await ben.keepVectors('d', MODEL, new Map([[text, Float32Array.of(1, 0)]]));
  const known = async () => [...(await ben.vectorsOf('d', MODEL, ['first', 'too much'], signal)).keys()];
  expect(await known()).toEqual(['first']);
  const days = (count: number) => new Date(Date.now() + count * 86_400_000);
  await dropOldDrafts(opened.database.db, days(6));
  expect(await known()).toEqual(['first']);
  await dropOldDrafts(opened.database.db, days(8));
  expect(await known()).toEqual([]);
});
