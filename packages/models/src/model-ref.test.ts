import { describe, expect, it } from 'vitest';
import { ModelError } from './errors.ts';
import { readModelRef } from './model-ref.ts';

describe('readModelRef', () => {
  const nested = JSON.stringify([{ provider: 'OpenAI', name: 'gpt-4o' }]);

  it.each([
    [[{ provider: 'OpenAI', name: 'gpt-4o', category: 'x' }], 'OpenAI', 'gpt-4o'],
    [{ provider: 'anthropic', name: 'claude-sonnet-4-6' }, 'Anthropic', 'claude-sonnet-4-6'],
    [nested, 'OpenAI', 'gpt-4o'],
    [[{ name: nested, provider: 'Unknown' }], 'OpenAI', 'gpt-4o'],
    ['gpt-4o', 'OpenAI', 'gpt-4o'],
    [['GPT-4o'], 'OpenAI', 'gpt-4o'],
    ['claude-something-new', 'Anthropic', 'claude-something-new'],
    ['gemini-2.5-pro', 'Google Generative AI', 'gemini-2.5-pro'],
    ['google/gemini-2.5-flash', 'Google Generative AI', 'gemini-2.5-flash'],
    ['Groq/openai/gpt-oss-120b', 'Groq', 'openai/gpt-oss-120b'],
    ['Ollama/llama3:8b', 'Ollama', 'llama3:8b'],
    ['Ollama', 'Ollama', ''],
    ['croft/offline', 'croft', 'offline'],
  ])('reads %j', (value, provider, name) => {
    expect(readModelRef(value)).toEqual({ provider, name });
  });

  it.each([undefined, null, '', [], [''], {}])('takes %j as no choice', (value) => {
    expect(readModelRef(value)).toBeUndefined();
  });

  it.each([
    'no-such-model',
    'Acme/one',
    { provider: 'Acme', name: 'one' },
    7,
    '[{"provider":',
    `${'['.repeat(9)}${']'.repeat(9)}`,
  ])('refuses %j with the names of the providers', (value) => {
    expect(() => readModelRef(value)).toThrow(ModelError);
    try {
      readModelRef(value);
    } catch (error) {
      expect((error as ModelError).fix).toContain('OpenAI, Google Generative AI');
    }
  });
});
