import { type Chunk, createComparisons, type Services, type VectorStore } from '@croft/components';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { embedLexically } from '../../../../packages/components/src/knowledge/lexical-embedder.ts';
import { vectorSearch } from '../../../../packages/components/src/knowledge/vector-search.ts';
import { openPgvectorDatabase } from '../../../../tests/store/pgvector-database.ts';
import { user } from '../store/schema.ts';
import { createBlockCache } from './block-cache.ts';
import { createPgvector } from './pgvector.ts';
import type { VectorEngine } from './search-chunks.ts';
import { storedVectors } from './stored-vectors.ts';
import { VECTOR_LIMITS } from './vector-limits.ts';

const MODEL = 'croft/lexical';
const { signal } = new AbortController();
const cache = createBlockCache(VECTOR_LIMITS.cacheBytes);
let opened: Awaited<ReturnType<typeof openPgvectorDatabase>>;
let step = 0;

beforeAll(async () => {
  opened = await openPgvectorDatabase();
  const users = ['ada', 'ben'].map((id) => ({ id, name: id, email: `${id}@example.test` }));
  await opened.db.insert(user).values(users);
});
afterAll(() => opened?.close());

const log = { lines: [] as unknown[], info: (...line: unknown[]) => void log.lines.push(line.at(-1)) };
const withExtension = () => ({ cache: createBlockCache(0), pgvector: createPgvector({ ...log, warn: log.info }) });
const storeOf = (engine: Omit<VectorEngine, 'comparisons'>, userId = 'ada'): VectorStore =>
  storedVectors(async () => opened.db, { ...engine, comparisons: createComparisons() }, { userId, runId: 'run' });
const options = (replace = false) => ({ replace, signal, stepKey: `s${step++}` });
const chunkOf = (text: string, vector = embedLexically(text), at = step++): Chunk => ({ text, data: { at }, vector });
const query = async (statement: string) => (await opened.db.execute(sql.raw(statement))).rows;
const copied = async () => (await query('SELECT count(vector)::int AS count FROM vector_copy'))[0]?.['count'];

/** The rows of the component, by each kind of search. */
async function rowsOf(vectors: VectorStore, search_query: string, number_of_results: number) {
  const results = [];
  for (const search_type of ['Similarity', 'Hybrid', 'Full text']) {
    const inputs = { collection: 'c', search_query, search_type, number_of_results };
    const running = vectorSearch.run({ inputs, services: { vectors } as Services, signal } as never);
    const { value: outputs } = await (running as AsyncGenerator).next();
    const { dataframe } = outputs as { dataframe: readonly { at: number; score: number }[] };
    results.push(dataframe.map(({ at, score }) => ({ at, score })));
  }
  return results;
}

async function expectSame(one: VectorStore, other: VectorStore, limits = [10]): Promise<void> {
  for (const limit of limits) {
    for (const text of ['sheep on the hill', 'summer wall', 'the gate', '']) {
      const [expected, found] = [await rowsOf(one, text, limit), await rowsOf(other, text, limit)];
      const orders = (rows: typeof found) => rows.map((hits) => hits.map(({ at }) => at));
      expect(orders(found)).toEqual(orders(expected));
      for (const [type, hits] of found.entries())
        for (const [at, { score }] of hits.entries())
          expect(Math.abs(score - (expected[type]?.[at]?.score ?? Infinity))).toBeLessThan(1e-6);
    }
  }
}

it('finds the same with pgvector as without: order, scores and ties, also what was written before', async () => {
  const words = ['sheep', 'wall', 'grass', 'summer', 'hill', 'gate', 'stone', 'wool'];
  // Many texts share their words in another order: equal vectors. Others share only those of a query: equal scores.
  const texts = Array.from({ length: 700 }, (_, at) =>
    [0, 1, 2]
      .map((place) => words[((at * 7 + 3) ** (place + 1) + place) % 8])
      .concat(`n${at % 60}`)
      .join(' '),
  );
  const tied = [5, 9, 31, 200, 77].map((other) => {
    const vector = new Float32Array(512);
    embedLexically('gate').forEach((number, at) => (vector[at] = number * 0.5));
    for (let at = other; at < 512; at += 37) if (vector[at] === 0) vector[at] = 0.2 + at / 4_096;
    return chunkOf('tied', vector);
  });
  const chunks = [...texts.map((text) => chunkOf(text)), ...tied, chunkOf('', new Float32Array(512))];
  const plain = storeOf({ cache });
  await plain.write('c', MODEL, chunks.slice(0, 600), options(true));
  const engine = withExtension();
  const store = storeOf(engine);
  await expectSame(plain, store);
  expect(await copied()).toBe(600);
  await store.write('c', MODEL, chunks.slice(600), options());
  await expectSame(plain, store, [1, 10, 1_000]);
  expect(await copied()).toBe(706);
  expect(log.lines).toEqual(['vectors are searched with pgvector']);
});

it.each([
  ['without pgvector', () => ({ cache })],
  ['with pgvector', withExtension],
])('keeps users apart, replaces, deletes, refuses and cancels %s', async (_, open) => {
  const engine = open();
  const [ada, ben] = [storeOf(engine), storeOf(engine, 'ben')];
  const found = async (store: VectorStore) =>
    (await store.searchVector('own', embedLexically('sheep'), 9, signal)).map(({ text }) => text);
  await ada.write('own', MODEL, [chunkOf('sheep'), chunkOf('wall')], options(true));
  await ben.write('own', MODEL, [chunkOf('his sheep')], options(true));
  expect(await found(ada)).toEqual(['sheep']);
  expect(await found(ben)).toEqual(['his sheep']);
  await expect(ada.write('own', MODEL, [chunkOf('x', Float32Array.of(1))], options())).rejects.toThrow(
    'of 512 numbers',
  );
  await ada.write('own', MODEL, [chunkOf('two sheep')], options(true));
  expect(await found(ada)).toEqual(['two sheep']);
  const leaving = new AbortController();
  const searching = ada.searchVector('own', embedLexically('sheep'), 9, leaving.signal);
  leaving.abort();
  await expect(searching).rejects.toThrow();
  await query(`DELETE FROM vector_collection WHERE name = 'own'`);
  expect(await found(ada)).toEqual([]);
  expect(
    await query(`SELECT 1 FROM vector_copy WHERE collection_id NOT IN (SELECT id FROM vector_collection)`),
  ).toEqual([]);
});

it('finds the same when the extension goes away and comes back, and where the role may not create it', async () => {
  const [plain, store] = [storeOf({ cache }), storeOf(withExtension())];
  await expectSame(plain, store);
  await query('DROP EXTENSION vector CASCADE');
  log.lines.length = 0;
  await expectSame(plain, store);
  expect(log.lines[0]).toContain('pgvector failed');
  // The server looks again after a failure, and makes the copy again.
  expect(await copied()).toBe(706);
  await query('DROP EXTENSION vector CASCADE');
  await query('CREATE ROLE plain; GRANT ALL ON ALL TABLES IN SCHEMA public TO plain; SET ROLE plain');
  log.lines.length = 0;
  await expectSame(plain, storeOf(withExtension()));
  await query('RESET ROLE');
  expect(log.lines).toEqual([expect.stringContaining('may not create it')]);
});
