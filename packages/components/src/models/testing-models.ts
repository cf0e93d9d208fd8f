import { createModels, type ModelRequest, type ModelResult, type Models } from '@croft/models';
import { type ScriptedProvider, type ScriptedReply, startScriptedProvider } from '@croft/models/testing';
import { afterEach, expect } from 'vitest';
import type { Ran } from '../testing.ts';

/** For tests: models that answer from a scripted provider, which is closed after each test. */
export function useScriptedModels() {
  let provider: ScriptedProvider | undefined;
  const close = async () => {
    await provider?.close();
    provider = undefined;
  };
  afterEach(close);
  return {
    close,
    /** The requests that the provider got. */
    requests: () => provider?.requests ?? [],
    async models(...replies: ScriptedReply[]): Promise<{ readonly models: Models }> {
      provider = await startScriptedProvider(replies);
      return { models: createModels({ variables: provider.variables, retries: 0 }) };
    },
    /** Cancels the run once the model is asked, and waits until the connection is closed. */
    async cancelled(run: (signal: AbortSignal) => Promise<Ran>): Promise<string> {
      const abort = new AbortController();
      const running = run(abort.signal);
      await expect.poll(() => provider?.requests.length).toBeGreaterThan(0);
      abort.abort();
      const { status } = await running;
      await provider?.clientLeft;
      return status;
    },
  };
}

/** For tests: models that keep the requests and give these results, or throw these errors, in order. */
export function recordedModels(...results: readonly (Partial<ModelResult> | Error)[]) {
  const asked: ModelRequest[] = [];
  const models = {
    preferred: { provider: 'P', name: 'n' },
    async *stream(request: ModelRequest) {
      const result = results[asked.push(request) - 1] ?? {};
      yield { kind: 'text', text: 'part' };
      if (result instanceof Error) throw result;
      const usage = { inputTokens: 1, outputTokens: 2, totalTokens: 3 };
      return { text: '', model: { provider: 'P', name: 'n' }, usage, finish: 'stop', ...result };
    },
  } as unknown as Models;
  return { services: { models }, asked };
}

/** The progress of a question to recorded models that does not stream. */
export const USAGE = { kind: 'usage', model: 'P/n', inputTokens: 1, outputTokens: 2, totalTokens: 3 };
