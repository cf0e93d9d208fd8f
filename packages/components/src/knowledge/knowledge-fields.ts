import type { Field } from '@croft/flow';

export const collectionField: Field = {
  name: 'collection',
  label: 'Collection',
  kind: 'text',
  default: 'documents',
  required: true,
  variables: false,
};

export const embeddingField: Field = {
  name: 'embedding',
  label: 'Embedding model',
  kind: 'handle',
  accepts: ['Embeddings'],
  help: 'Not connected: croft/lexical.',
};
