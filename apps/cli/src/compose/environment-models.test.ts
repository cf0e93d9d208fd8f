import type { Models } from '@croft/models';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { UsageError } from '../usage-error.ts';
import { chosenModels, environmentModels, withOneModel } from './environment-models.ts';

beforeEach(() => {
  for (const name of Object.keys(process.env)) if (/_(API_KEY|BASE_URL)$/.test(name)) vi.stubEnv(name, undefined);
  vi.stubEnv('OLLAMA_BASE_URL', '');
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

describe('the models of the environment', () => {
  it('are the offline model without keys', async () => {
    expect((await environmentModels(undefined)).preferred).toEqual({ provider: 'croft', name: 'offline' });
  });

  it('are those of a key, and the preferred one', async () => {
    vi.stubEnv('OPENAI_API_KEY', 'sk-test');
    const models = await environmentModels('openai/gpt-x');
    expect(models.preferred).toEqual({ provider: 'OpenAI', name: 'gpt-x' });
    expect([...models.secrets]).toContain('sk-test');
  });

  it('look for Ollama unless its address is set, also to nothing', async () => {
    const fetch = vi.spyOn(globalThis, 'fetch').mockRejectedValue(new Error('refused'));
    await environmentModels(undefined);
    expect(fetch).not.toHaveBeenCalled();
    vi.stubEnv('OLLAMA_BASE_URL', undefined);
    await environmentModels(undefined);
    expect(fetch).toHaveBeenCalled();
  });

  it('say what is wrong with --model', async () => {
    const failure = await chosenModels('nonsense').catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(UsageError);
    expect((failure as Error).message).toMatch(/^--model: .+ .+/);
    expect((await chosenModels(undefined)).preferred.provider).toBe('croft');
  });
});

it('answers every request with the preferred model', () => {
  const asked: unknown[] = [];
  const models = { preferred: 'p', stream: (request: unknown) => asked.push(request) } as unknown as Models;
  const one = withOneModel(models);
  expect(one.stream({ model: { provider: 'a', name: 'b' }, messages: [] } as never)).toBe(1);
  expect(asked).toEqual([{ model: undefined, messages: [] }]);
  expect(one.preferred).toBe('p');
});
