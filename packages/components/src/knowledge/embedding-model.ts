import type { CroftComponent } from '../services.ts';
import { embedderIn } from './embedder.ts';
import { LEXICAL_EMBEDDER } from './lexical-embedder.ts';

/** The model that turns texts into vectors. */
export const embeddingModel: CroftComponent = {
  descriptor: {
    type: 'EmbeddingModel',
    label: 'Embedding model',
    description:
      'Chooses the model that turns texts into vectors, of a provider or croft/lexical, which compares words and needs no key.',
    category: 'knowledge',
    icon: 'binary',
    keywords: ['embeddings', 'vector'],
    aliases: ['Embeddings'],
    effects: ['model'],
    fields: [
      {
        name: 'model',
        label: 'Embedding model',
        kind: 'embedding-model',
        default: LEXICAL_EMBEDDER,
        help: 'croft/lexical finds texts that share words or word stems, not texts that mean the same. Others: provider/name, such as OpenAI/text-embedding-3-small.',
      },
    ],
    outputs: [{ name: 'embeddings', label: 'Embeddings', types: ['Embeddings'] }],
  },
  run: ({ inputs, services }) => ({ embeddings: { embedder: embedderIn(inputs['model'], services).name } }),
};
