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
    [' gpt-4o ', 'OpenAI', 'gpt-4o'],
    [{ provider: 'OpenAI', name: ' gpt-4o ' }, 'OpenAI', 'gpt-4o'],
    [{ provider: 'OpenAI' }, 'OpenAI', ''],
    [{ provider: 'OpenAI', name: 7 }, 'OpenAI', ''],
    [{ provider: 'Groq', name: ` ${nested}` }, 'OpenAI', 'gpt-4o'],
    [{ provider: '', name: 'gpt-4o' }, 'OpenAI', 'gpt-4o'],
    [{ provider: 'Unknown', name: 'gpt-4o' }, 'OpenAI', 'gpt-4o'],
    [{ name: 'gpt-4o' }, 'OpenAI', 'gpt-4o'],
    [[[[['gpt-4o']]]], 'OpenAI', 'gpt-4o'],
  ])('reads %j', (value, provider, name) => {
    expect(readModelRef(value)).toEqual({ provider, name });
  });

  it.each([undefined, null, '', [], [''], {}])('takes %j as no choice', (value) => {
    expect(readModelRef(value)).toBeUndefined();
  });

  it.each([
    ['no-such-model', 'no-such-model'],
    ['Acme/one', 'Acme/one'],
    ['a/OpenAI', 'a/OpenAI'],
    ['/gpt', '/gpt'],
    [{ provider: 'Acme', name: 'one' }, 'Acme'],
    [7, '7'],
    ['[{"provider":', '[{"provider":'],
    [[[[[['gpt-4o']]]]], 'the value is nested too deeply'],
    [`${'['.repeat(9)}${']'.repeat(9)}`, 'the value is nested too deeply'],
    ['x'.repeat(101), 'x'.repeat(100)],
  ])('refuses %j with the names of the providers', (value, what) => {
    const expected = new ModelError(
      'unknown_model',
      `There is no model '${what}'.`,
      'Write provider/name with one of these providers: Anthropic, OpenAI, Google Generative AI, Groq, Ollama, OpenAI compatible, croft.',
    );
    const refused = () => readModelRef(value);
    expect(refused).toThrow(expected);
    expect(refused).toThrow(expect.objectContaining({ code: expected.code, fix: expected.fix }));
  });
});
