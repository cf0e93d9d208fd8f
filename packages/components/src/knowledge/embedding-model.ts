import type { CroftComponent } from '../services.ts';
import { embedderIn } from './embed.ts';
import { LEXICAL_DIMENSIONS, LEXICAL_EMBEDDER } from './lexical-embedder.ts';

/** The model that turns texts into vectors. */
export const embeddingModel: CroftComponent = {
  descriptor: {
    type: 'EmbeddingModel',
    label: 'Embedding model',
    description: 'Chooses the model that turns texts into vectors. croft/lexical compares words and needs no key.',
    category: 'knowledge',
    icon: 'binary',
    keywords: ['embeddings', 'vector'],
    aliases: ['Embeddings'],
    effects: ['none'],
    fields: [
      {
        name: 'model',
        label: 'Embedding model',
        kind: 'embedding-model',
        default: LEXICAL_EMBEDDER,
        help: 'croft/lexical finds texts that share words or word stems, not texts that mean the same.',
      },
    ],
    outputs: [{ name: 'embeddings', label: 'Embeddings', types: ['Embeddings'] }],
  },
  run: ({ inputs }) => ({ embeddings: { embedder: embedderIn(inputs['model']), dimensions: LEXICAL_DIMENSIONS } }),
};
