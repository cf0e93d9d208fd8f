import { expect, it } from 'vitest';
import { runAlone, declaredBy, textsOf } from '../testing.ts';
import { embeddingModel } from './embedding-model.ts';

it.each([
  ['croft/lexical', 'croft/lexical'],
  ['', 'croft/lexical'],
  ['OpenAI/text-embedding-3-small', 'OpenAI/text-embedding-3-small'],
])('gives the embedder of %j', async (model, embedder) => {
  expect((await runAlone(embeddingModel, { model })).outputs).toEqual({ embeddings: { embedder } });
});

it('uses the one that needs no key unless another one is chosen', () => {
  expect(embeddingModel.descriptor.fields.find(({ name }) => name === 'model')?.default).toBe('croft/lexical');
});

it('declares its fields with these defaults and limits', () => {
  expect(declaredBy(embeddingModel)).toEqual([
    'EmbeddingModel: model',
    'model: embedding-model default="croft/lexical"',
    'embeddings: gives Embeddings',
  ]);
});

it('shows these texts to people and models', () => {
  expect(textsOf(embeddingModel.descriptor)).toEqual([
    'Embedding model (binary): Chooses the model that turns texts into vectors, of a provider or croft/lexical, which compares words and needs no key.',
    'knowledge | embeddings | vector | Embeddings',
    'model: Embedding model | croft/lexical finds texts that share words or word stems, not texts that mean the same. Others: provider/name, such as OpenAI/text-embedding-3-small.',
    'embeddings: Embeddings',
  ]);
});
