import type { Json } from '@croft/flow';
import { expect, it } from 'vitest';
import { embeddingProviders, LEXICAL_EMBEDDER, modelText, readModel } from './model-value.ts';

const providers = [
  { name: 'OpenAI', models: ['gpt-4o'] },
  { name: 'Ollama', models: [] },
  { name: 'croft', models: ['offline'] },
];

it.each<[Json, string, string]>([
  [null, '', ''],
  ['', '', ''],
  ['OpenAI/gpt-4o', 'OpenAI', 'gpt-4o'],
  ['openai/gpt-4o', 'OpenAI', 'gpt-4o'],
  ['Ollama/hf.co/a/b', 'Ollama', 'hf.co/a/b'],
  ['OpenAI', 'OpenAI', ''],
  ['gpt-4o', 'OpenAI', 'gpt-4o'],
  [[{ provider: 'OpenAI', name: 'gpt-4o' }], 'OpenAI', 'gpt-4o'],
  [{ name: 'gpt-4o' }, 'OpenAI', 'gpt-4o'],
  ['Elsewhere/x', 'Elsewhere', 'x'],
])('reads the model %j as %s and %s', (value, provider, name) => {
  expect(readModel(value, providers)).toEqual({ provider, name });
});

it('writes a provider alone, or provider and name', () => {
  expect([modelText('OpenAI', ''), modelText('OpenAI', 'gpt-4o')]).toEqual(['OpenAI', 'OpenAI/gpt-4o']);
});

it('offers embedding models of the providers that have some', () => {
  const [openai, anthropic, compatible] = [
    { name: 'OpenAI', models: ['gpt-4o'], embeddingModels: ['text-embedding-3-small'] },
    { name: 'Anthropic', models: ['claude'], embeddingModels: null },
    { name: 'OpenAI compatible', models: [], embeddingModels: [] },
  ];
  expect(embeddingProviders([openai, anthropic, compatible] as (typeof openai)[])).toEqual([
    { ...openai, models: ['text-embedding-3-small'] },
    compatible,
  ]);
});

it.each<[Json, string, string]>([
  [[], '', ''],
  ['/x', '/x', ''],
  [7, '7', ''],
  [{ provider: 'ollama' }, 'Ollama', ''],
  [{ provider: 'None', name: 7 }, 'None', ''],
  [{ provider: '', name: '' }, '', ''],
  [{ provider: 3, name: 'offline' }, 'croft', 'offline'],
  ['unknown', 'unknown', ''],
  ['openai', 'OpenAI', ''],
  ['OLLAMA/x/y', 'Ollama', 'x/y'],
  [[{ provider: 'CROFT', name: 'offline' }, 'OpenAI'], 'croft', 'offline'],
])('reads the unusual model %j as %s and %s', (value, provider, name) => {
  expect(readModel(value, providers)).toEqual({ provider, name });
});

it('has an embedder for an empty field', () => {
  expect(LEXICAL_EMBEDDER).toBe('croft/lexical');
});
