import { memoryVectorStore, type Services, type VectorStore } from '@croft/components';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { runNode, type RunMore } from '../../../../packages/components/src/testing.ts';
import { openTestDatabase } from '../../../../tests/store/test-database.ts';
import { user } from '../store/schema.ts';
import { createBlockCache } from './block-cache.ts';
import { storedVectors } from './stored-vectors.ts';

const embedded: string[] = [];
vi.mock('../../../../packages/components/src/knowledge/lexical-embedder.ts', async (original) => {
  const module = await original<{ embedLexically(text: string): Float32Array }>();
  return { ...module, embedLexically: (text: string) => (embedded.push(text), module.embedLexically(text)) };
});

const TEXTS = Array.from({ length: 1_000 }, (_, at) => `text ${at}`);
const inOrder = (texts: readonly string[]) => [...texts].sort();
let opened: Awaited<ReturnType<typeof openTestDatabase>>;

beforeAll(async () => {
  opened = await openTestDatabase();
  await opened.database.db.insert(user).values({ id: 'ada', name: 'ada', email: 'ada@example.test' });
}, 60_000);
afterAll(() => opened.close());
beforeEach(() => void embedded.splice(0));

const stored = () =>
  storedVectors(
    async () => opened.database.db,
    { cache: createBlockCache(0) },
    { userId: 'ada', runId: `${Math.random()}` },
  );

/** Runs the component. A write of its own run, as another attempt of a person. */
function write(
  vectors: VectorStore,
  collection: string,
  texts: readonly string[],
  mode = 'Replace',
  more: RunMore = {},
) {
  const value = texts.map((text) => ({ text }));
  const config = { collection, mode };
  const services: Partial<Services> = { vectors };
  return runNode({ type: 'VectorStoreWrite', output: 'result', input: 'ingest_data', value, config, services }, more);
}

/** Cancels in the middle. @returns how many texts were done at each event */
function cancelInMiddle() {
  const abort = new AbortController();
  const done: number[] = [];
  const onEvent = (event: object) => {
    if (!('done' in event)) return;
    done.push(event.done as number);
    if ((done.at(-1) as number) >= 400) abort.abort();
  };
  return { done, more: { signal: abort.signal, onEvent } };
}

it.each([
  ['in memory', memoryVectorStore],
  ['of a server', stored],
])('a write to the store %s that was cancelled continues, and embeds each text once', async (_, open) => {
  const store = open();
  await write(store, 'other', ['text 999']);
  await write(store, 'c', ['before']);
  embedded.splice(0);
  const { done, more } = cancelInMiddle();
  expect((await write(store, 'c', TEXTS, 'Replace', more)).status).toBe('cancelled');
  expect(done.slice(0, 3)).toEqual([0, 128, 256]);
  expect(embedded.length).toBeGreaterThan(300);
  expect(embedded.length).toBeLessThan(900);
  expect(await store.info('c')).toMatchObject({ chunks: 1 });
  expect((await write(store, 'c', TEXTS)).value).toEqual({ collection: 'c', added: 1_000, total: 1_000 });
  expect(inOrder(embedded)).toEqual(inOrder(TEXTS));
  expect(await store.info('other')).toMatchObject({ chunks: 1 });
  // Unchanged texts of a later write are not embedded, and results are those of a write from the start.
  expect((await write(store, 'c', [...TEXTS, 'new', 'new'])).value).toMatchObject({ total: 1_002 });
  expect(embedded.slice(1_000)).toEqual(['new']);
  const fresh = memoryVectorStore();
  await write(fresh, 'c', [...TEXTS, 'new', 'new']);
  const query = new Float32Array(512).fill(1 / Math.sqrt(512));
  const { signal } = new AbortController();
  const find = (from: VectorStore) => from.searchVector('c', query, 2_000, signal);
  expect(await find(store)).toEqual(await find(fresh));
});

it('leaves no kept vectors behind, and appends duplicates that a person asks for without embedding them', async () => {
  const store = stored();
  await write(store, 'twice', ['a', 'b']);
  expect((await write(store, 'twice', ['b', 'c'], 'Append')).value).toMatchObject({ added: 2, total: 4 });
  expect(embedded).toEqual(['a', 'b', 'c']);
  const { rows } = await opened.database.db.execute(sql`SELECT 1 FROM vector_draft`);
  expect(rows).toEqual([]);
});
