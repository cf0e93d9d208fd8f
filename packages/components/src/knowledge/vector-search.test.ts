import { beforeEach, describe, expect, it } from 'vitest';
import { runAlone, declaredBy, textsOf } from '../testing.ts';
import { embedLexically } from './lexical-embedder.ts';
import { type Hit, memoryVectorStore, type VectorStore } from './vector-store.ts';
import { vectorSearch } from './vector-search.ts';

let vectors: VectorStore;
const { signal } = new AbortController();
const chunk = (text: string) => ({ text, data: { source: text.split(' ')[0] }, vector: embedLexically(text) });
beforeEach(async () => {
  vectors = memoryVectorStore();
  await vectors.write('docs', 'croft/lexical', ['sheep graze', 'walls stand', 'sheep and walls'].map(chunk), {
    replace: true,
    signal,
    stepKey: 's',
  });
});
const search = async (more: object = {}, store: VectorStore = vectors) => {
  const inputs = {
    collection: ' docs ',
    search_query: 'sheep',
    embedding: undefined,
    search_type: 'Hybrid',
    lexical_terms: '',
    number_of_results: 4,
  };
  const { outputs } = await runAlone(vectorSearch, { ...inputs, ...more }, { vectors: store });
  return outputs['dataframe'] as readonly { text: string; source: string; score: number }[];
};

describe('a search', () => {
  it('by vectors or by words has the scores of that order', async () => {
    const byVector = await search({ search_type: 'Similarity' });
    expect(byVector[0]).toMatchObject({ text: 'sheep graze', source: 'sheep' });
    expect(byVector.map(({ score }) => score)).toEqual(byVector.map(({ score }) => score).toSorted((a, b) => b - a));
    expect((await search({ search_type: 'Full text' })).map(({ text }) => text).toSorted()).toEqual([
      'sheep and walls',
      'sheep graze',
    ]);
  });

  it('by words compares other words if there are any', async () => {
    const words = { search_type: 'Full text', lexical_terms: ' stand ' };
    expect((await search(words)).map(({ text }) => text)).toEqual(['walls stand']);
  });

  it('gives at most as many as asked for, in each order', async () => {
    for (const search_type of ['Similarity', 'Full text', 'Hybrid'])
      expect(await search({ search_type, number_of_results: 1 })).toHaveLength(1);
  });

  it('by both joins the ranks', async () => {
    const hit = (text: string): Hit => ({ text, data: {}, score: 9 });
    const store: VectorStore = {
      ...vectors,
      searchVector: async () => [hit('a'), hit('b')],
      searchText: async () => [hit('b'), hit('c')],
    };
    expect(await search({}, store)).toEqual([
      { text: 'b', score: 1 / 62 + 1 / 61 },
      { text: 'a', score: 1 / 61 },
      { text: 'c', score: 1 / 62 },
    ]);
    expect((await search({ number_of_results: 2 }, store)).map(({ text }) => text)).toEqual(['b', 'a']);
  });
});

describe('a collection', () => {
  it('must exist', async () => {
    await expect(search({ collection: 'none' })).rejects.toMatchObject({
      message: "There is no collection 'none'.",
      fix: 'Fill it with Write to vector store, and connect its result to after.',
    });
    await expect(runAlone(vectorSearch, {})).rejects.toThrow('This run has no vector store.');
  });

  it('of another model is only searched by words', async () => {
    const other = { embedding: { embedder: 'OpenAI/x' } };
    await expect(search(other)).rejects.toThrow("The collection 'docs' has vectors of croft/lexical, not of OpenAI/x.");
    await expect(search({ ...other, search_type: 'Similarity' })).rejects.toThrow('not of OpenAI/x');
    expect(await search({ ...other, search_type: 'Full text' })).toHaveLength(2);
  });
});

it('declares its fields with these defaults and limits', () => {
  expect(declaredBy(vectorSearch)).toEqual([
    'VectorSearch: database-read model',
    'collection: text default="documents" required variables=false',
    'search_query: text Message required toolParameter',
    'embedding: handle Embeddings',
    'search_type: select default="Hybrid" of Similarity|Full text|Hybrid',
    'lexical_terms: text Message advanced default="" variables=false if search_type Full text|Hybrid',
    'number_of_results: integer default=4 max=1000 min=1',
    'after: handle Data Message Table',
    'dataframe: gives Table',
  ]);
});

it('shows these texts to people and models', () => {
  expect(textsOf(vectorSearch.descriptor)).toEqual([
    'Vector search (search-code): Finds the texts of a collection that are closest to a query, by vectors, by words or by both.',
    'knowledge | rag | retrieve | similarity | full text | hybrid | knowledge | KnowledgeRetrieval | HybridSearch | FullTextSearch',
    'collection: Collection',
    'search_query: Query',
    'embedding: Embedding model | Not connected: croft/lexical.',
    'search_type: Search by | Hybrid joins both orders by reciprocal rank fusion.',
    'lexical_terms: Words to search by | Empty: the query.',
    'number_of_results: Results at most',
    'after: Wait for | Connect the result of Write to vector store, so that the search runs after it.',
    'dataframe: Results | the columns of the texts, and score',
  ]);
});
