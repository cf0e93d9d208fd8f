import { ComponentError, type CroftComponent, requireVectors } from '../services.ts';
import { toRows, toText } from '../values.ts';
import { embedForCollection } from './embed.ts';
import { embedderIn } from './embedder.ts';
import { collectionField, embeddingField } from './knowledge-fields.ts';

const MAX_CHUNKS = 50_000;

/** Texts into a collection that can be searched. */
export const vectorStoreWrite: CroftComponent = {
  descriptor: {
    type: 'VectorStoreWrite',
    label: 'Write to vector store',
    description: 'Puts texts with their vectors into a collection, which Vector search reads.',
    category: 'knowledge',
    icon: 'database-zap',
    keywords: ['rag', 'ingest', 'knowledge', 'index'],
    aliases: ['KnowledgeIngestion', 'LocalDB'],
    // The embedder may be a model of a provider.
    effects: ['database-write', 'model'],
    fields: [
      collectionField,
      {
        name: 'ingest_data',
        label: 'Texts',
        kind: 'handle',
        accepts: ['Table', 'Data', 'Message'],
        list: true,
        required: true,
        help: 'One chunk for each row. Split text cuts long texts.',
      },
      embeddingField,
      {
        name: 'text_key',
        label: 'Column with the text',
        kind: 'text',
        default: 'text',
        variables: false,
        advanced: true,
      },
      {
        name: 'mode',
        label: 'Existing content',
        kind: 'select',
        options: ['Replace', 'Append'],
        default: 'Replace',
        help: 'Replace makes a repeated run give the same collection.',
      },
    ],
    outputs: [{ name: 'result', label: 'Result', types: ['Data'], help: 'collection, added, total' }],
  },
  async *run({ inputs, services, signal, stepKey }) {
    const store = requireVectors(services);
    const collection = toText(inputs['collection']).trim();
    const embedder = embedderIn(inputs['embedding'], services);
    const key = String(inputs['text_key']);
    const rows = toRows(inputs['ingest_data'])
      .map((row) => ({ text: toText(row[key] ?? row['text'] ?? row), data: row }))
      .filter(({ text }) => text.trim() !== '');
    if (rows.length > MAX_CHUNKS)
      throw new ComponentError(`${rows.length} chunks are more than ${MAX_CHUNKS}.`, 'Write fewer or larger chunks.');
    const replace = inputs['mode'] === 'Replace';
    const existing = await store.info(collection);
    if (!replace && existing !== undefined && existing.embedder !== embedder.name)
      throw new ComponentError(
        `The collection '${collection}' has vectors of ${existing.embedder}, not of ${embedder.name}.`,
        `Connect the embedding model ${existing.embedder}, or replace the content.`,
      );
    const texts = rows.map(({ text }) => text);
    const vectors = yield* embedForCollection({ store, collection, embedder }, { texts, appends: !replace }, signal);
    const chunks = rows.map((row) => ({ ...row, vector: vectors.get(row.text) as Float32Array }));
    const { chunks: total } = await store.write(collection, embedder.name, chunks, { replace, signal, stepKey });
    return { result: { collection, added: chunks.length, total } };
  },
};
