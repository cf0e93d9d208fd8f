import { describe, expect, it } from 'vitest';
import type { Json } from '../document.ts';
import type { ExportedEdge, ExportedNode } from './read-export.ts';
import { asVectorStore, VECTOR_STORES, writesBeforeSearches } from './vector-stores.ts';

const nodeOf = (values: Readonly<Record<string, Json>> = {}, type = 'Chroma', id = 'Chroma-x1') =>
  ({
    id,
    type,
    position: { x: 500, y: 7 },
    fields: Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { value }])),
  }) as unknown as ExportedNode;
const edge = (from: string, to: string): ExportedEdge => {
  const [[node, port], [toNode, toPort]] = [from.split('.'), to.split('.')];
  return { from: { node, port }, to: { node: toNode, port: toPort }, isTool: false } as ExportedEdge;
};
const shown = (edges: readonly ExportedEdge[]) =>
  edges.map(({ from, to }) => `${from.node}.${from.port}>${to.node}.${to.port}`);
const WRITES = edge('Split-1.out', 'Chroma-x1.ingest_data');
const SEARCHES = edge('Input-1.message', 'Chroma-x1.search_query');
const RESULTS = edge('Chroma-x1.search_results', 'Out-1.in');

describe('a vector store of an export', () => {
  const typesOf = (edges: readonly ExportedEdge[], node = nodeOf()) =>
    asVectorStore(node, edges).nodes.map(([, { type }]) => type);

  it('writes or searches as its edges say', () => {
    expect([typesOf([WRITES]), typesOf([SEARCHES]), typesOf([RESULTS]), typesOf([])]).toEqual([
      ['VectorStoreWrite'],
      ['VectorSearch'],
      ['VectorSearch'],
      ['VectorSearch'],
    ]);
    expect(typesOf([], nodeOf({ mode: 'Ingest' }))).toEqual(['VectorStoreWrite']);
    expect(typesOf([], nodeOf({}, 'KnowledgeIngestion'))).toEqual(['VectorStoreWrite']);
  });

  it('becomes two where it does both, with the embedding model for each', () => {
    const store = { ...nodeOf({ a: 1 }), displayName: 'Docs', toolMode: true };
    const { nodes, edges } = asVectorStore(store, [
      WRITES,
      SEARCHES,
      RESULTS,
      edge('Embed-1.out', 'Chroma-x1.embedding'),
    ]);
    const fields = { a: { value: 1 }, collection: { value: 'documents', isSecret: false, isVariable: false } };
    expect(nodes).toEqual([
      [
        {
          ...store,
          id: 'VectorStoreWrite-x1',
          displayName: undefined,
          toolMode: false,
          position: { x: 100, y: 7 },
          fields,
        },
        {
          type: 'VectorStoreWrite',
          fields: { input_df: 'ingest_data', embedding_model: 'embedding' },
          outputs: { dataframe_output: 'result' },
        },
      ],
      [
        { ...store, fields },
        {
          type: 'VectorSearch',
          fields: { embedding_model: 'embedding', top_k: 'number_of_results' },
          outputs: { search_results: 'dataframe', retrieve_data: 'dataframe', chroma_kb_data: 'dataframe' },
        },
      ],
    ]);
    expect(shown(edges)).toEqual([
      'Split-1.out>VectorStoreWrite-x1.ingest_data',
      'Input-1.message>Chroma-x1.search_query',
      'Chroma-x1.search_results>Out-1.in',
      'Embed-1.out>Chroma-x1.embedding',
      'Embed-1.out>VectorStoreWrite-x1.embedding',
    ]);
    const others = [edge('Split-1.out', 'Chroma-x1.input_df'), edge('E.out', 'Chroma-x1.embedding_model')];
    expect(shown(asVectorStore(nodeOf(), [...others, RESULTS]).edges)).toEqual([
      'Split-1.out>VectorStoreWrite-x1.input_df',
      'E.out>Chroma-x1.embedding_model',
      'E.out>VectorStoreWrite-x1.embedding_model',
      'Chroma-x1.search_results>Out-1.in',
    ]);
  });

  it('only writes where its other edges give what it wrote or lead elsewhere', () => {
    const elsewhere = [
      edge('Chroma-x1.dataframe_output', 'Out-1.in'),
      edge('A.out', 'B.search_query'),
      edge('B.out', 'C.in'),
    ];
    expect(typesOf([WRITES, ...elsewhere])).toEqual(['VectorStoreWrite']);
    expect(typesOf([edge('Split-1.out', 'Other.ingest_data'), SEARCHES])).toEqual(['VectorSearch']);
    expect(typesOf([SEARCHES], nodeOf({ mode: 'Ingest' }))).toEqual(['VectorSearch']);
    expect(typesOf([], nodeOf({ mode: 'Retrieve' }))).toEqual(['VectorSearch']);
  });

  it('keeps the name of its collection, and not its search modes', () => {
    const fieldsOf = (values: Readonly<Record<string, Json>>) => asVectorStore(nodeOf(values), []).nodes[0]?.[0].fields;
    const collection = (value: string) => ({ collection: { value, isSecret: false, isVariable: false } });
    expect(fieldsOf({ search_type: 'MMR', mode: 'x' })).toEqual(collection('documents'));
    for (const name of ['collection', 'collection_name', 'knowledge_base', 'index_name', 'table_name'])
      expect(fieldsOf({ [name]: ' docs ' })).toMatchObject(collection('docs'));
    expect(fieldsOf({ collection: ' ', index_name: 7, table_name: 't' })).toMatchObject(collection('t'));
    expect(asVectorStore(nodeOf(), []).finding).toEqual({
      severity: 'warning',
      code: 'unmapped',
      node: 'Chroma-x1',
      message:
        "Chroma-x1 (Chroma) becomes the collection 'documents' of Croft. Texts of the other store are not taken over.",
      fix: 'Write the texts to the collection before a search.',
    });
  });

  it('is one of these types', () => {
    expect([...VECTOR_STORES].join(' ')).toBe(
      'AstraDB Cassandra Chroma Clickhouse Couchbase Elasticsearch FAISS HCD Knowledge KnowledgeBase KnowledgeIngestion KnowledgeRetrieval LocalDB Milvus MongoDBAtlasVector Pinecone QdrantVectorStoreComponent Redis SupabaseVectorStore Upstash Weaviate pgvector',
    );
  });
});

it('lets a search wait for the write to its collection, and not where that would be a circle', () => {
  const node = (id: string, type: string, collection: string) => nodeOf({ collection }, type, id);
  const [write, search] = [node('W', 'VectorStoreWrite', 'a'), node('S', 'VectorSearch', 'a')];
  const other = node('O', 'VectorSearch', 'b');
  expect(writesBeforeSearches([write, search, other], [])).toEqual([
    { from: { node: 'W', port: 'result' }, to: { node: 'S', port: 'after' }, isTool: false },
  ]);
  expect(shown(writesBeforeSearches([write, search], [edge('W.x', 'S.in')]))).toEqual(['W.result>S.after']);
  expect(writesBeforeSearches([write, search], [edge('S.x', 'M.in'), edge('M.x', 'W.in')])).toEqual([]);
});
