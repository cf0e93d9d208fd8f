import type { Json } from '@croft/flow';
import { expect, it } from 'vitest';
import { modelText, readModel } from './model-value.ts';

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
