import type { LanguageModelV3, LanguageModelV3StreamPart, LanguageModelV3StreamResult } from '@ai-sdk/provider';
import { ModelError } from './errors.ts';
import { failureText } from './failure-text.ts';

/** A provider's error text that contains one of these means: this account cannot use this model. Compatible with Langflow. */
export const MODEL_UNAVAILABLE_MARKERS: readonly string[] = [
  'model_not_found',
  'does not have access to model',
  'model is not available',
  'the model does not exist',
  'model not available',
  'no access to model',
  'not found (status code: 404)',
  'requires a subscription',
];

/** The same failure as Anthropic, Google and Ollama report it, without any of the markers. */
const PROVIDER_WORDING = [/not_found_error.*\bmodel:/s, /models\/\S+ is not found/, /does not support chat/];

/** Whether a failure means that another model of the same provider may work. Failures of keys, limits and network do not. */
export function isModelUnavailable(error: unknown): boolean {
  const text = failureText(error).toLowerCase();
  return (
    MODEL_UNAVAILABLE_MARKERS.some((marker) => text.includes(marker)) ||
    PROVIDER_WORDING.some((each) => each.test(text))
  );
}

/** The error text after the last candidate. Compatible with Langflow. */
export const modelsExhaustedMessage = (provider: string, tried: readonly string[]): string =>
  `No accessible model on ${provider}. Tried: ${tried.join(', ')}. Configure access to one of these models in your ${provider} account, or switch to a different provider in Settings → Model Providers.`;

/** A switch from a model that is not available to the next candidate. */
export interface Fallback {
  readonly from: string;
  readonly to: string;
}

export interface FallbackOptions {
  readonly provider: string;
  /** Model names in the order to try; the first is the requested one. */
  readonly candidates: readonly string[];
  open(name: string): LanguageModelV3;
  /** Called before the next candidate is tried. */
  onFallback(fallback: Fallback): void;
}

/**
 * One model that is the first available of several. A candidate that answered stays in use, so a run of several steps
 * repeats no tool call. Candidates change only before a reply begins.
 *
 * @throws ModelError `models_exhausted` from a request after the last candidate; other failures as they are
 */
export function withFallback({ provider, candidates, open, onFallback }: FallbackOptions): LanguageModelV3 & {
  current(): string;
} {
  let at = 0;
  return {
    specificationVersion: 'v3',
    provider,
    modelId: candidates[0] ?? '',
    supportedUrls: {},
    current: () => candidates[at] ?? '',
    doGenerate: () => Promise.reject(new Error('Models are only streamed.')),
    async doStream(options) {
      for (;;) {
        const name = candidates[at] ?? '';
        try {
          return await beginning(await open(name).doStream(options));
        } catch (error) {
          if (!isModelUnavailable(error)) throw error;
          const next = candidates[at + 1];
          if (next === undefined)
            throw new ModelError(
              'models_exhausted',
              modelsExhaustedMessage(provider, candidates),
              'Choose a model that your account can use, or set the key of another provider.',
            );
          at++;
          onFallback({ from: name, to: next });
        }
      }
    },
  };
}

/** The stream, once its first part with content has arrived. @throws the error where the stream begins with one */
async function beginning(result: LanguageModelV3StreamResult): Promise<LanguageModelV3StreamResult> {
  const reader = result.stream.getReader();
  const seen: LanguageModelV3StreamPart[] = [];
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    if (value.type === 'error') {
      await reader.cancel().catch(() => undefined);
      throw value.error;
    }
    seen.push(value);
    if (value.type !== 'stream-start' && value.type !== 'response-metadata' && value.type !== 'raw') break;
  }
  const stream = new ReadableStream<LanguageModelV3StreamPart>({
    async pull(controller) {
      const kept = seen.shift();
      if (kept !== undefined) {
        controller.enqueue(kept);
        return;
      }
      const { done, value } = await reader.read();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
  return { ...result, stream };
}
