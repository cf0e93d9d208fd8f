import { createModels } from '@croft/models';
import { type ScriptedProvider, startScriptedProvider } from '@croft/models/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { runNode, runSpec } from '../testing.ts';
import { memoryVectorStore } from './vector-store.ts';

const DOCUMENTS = [
  { text: 'The sheep graze on the hill behind the wall.', source: 'sheep.md' },
  { text: 'Invoices are due within thirty days of delivery.', source: 'billing.md' },
  { text: 'The wall around the croft is made of granite.', source: 'wall.md' },
];

const write = (vectors = memoryVectorStore(), value: unknown = DOCUMENTS, config = {}) =>
  runNode({ type: 'VectorStoreWrite', output: 'result', input: 'ingest_data', value, config, services: { vectors } });
const search = (vectors: ReturnType<typeof memoryVectorStore>, query: string, config = {}) =>
  runNode({
    type: 'VectorSearch',
    output: 'dataframe',
    config: { search_query: query, ...config },
    services: { vectors },
  });
const sources = (value: unknown) => (value as { source: string }[]).map(({ source }) => source);

/** Aborts the run when its node has started. */
function abortOnStart(type: string) {
  const abort = new AbortController();
  const onEvent = (event: { readonly kind: string; readonly node?: string }) => {
    if (event.kind === 'node_started' && event.node?.startsWith(type) === true) abort.abort();
  };
  return { signal: abort.signal, onEvent };
}

/** A flow that stores a text, then searches for it. */
const writeAndSearch = (pattern: string, { nodes = [], edges = [], config = [] }: FlowLines = {}) => [
  'nodes:',
  ...nodes,
  '  I: TextInput',
  '  W: VectorStoreWrite',
  '  Q: VectorSearch',
  '  P: ParserComponent',
  '  O: ChatOutput',
  'edges:',
  '  I.text -> W.ingest_data',
  ...edges,
  '  W.result -> Q.after',
  '  Q.dataframe -> P.input_data',
  '  P.parsed_text -> O.input_value',
  'config:',
  ...config,
  '  I.input_value: Sheep graze here',
  '  Q.search_query: sheep',
  `  P.pattern: "${pattern}"`,
];
interface FlowLines {
  readonly nodes?: readonly string[];
  readonly edges?: readonly string[];
  readonly config?: readonly string[];
}

describe('a vector store', () => {
  it.each(['Similarity', 'Full text', 'Hybrid'])('finds the right text by %s', async (search_type) => {
    const vectors = memoryVectorStore();
    expect((await write(vectors)).value).toEqual({ collection: 'documents', added: 3, total: 3 });
    const { value } = await search(vectors, 'when is an invoice due', { search_type });
    expect(sources(value)[0]).toBe('billing.md');
    expect((value as { score: number }[])[0]?.score).toBeGreaterThan(0);
  });

  it('gives the same collection when a run is repeated, and more with Append', async () => {
    const vectors = memoryVectorStore();
    await write(vectors);
    expect((await write(vectors)).value).toMatchObject({ total: 3 });
    expect((await write(vectors, DOCUMENTS, { mode: 'Append' })).value).toMatchObject({ total: 6 });
  });

  it('orders by exact cosine and gives no text without anything in common', async () => {
    const vectors = memoryVectorStore();
    await write(vectors);
    const { value } = await search(vectors, DOCUMENTS[2]?.text ?? '', { search_type: 'Similarity' });
    expect((value as { score: number }[])[0]?.score).toBeCloseTo(1, 5);
    expect((await search(vectors, 'zzz', { search_type: 'Full text' })).value).toEqual([]);
  });

  it('takes words of their own for the part of a search that compares words', async () => {
    const vectors = memoryVectorStore();
    await write(vectors);
    const config = { search_type: 'Full text', lexical_terms: 'granite' };
    expect(sources((await search(vectors, 'when is an invoice due', config)).value)).toEqual(['wall.md']);
  });

  it('is written before it is searched in one flow', async () => {
    expect((await runSpec(writeAndSearch('{text}'), { vectors: memoryVectorStore() })).text).toBe('Sheep graze here');
  });

  it.each([
    [() => search(memoryVectorStore(), 'x'), "There is no collection 'documents'."],
    [() => runNode({ type: 'VectorSearch', output: 'dataframe', config: { search_query: 'x' } }), 'no vector store'],
  ])('explains a failure (%#)', async (attempt, message) => {
    const { failure } = await attempt();
    expect(failure?.message).toContain(message);
    expect(failure?.fix).toBeDefined();
  });

  it('refuses to mix vectors of two embedding models', async () => {
    const vectors = memoryVectorStore();
    const options = { replace: true, stepKey: 's', signal: new AbortController().signal };
    await vectors.write('documents', 'other/model', [{ text: 'a', data: {}, vector: new Float32Array(512) }], options);
    expect((await search(vectors, 'a')).failure?.message).toContain('has vectors of other/model');
    expect((await write(vectors, DOCUMENTS, { mode: 'Append' })).failure?.message).toContain(
      'has vectors of other/model',
    );
  });

  it('keeps its content when writing is cancelled', async () => {
    const vectors = memoryVectorStore();
    await write(vectors);
    const node = { type: 'VectorStoreWrite', output: 'result', input: 'ingest_data', services: { vectors } };
    const many = Array.from({ length: 500 }, (_, n) => ({ text: `text ${n}` }));
    expect((await runNode({ ...node, value: many }, abortOnStart('VectorStoreWrite'))).status).toBe('cancelled');
    expect(await vectors.info('documents')).toMatchObject({ chunks: 3 });
  });

  it('gives nothing when a search is cancelled', async () => {
    const vectors = memoryVectorStore();
    await write(vectors);
    const node = { type: 'VectorSearch', output: 'dataframe', config: { search_query: 'wall' }, services: { vectors } };
    const { status, value } = await runNode(node, abortOnStart('VectorSearch'));
    expect([status, value]).toEqual(['cancelled', undefined]);
  });
});

it('gives a sample of a collection only to the embedder that made it', async () => {
  const vectors = memoryVectorStore();
  await write(vectors);
  const { embedder } = (await vectors.info('documents')) ?? { embedder: '' };
  expect((await vectors.sample('documents', embedder))?.text).toBe(DOCUMENTS[0]?.text);
  expect(await vectors.sample('documents', 'OpenAI/other')).toBeUndefined();
});

describe('an embedding model', () => {
  let provider: ScriptedProvider | undefined;
  afterEach(async () => {
    await provider?.close();
    provider = undefined;
  });
  const choose = async (model?: string) =>
    runNode({ type: 'EmbeddingModel', output: 'embeddings', config: model === undefined ? {} : { model } });
  const flowWith = (model: string, search = model) =>
    writeAndSearch('{text} {score}', {
      nodes: ['  E: EmbeddingModel', '  S: EmbeddingModel'],
      edges: ['  E.embeddings -> W.embedding', '  S.embeddings -> Q.embedding'],
      config: [`  E.model: ${model}`, `  S.model: ${search}`],
    });
  const services = () => ({
    vectors: memoryVectorStore(),
    models: createModels({ variables: provider?.variables ?? {}, retries: 0 }),
  });

  it('is the offline one unless another is chosen, and is named by its provider', async () => {
    expect((await choose()).value).toEqual({ embedder: 'croft/lexical' });
    expect((await choose('text-embedding-3-large')).value).toEqual({ embedder: 'OpenAI/text-embedding-3-large' });
    expect((await choose('other/model')).failure?.fix).toContain('provider/name');
    expect((await choose('Anthropic')).failure?.message).toContain('has no embedding models');
  });

  it.each(['OpenAI/text-embedding-3-small', 'Google', 'Ollama/nomic-embed-text', 'OpenAI compatible/any'])(
    'of a provider writes and searches a collection, and its tokens count: %s',
    async (model) => {
      provider = await startScriptedProvider([{}]);
      const used = services();
      const { text, metrics } = await runSpec(flowWith(model), used);
      // Vectors of unit length, whatever the provider sent: a cosine, joined by rank with the words.
      expect(text).toMatch(/^Sheep graze here 0\.0/);
      expect(metrics.input_tokens).toBe(model === 'Google' ? 0 : 6);
      expect((await used.vectors.info('documents'))?.embedder).toMatch(/^[A-Z][\w ]+\/[\w-]+$/);
      const { signal } = new AbortController();
      const [hit] = await used.vectors.searchVector('documents', new Float32Array(4).fill(0.5), 1, signal);
      expect(hit?.score).toBeLessThanOrEqual(1);
    },
  );

  it('refuses a search with another one, and says what to do', async () => {
    provider = await startScriptedProvider([{}]);
    const { failure } = await runSpec(flowWith('OpenAI', 'croft/lexical'), services());
    expect(failure?.message).toBe(
      "The collection 'documents' has vectors of OpenAI/text-embedding-3-small, not of croft/lexical.",
    );
    expect(failure?.fix).toContain('Connect the embedding model OpenAI/text-embedding-3-small');
  });

  it('explains a provider that fails or has no key, and is cancelled with its run', async () => {
    expect((await runSpec(flowWith('OpenAI'), services())).failure?.message).toContain('OpenAI is not configured');
    provider = await startScriptedProvider([{ status: 401 }]);
    const { failure } = await runSpec(flowWith('OpenAI'), services());
    expect(failure).toMatchObject({
      message: expect.stringContaining('Authentication failed'),
      fix: expect.any(String),
    });
    await provider.close();
    provider = await startScriptedProvider([{ stall: 'before' }]);
    const abort = new AbortController();
    const running = runSpec(flowWith('OpenAI'), services(), { signal: abort.signal });
    await expect.poll(() => provider?.requests.length).toBe(1);
    abort.abort();
    expect((await running).status).toBe('cancelled');
    await provider.clientLeft;
  });

  it('pays for no text twice when a write is cancelled and run again', async () => {
    provider = await startScriptedProvider(({ body }) => (body.includes('text 300"') ? { stall: 'before' } : {}));
    const { vectors } = services();
    const value = Array.from({ length: 400 }, (_, at) => ({ text: `text ${at}` }));
    const inputs = () =>
      (provider?.requests ?? []).flatMap(({ body }) => (JSON.parse(body) as { input: string[] }).input);
    const write = (more: Parameters<typeof runSpec>[2]) =>
      runSpec(
        [
          'nodes:',
          '  E: EmbeddingModel',
          '  I: TextInput',
          '  T: TypeConverterComponent',
          '  W: VectorStoreWrite',
          'edges:',
          '  I.text -> T.input_data',
          '  T.dataframe_output -> W.ingest_data',
          '  E.embeddings -> W.embedding',
          'config:',
          '  E.model: OpenAI',
          `  I.input_value: ${JSON.stringify(JSON.stringify(value))}`,
        ],
        { ...services(), vectors },
        more,
      );
    const abort = new AbortController();
    const first = write({ signal: abort.signal });
    await expect.poll(() => inputs().includes('text 300')).toBe(true);
    abort.abort();
    expect([(await first).status, inputs().length]).toEqual(['cancelled', 384]);
    await provider.close();
    provider = await startScriptedProvider([{}]);
    expect((await write({})).status).toBe('completed');
    expect(inputs()).toEqual(value.slice(256).map(({ text }) => text));
    expect(await vectors.info('documents')).toMatchObject({ chunks: 400 });
  });
});
