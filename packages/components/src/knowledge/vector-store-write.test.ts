import { describe, expect, it } from 'vitest';
import { runAlone, declaredBy, textsOf } from '../testing.ts';
import { uncomparedStore } from './testing-embedder.ts';
import { memoryVectorStore } from './vector-store.ts';
import { vectorStoreWrite } from './vector-store-write.ts';

const write = (ingest_data: unknown, more: object = {}, vectors = memoryVectorStore(), call: object = {}) =>
  runAlone(
    vectorStoreWrite,
    { collection: ' docs ', ingest_data, embedding: undefined, text_key: 'text', mode: 'Replace', ...more },
    { vectors },
    call,
  );
const { signal } = new AbortController();

describe('texts', () => {
  it('are put into the collection with their record', async () => {
    const vectors = memoryVectorStore();
    const rows = [{ text: 'a sheep', source: 's' }, { text: ' ' }, { text: 'a wall' }];
    expect((await write(rows, {}, vectors)).outputs).toEqual({ result: { collection: 'docs', added: 2, total: 2 } });
    expect(await vectors.searchText('docs', 'sheep', 9, signal)).toMatchObject([
      { text: 'a sheep', data: { text: 'a sheep', source: 's' } },
    ]);
    expect(await vectors.info('docs')).toEqual({ embedder: 'croft/lexical', chunks: 2 });
  });

  it('are in the named column, else in text, else the whole record', async () => {
    const vectors = memoryVectorStore();
    await write(
      [{ body: 'from body', text: 'x' }, { text: 'from text' }, { a: 'whole' }],
      { text_key: 'body' },
      vectors,
    );
    const texts = await Promise.all(
      ['body', 'text', 'whole'].map(async (word) => (await vectors.searchText('docs', word, 1, signal))[0]?.text),
    );
    expect(texts).toEqual(['from body', 'from text', '{"a":"whole"}']);
  });

  it('replace the content or are added to it', async () => {
    const vectors = memoryVectorStore();
    await write('one', {}, vectors);
    expect((await write('two', {}, vectors)).outputs['result']).toMatchObject({ added: 1, total: 1 });
    expect((await write('three', { mode: 'Append' }, vectors)).outputs['result']).toMatchObject({ added: 1, total: 2 });
  });

  it('report their progress, and are written under the key of the step', async () => {
    const vectors = uncomparedStore();
    let options: unknown;
    const watched = {
      ...vectors,
      write: async (...given: Parameters<typeof vectors.write>) => ((options = given[3]), vectors.write(...given)),
    };
    const { progress } = await write('one', { mode: 'Append' }, watched, { stepKey: 'key' });
    expect(progress).toEqual([{ kind: 'progress', done: 0, total: 1 }]);
    expect(options).toMatchObject({ replace: false, stepKey: 'key' });
  });
});

describe('a collection', () => {
  it('of another model takes no more texts, and may be replaced', async () => {
    const vectors = memoryVectorStore();
    await vectors.write('docs', 'other/model', [], { replace: true, signal, stepKey: 's' });
    await expect(write('one', { mode: 'Append' }, vectors)).rejects.toMatchObject({
      message: "The collection 'docs' has vectors of other/model, not of croft/lexical.",
      fix: 'Connect the embedding model other/model, or replace the content.',
    });
    expect((await write('one', {}, vectors)).outputs['result']).toMatchObject({ total: 1 });
  });

  it('takes at most 50,000 texts at once', async () => {
    const rows = Array.from({ length: 50_001 }, () => ({ text: 'a' }));
    await expect(write(rows)).rejects.toMatchObject({
      message: '50001 chunks are more than 50000.',
      fix: 'Write fewer or larger chunks.',
    });
    expect((await write(rows.slice(1))).outputs['result']).toMatchObject({ added: 50_000 });
  });

  it('needs a store', async () => {
    await expect(runAlone(vectorStoreWrite, { collection: 'c', ingest_data: 'x' })).rejects.toThrow(
      'This run has no vector store.',
    );
  });
});

it('declares its fields with these defaults and limits', () => {
  expect(declaredBy(vectorStoreWrite)).toEqual([
    'VectorStoreWrite: database-write model',
    'collection: text default="documents" required variables=false',
    'ingest_data: handle Table Data Message list required',
    'embedding: handle Embeddings',
    'text_key: text advanced default="text" variables=false',
    'mode: select default="Replace" of Replace|Append',
    'result: gives Data',
  ]);
});

it('shows these texts to people and models', () => {
  expect(textsOf(vectorStoreWrite.descriptor)).toEqual([
    'Write to vector store (database-zap): Puts texts with their vectors into a collection, which Vector search reads.',
    'knowledge | rag | ingest | knowledge | index | KnowledgeIngestion | LocalDB',
    'collection: Collection',
    'ingest_data: Texts | One chunk for each row. Split text cuts long texts.',
    'embedding: Embedding model | Not connected: croft/lexical.',
    'text_key: Column with the text',
    'mode: Existing content | Replace makes a repeated run give the same collection.',
    'result: Result | collection, added, total',
  ]);
});
