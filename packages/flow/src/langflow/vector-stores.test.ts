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
    const { nodes, edges } = asVectorStore(nodeOf(), [
      WRITES,
      SEARCHES,
      RESULTS,
      edge('Embed-1.out', 'Chroma-x1.embedding'),
    ]);
    expect(nodes.map(([{ id, position }, { type }]) => [id, type, position.x])).toEqual([
      ['VectorStoreWrite-x1', 'VectorStoreWrite', 100],
      ['Chroma-x1', 'VectorSearch', 500],
    ]);
    expect(shown(edges)).toEqual([
      'Split-1.out>VectorStoreWrite-x1.ingest_data',
      'Input-1.message>Chroma-x1.search_query',
      'Chroma-x1.search_results>Out-1.in',
      'Embed-1.out>Chroma-x1.embedding',
      'Embed-1.out>VectorStoreWrite-x1.embedding',
    ]);
  });

  it('keeps the name of its collection, and not its search modes', () => {
    const fieldsOf = (values: Readonly<Record<string, Json>>) => asVectorStore(nodeOf(values), []).nodes[0]?.[0].fields;
    expect(fieldsOf({ collection_name: ' docs ', search_type: 'MMR', mode: 'x' })).toEqual(
      expect.objectContaining({ collection: expect.objectContaining({ value: 'docs' }) }),
    );
    expect(fieldsOf({ search_type: 'MMR' })).not.toHaveProperty('search_type');
    expect(fieldsOf({ index_name: ' ' })?.['collection']?.value).toBe('documents');
    expect(asVectorStore(nodeOf(), []).finding.message).toContain("becomes the collection 'documents'");
    expect([VECTOR_STORES.has('Chroma'), VECTOR_STORES.has('Memory')]).toEqual([true, false]);
  });
});

it('lets a search wait for the write to its collection, and not where that would be a circle', () => {
  const node = (id: string, type: string, collection: string) => nodeOf({ collection }, type, id);
  const [write, search] = [node('W', 'VectorStoreWrite', 'a'), node('S', 'VectorSearch', 'a')];
  const other = node('O', 'VectorSearch', 'b');
  expect(shown(writesBeforeSearches([write, search, other], []))).toEqual(['W.result>S.after']);
  expect(writesBeforeSearches([write, search], [edge('S.x', 'M.in'), edge('M.x', 'W.in')])).toEqual([]);
});
