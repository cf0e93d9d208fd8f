import { memoryVectorStore, type VectorStore } from '@croft/components';
import { createModels, type Models } from '@croft/models';
import { sql } from 'drizzle-orm';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { embedLexically } from '../../../../packages/components/src/knowledge/lexical-embedder.ts';
import { type RunMore, runSpec } from '../../../../packages/components/src/testing.ts';
import { type TestDatabase, useTestDatabase } from '../../../../tests/store/use-test-database.ts';
import { knownVectors } from './known-vectors.ts';
import { packed } from './pack-vectors.ts';
import { ingests } from '../testing-flows.ts';
import { newStore } from './testing-store.ts';

const embedded: string[] = [];
/** The length of the model's vectors; 0 for those of `embedLexically`. */
let length = 0;
const vectorOf = (text: string) => (length > 0 ? new Float32Array(length).fill(1) : embedLexically(text));
/** Counts the texts that a run embeds. */
const models: Models = {
  ...createModels({ variables: {} }),
  async embed({ texts }) {
    embedded.push(...texts);
    return { vectors: texts.map(vectorOf), inputTokens: 0 };
  },
};

const TEXTS = Array.from({ length: 1_000 }, (_, at) => `text ${at}`);
const inOrder = (texts: readonly string[]) => [...texts].sort();
let opened: TestDatabase;

useTestDatabase((started) => void (opened = started), ['ada']);
beforeEach(() => {
  embedded.splice(0);
  length = 0;
});

const stored = () => newStore(opened.database.db);

/** Runs a flow that writes. Each call is a run of its own, as another attempt of a person. */
async function write(
  vectors: VectorStore,
  collection: string,
  texts: readonly string[],
  mode = 'Replace',
  more: RunMore = {},
) {
  const flow = ingests('OpenAI', texts, [`W.collection: ${collection}`, `W.mode: ${mode}`]);
  const ran = await runSpec(flow, { vectors, models }, more);
  const own = Object.entries(ran.outputs).find(([id]) => id.startsWith('VectorStoreWrite-'));
  return { status: ran.status, value: own?.[1]['result'] };
}

/** Cancels in the middle. @returns how many texts were done at each event */
function cancelInMiddle() {
  const abort = new AbortController();
  const done: number[] = [];
  const onEvent = (event: object) => {
    if (!('done' in event)) return;
    done.push(event.done as number);
    if (embedded.length >= 300) abort.abort();
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

describe.each([
  ['in memory', memoryVectorStore],
  ['of a server', stored],
])('when the model behind a name changes the length of its vectors, the store %s', (_, open) => {
  const scores = async (store: VectorStore, name: string) => {
    const hits = await store.searchVector(name, new Float32Array(length).fill(1), 10, new AbortController().signal);
    return hits.map(({ score }) => Math.round(score));
  };

  it.each([
    ['known texts and a new one', ['a', 'b', 'new']],
    ['a new text before known ones', ['new', 'a', 'b']],
    ['known texts only', ['b', 'a']],
  ])('replaces %s with vectors of the new length', async (_, texts) => {
    const name = 'changed';
    const store = open();
    length = 8;
    await write(store, name, ['a', 'b']);
    embedded.splice(0);
    length = 16;
    expect(await write(store, name, texts)).toMatchObject({ status: 'completed', value: { total: texts.length } });
    expect(inOrder(embedded)).toEqual(inOrder(texts));
    expect(await scores(store, name)).toEqual(texts.map(() => 4));
  });

  it('continues a cancelled write with vectors of the new length only', async () => {
    const store = open();
    length = 8;
    const { more } = cancelInMiddle();
    expect((await write(store, 'cancelled', TEXTS, 'Replace', more)).status).toBe('cancelled');
    embedded.splice(0);
    length = 16;
    const again = cancelInMiddle();
    expect((await write(store, 'cancelled', TEXTS, 'Replace', again.more)).status).toBe('cancelled');
    embedded.splice(0);
    expect((await write(store, 'cancelled', TEXTS)).value).toMatchObject({ total: 1_000 });
    expect(embedded.length).toBeLessThan(700);
    expect(new Set(await scores(store, 'cancelled'))).toEqual(new Set([4]));
  });

  it('refuses to append, and keeps the content', async () => {
    const store = open();
    length = 8;
    await write(store, 'append', ['a']);
    length = 16;
    expect((await write(store, 'append', ['new'], 'Append')).status).toBe('failed');
    expect(await store.info('append')).toMatchObject({ chunks: 1 });
  });
});

it('refuses vectors of different lengths with a clear error', () => {
  const vectors = [new Float32Array(8), new Float32Array(4)];
  expect(() => packed(vectors)).toThrow('The vectors have different lengths: 8 and 4 numbers.');
  expect(() => packed([...vectors].reverse())).toThrow('The vectors have different lengths: 4 and 8 numbers.');
});

it('counts hashes in the bytes of a user, and lets others run between blocks of hashes', async () => {
  const store = stored();
  const { db } = opened.database;
  length = 4;
  const texts = Array.from({ length: 4_000 }, (_, at) => `${at}`);
  await write(store, 'hashes', texts);
  const { rows } = await db.execute(sql`SELECT bytes FROM vector_collection WHERE name = 'hashes'`);
  const content = texts.reduce((total, text) => total + JSON.stringify({ text, data: { text } }).length, 0);
  expect(Number(rows[0]?.['bytes'])).toBe(content + 4_000 * (4 * 4 + 32) + 4_000 * 12);
  const owner = { userId: 'ada', name: 'hashes', embedder: 'OpenAI/text-embedding-3-small' };
  let reads = 0;
  const readsOfTurns: number[] = [];
  const readBase64 = Buffer.prototype.toString;
  const spy = vi.spyOn(Buffer.prototype, 'toString').mockImplementation(function (this: Buffer, ...how) {
    if (how[0] === 'base64') reads++;
    return readBase64.apply(this, how);
  });
  const endTurn = () => {
    readsOfTurns.push(reads);
    reads = 0;
    next = setImmediate(endTurn);
  };
  let next = setImmediate(endTurn);
  try {
    await knownVectors(db, owner, ['one new text'], new AbortController().signal);
  } finally {
    clearImmediate(next);
    spy.mockRestore();
  }
  expect(readsOfTurns.reduce((all, each) => all + each, reads)).toBeGreaterThanOrEqual(4_000);
  expect(Math.max(reads, ...readsOfTurns)).toBeLessThan(1_100);
});
