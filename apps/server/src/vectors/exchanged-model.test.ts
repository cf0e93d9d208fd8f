import { memoryVectorStore, type VectorStore } from '@croft/components';
import { createModels, type Models } from '@croft/models';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { embedLexically } from '../../../../packages/components/src/knowledge/lexical-embedder.ts';
import { type RunMore, runSpec } from '../../../../packages/components/src/testing.ts';
import { type TestDatabase, useTestDatabase } from '../../../../tests/store/use-test-database.ts';
import { ingests } from '../testing-flows.ts';
import { newStore } from './testing-store.ts';

const LATER_MS = 121_000;
const [FIRST, OTHER, INEXACT] = [
  embedLexically,
  (text: string) => embedLexically(text).reverse(),
  (text: string) => embedLexically(text).map((each, at) => each + (at % 2 === 0 ? 0.002 : -0.002)),
];

const embedded: string[] = [];
/** The model behind the name. All give vectors of one length. */
let vectorOf: (text: string) => Float32Array = FIRST;
const models: Models = {
  ...createModels({ variables: {} }),
  async embed({ texts }) {
    embedded.push(...texts);
    return { vectors: texts.map(vectorOf), inputTokens: 0 };
  },
};

let opened: TestDatabase;
let passed = 0;
useTestDatabase((started) => void (opened = started), ['ada']);
beforeEach(() => {
  const { now } = Date;
  vi.spyOn(Date, 'now').mockImplementation(() => now.call(Date) + passed);
  embedded.splice(0);
  vectorOf = FIRST;
});
afterEach(() => vi.restoreAllMocks());

const stored = () => newStore(opened.database.db);

const TEXTS = Array.from({ length: 500 }, (_, at) => `text ${at}`);

async function write(vectors: VectorStore, texts: readonly string[], mode = 'Replace', more: RunMore = {}) {
  const flow = ingests('OpenAI', texts, ['W.collection: docs', `W.mode: ${mode}`]);
  return runSpec(flow, { vectors, models }, more);
}

const searchOf = (model: string, type: string) => `nodes:
  E: EmbeddingModel
  S: VectorSearch
  P: ParserComponent
  O: ChatOutput
edges:
  E.embeddings -> S.embedding
  S.dataframe -> P.input_data
  P.parsed_text -> O.input_value
config:
  E.model: ${model}
  S.collection: docs
  S.search_query: sheep
  S.search_type: ${type}
  P.pattern: "{text}"`;
const search = (vectors: VectorStore, type = 'Hybrid', model = 'OpenAI') =>
  runSpec(searchOf(model, type), { vectors, models });

describe.each([
  ['in memory', memoryVectorStore],
  ['of a server', stored],
])('when the model behind a name is exchanged for one with vectors of the same length, the store %s', (_, open) => {
  it('refuses a search by vector, says what to do, and searches by full text', async () => {
    const store = open();
    await write(store, ['sheep graze here', 'a wall']);
    vectorOf = OTHER;
    passed += LATER_MS;
    const { failure } = await search(store);
    expect(failure?.message).toBe(
      "OpenAI/text-embedding-3-small gives other vectors now than those in the collection 'docs': the model behind this name was exchanged.",
    );
    expect(failure?.fix).toBe('Write the texts again with Replace, or search by full text.');
    expect((await search(store)).status).toBe('failed');
    expect((await search(store, 'Full text')).text).toBe('sheep graze here');
    await write(store, ['sheep graze here', 'a wall', 'new']);
    expect((await search(store)).text).toContain('sheep graze here');
    passed += LATER_MS;
    expect((await search(store)).text).toContain('sheep graze here');
  });

  it('refuses to append, and replaces every text', async () => {
    const store = open();
    await write(store, ['a', 'b']);
    vectorOf = OTHER;
    passed += LATER_MS;
    const { failure } = await write(store, ['new'], 'Append');
    expect(failure?.message).toContain('the model behind this name was exchanged');
    expect(failure?.fix).toContain('into a collection with another name');
    expect(await store.info('docs')).toMatchObject({ chunks: 2 });
    embedded.splice(0);
    await write(store, ['b', 'a', 'new']);
    expect([...new Set(embedded)].sort()).toEqual(['a', 'b', 'new']);
    const { signal } = new AbortController();
    const hits = await store.searchVector('docs', OTHER('new'), 1, signal);
    expect(hits).toMatchObject([{ text: 'new', score: expect.closeTo(1) }]);
  });

  it('does not continue a write with vectors of the other model, however often it is cancelled', async () => {
    const store = open();
    await write(store, ['before', ...TEXTS.slice(400)]);
    const cancelledAfter = async (count: number) => {
      const abort = new AbortController();
      embedded.splice(0);
      const onEvent = () => void (embedded.length >= count && abort.abort());
      expect((await write(store, TEXTS, 'Replace', { signal: abort.signal, onEvent })).status).toBe('cancelled');
    };
    passed += LATER_MS;
    await cancelledAfter(200);
    vectorOf = OTHER;
    passed += LATER_MS;
    await cancelledAfter(200);
    await cancelledAfter(100);
    expect((await write(store, TEXTS)).status).toBe('completed');
    const { signal } = new AbortController();
    for (const text of ['text 0', 'text 150', 'text 300', 'text 450'])
      expect(await store.searchVector('docs', OTHER(text), 1, signal)).toMatchObject([{ score: expect.closeTo(1) }]);
  });
});

describe.each([
  ['in memory', memoryVectorStore],
  ['of a server', stored],
])('while the model stays the same, the store %s', (_, open) => {
  it('embeds one stored text again with a search, at most every two minutes, and accepts inexact vectors', async () => {
    const store = open();
    await write(store, ['sheep graze here', 'a wall']);
    embedded.splice(0);
    await search(store);
    expect(embedded).toEqual(['sheep']);
    passed += LATER_MS;
    vectorOf = INEXACT;
    expect((await search(store)).text).toContain('sheep graze here');
    await search(store);
    expect(embedded.slice(1)).toEqual(['sheep', 'sheep graze here', 'sheep']);
  });

  it('embeds a stored and a kept text again with a write', async () => {
    const store = open();
    await write(store, ['a', 'b']);
    embedded.splice(0);
    passed += LATER_MS;
    await write(store, ['b', 'c'], 'Append');
    expect(embedded).toEqual(['a', 'b', 'c']);
  });

  it('does not compare the offline embedder', async () => {
    const store = open();
    await store.write('docs', 'croft/lexical', [{ text: 'sheep', data: {}, vector: OTHER('sheep') }], {
      replace: true,
      signal: new AbortController().signal,
      stepKey: 'own',
    });
    passed += LATER_MS;
    expect((await search(store, 'Hybrid', 'croft/lexical')).status).toBe('completed');
    expect(embedded).toEqual([]);
  });
});

it('a server compares again after a restart', async () => {
  await write(stored(), ['sheep graze here']);
  vectorOf = OTHER;
  expect((await search(stored())).failure?.message).toContain('was exchanged');
});
