import { ComponentError, type CroftComponent, requireVectors } from '../services.ts';
import { toText } from '../values.ts';
import { embedderIn } from './embedder.ts';
import { embedCompared, exchangedModel, type OwnCollection } from './exchanged-model.ts';
import { collectionField, embeddingField } from './knowledge-fields.ts';
import type { Hit } from './vector-store.ts';

const TYPES = ['Similarity', 'Full text', 'Hybrid'] as const;
/** The constant of reciprocal rank fusion (Cormack et al., 2009). */
const RRF_K = 60;

/** Texts of a collection that are close to a query. */
export const vectorSearch: CroftComponent = {
  descriptor: {
    type: 'VectorSearch',
    label: 'Vector search',
    description: 'Finds the texts of a collection that are closest to a query, by vectors, by words or by both.',
    category: 'knowledge',
    icon: 'search-code',
    keywords: ['rag', 'retrieve', 'similarity', 'full text', 'hybrid', 'knowledge'],
    aliases: ['KnowledgeRetrieval', 'HybridSearch', 'FullTextSearch'],
    // The embedder may be a model of a provider.
    effects: ['database-read', 'model'],
    fields: [
      collectionField,
      { name: 'search_query', label: 'Query', kind: 'text', accepts: ['Message'], required: true, toolParameter: true },
      embeddingField,
      {
        name: 'search_type',
        label: 'Search by',
        kind: 'select',
        options: [...TYPES],
        default: 'Hybrid',
        help: 'Hybrid joins both orders by reciprocal rank fusion.',
      },
      {
        name: 'lexical_terms',
        label: 'Words to search by',
        kind: 'text',
        accepts: ['Message'],
        default: '',
        variables: false,
        advanced: true,
        help: 'Empty: the query.',
        showWhen: { field: 'search_type', is: ['Full text', 'Hybrid'] },
      },
      { name: 'number_of_results', label: 'Results at most', kind: 'integer', default: 4, min: 1, max: 1_000 },
      {
        name: 'after',
        label: 'Wait for',
        kind: 'handle',
        accepts: ['Data', 'Message', 'Table'],
        help: 'Connect the result of Write to vector store, so that the search runs after it.',
      },
    ],
    outputs: [{ name: 'dataframe', label: 'Results', types: ['Table'], help: 'the columns of the texts, and score' }],
  },
  async *run({ inputs, services, signal }) {
    const store = requireVectors(services);
    const collection = toText(inputs['collection']).trim();
    const query = toText(inputs['search_query']);
    const limit = Number(inputs['number_of_results']);
    const embedder = embedderIn(inputs['embedding'], services);
    const info = await store.info(collection);
    if (info === undefined)
      throw new ComponentError(
        `There is no collection '${collection}'.`,
        'Fill it with Write to vector store, and connect its result to after.',
      );
    const type = inputs['search_type'];
    if (type !== 'Full text' && info.embedder !== embedder.name)
      throw new ComponentError(
        `The collection '${collection}' has vectors of ${info.embedder}, not of ${embedder.name}.`,
        `Connect the embedding model ${info.embedder}, search by full text, or write the collection again with ${embedder.name}.`,
      );
    const own = { store, collection, embedder };
    const vector = type === 'Full text' ? undefined : yield* vectorOf(query, own, signal);
    const byVector = async () => (vector ? store.searchVector(collection, vector, limit, signal) : []);
    const words = toText(inputs['lexical_terms'] ?? '').trim();
    const byText = () => store.searchText(collection, words === '' ? query : words, limit, signal);
    const hits =
      type === 'Similarity'
        ? await byVector()
        : type === 'Full text'
          ? await byText()
          : fused(await Promise.all([byVector(), byText()]), limit);
    return { dataframe: hits.map(({ text, data, score }) => ({ ...data, text, score })) };
  },
};

async function* vectorOf(query: string, own: OwnCollection, signal: AbortSignal) {
  const { vectors, isChunkSame } = yield* embedCompared(own, [query], new Map(), signal);
  if (!isChunkSame) throw exchangedModel(own, 'Write the texts again with Replace, or search by full text.');
  return vectors[0];
}

/** Reciprocal rank fusion: ranks of several orders become one, whatever their scores mean. */
function fused(orders: readonly (readonly Hit[])[], limit: number): readonly Hit[] {
  const byKey = new Map<string, Hit>();
  for (const order of orders) {
    for (const [rank, hit] of order.entries()) {
      const key = JSON.stringify([hit.text, hit.data]);
      const score = (byKey.get(key)?.score ?? 0) + 1 / (RRF_K + rank + 1);
      byKey.set(key, { ...hit, score });
    }
  }
  return [...byKey.values()].sort((a, b) => b.score - a.score).slice(0, limit);
}
