import type { Finding } from '../validate.ts';
import type { ExportedEdge, ExportedField, ExportedNode } from './read-export.ts';

/** The names of Croft for a component of Langflow. The keys are Langflow's names. */
export interface Counterpart {
  readonly type?: string;
  readonly fields?: Readonly<Record<string, string>>;
  readonly outputs?: Readonly<Record<string, string>>;
}

/** Components of Langflow that write texts to a vector store, search them, or both, with the same names of ports. */
export const VECTOR_STORES: ReadonlySet<string> = new Set([
  'AstraDB',
  'Cassandra',
  'Chroma',
  'Clickhouse',
  'Couchbase',
  'Elasticsearch',
  'FAISS',
  'HCD',
  'Knowledge',
  'KnowledgeBase',
  'KnowledgeIngestion',
  'KnowledgeRetrieval',
  'LocalDB',
  'Milvus',
  'MongoDBAtlasVector',
  'Pinecone',
  'QdrantVectorStoreComponent',
  'Redis',
  'SupabaseVectorStore',
  'Upstash',
  'Weaviate',
  'pgvector',
]);

const WRITE: Counterpart = {
  type: 'VectorStoreWrite',
  fields: { input_df: 'ingest_data', embedding_model: 'embedding' },
  outputs: { dataframe_output: 'result' },
};
const SEARCH: Counterpart = {
  type: 'VectorSearch',
  fields: { embedding_model: 'embedding', top_k: 'number_of_results' },
  outputs: { search_results: 'dataframe', retrieve_data: 'dataframe', chroma_kb_data: 'dataframe' },
};
/** Fields that name what Croft calls a collection. */
const COLLECTIONS = ['collection', 'collection_name', 'knowledge_base', 'index_name', 'table_name'];
const WRITES = new Set(['ingest_data', 'input_df']);
const EMBEDS = new Set(['embedding', 'embedding_model']);

/** The nodes that a vector store becomes, each with its names, and all edges of the flow afterwards. */
export interface SplitStore {
  readonly nodes: readonly (readonly [ExportedNode, Counterpart])[];
  readonly edges: readonly ExportedEdge[];
  readonly finding: Finding;
}

/** Makes one component that writes, one that searches, or two where the export does both with one. */
export function asVectorStore(node: ExportedNode, edges: readonly ExportedEdge[]): SplitStore {
  const { id } = node;
  const collection = collectionOf(node);
  const fields: Record<string, ExportedField> = {
    ...node.fields,
    collection: { value: collection, isSecret: false, isVariable: false },
  };
  const isWritten = edges.some(({ to }) => to.node === id && WRITES.has(to.port));
  const isSearched = edges.some(
    ({ from, to }) =>
      (from.node === id && WRITE.outputs?.[from.port] === undefined) || (to.node === id && to.port === 'search_query'),
  );
  const finding: Finding = {
    severity: 'warning',
    code: 'unmapped',
    node: id,
    message: `${id} (${node.type}) becomes the collection '${collection}' of Croft. Texts of the other store are not taken over.`,
    fix: 'Write the texts to the collection before a search.',
  };
  // Other stores give their search modes other meanings. Both orders together are the default.
  const { search_type: _, mode: __, ...kept } = fields;
  const base = { ...node, fields: kept };
  if (!isWritten || !isSearched) {
    const isIngestion = node.fields['mode']?.value === 'Ingest' || node.type === 'KnowledgeIngestion';
    const writes = isWritten || (!isSearched && isIngestion);
    return { nodes: [[base, writes ? WRITE : SEARCH]], edges, finding };
  }
  const writer = {
    ...base,
    id: `VectorStoreWrite-${id.slice(id.lastIndexOf('-') + 1)}`,
    displayName: undefined,
    toolMode: false,
    position: { x: node.position.x - 400, y: node.position.y },
  };
  const moved = edges.flatMap((edge): ExportedEdge[] => {
    if (edge.to.node !== id) return [edge];
    const toWriter = { ...edge, to: { ...edge.to, node: writer.id } };
    if (WRITES.has(edge.to.port)) return [toWriter];
    return EMBEDS.has(edge.to.port) ? [edge, toWriter] : [edge];
  });
  return {
    nodes: [
      [writer, WRITE],
      [base, SEARCH],
    ],
    edges: moved,
    finding,
  };
}

function collectionOf({ fields }: ExportedNode): string {
  for (const name of COLLECTIONS) {
    const value = fields[name]?.value;
    if (typeof value === 'string' && value.trim() !== '') return value.trim();
  }
  return 'documents';
}

/**
 * Edges that let each search wait for the component that writes the same collection in the same flow. An export starts
 * the two at different times; a run here has all components.
 */
export function writesBeforeSearches(
  nodes: readonly ExportedNode[],
  edges: readonly ExportedEdge[],
): readonly ExportedEdge[] {
  const collectionIn = ({ fields }: ExportedNode) => fields['collection']?.value;
  const added: ExportedEdge[] = [];
  for (const search of nodes.filter(({ type }) => type === SEARCH.type)) {
    const after = reachedFrom(search.id, edges);
    for (const writer of nodes.filter(({ type }) => type === WRITE.type))
      if (!after.has(writer.id) && collectionIn(writer) === collectionIn(search))
        added.push({
          from: { node: writer.id, port: 'result' },
          to: { node: search.id, port: 'after' },
          isTool: false,
        });
  }
  return added;
}

function reachedFrom(start: string, edges: readonly ExportedEdge[]): ReadonlySet<string> {
  const reached = new Set([start]);
  // A set gives what is added while it is walked.
  for (const id of reached) for (const { from, to } of edges) if (from.node === id) reached.add(to.node);
  return reached;
}
