import type { LanguageModelV3, LanguageModelV3StreamPart } from '@ai-sdk/provider';
import { ModelError } from './errors.ts';

/**
 * The model, with a limit on how long it may send nothing: before its reply begins, and between two parts of it. A reply
 * that keeps coming is never cut.
 *
 * The request ends with ModelError `timeout`, and its connection is closed.
 */
export function withSilenceLimit(model: LanguageModelV3, provider: string, limitMs: number): LanguageModelV3 {
  return {
    specificationVersion: 'v3',
    provider: model.provider,
    modelId: model.modelId,
    supportedUrls: model.supportedUrls,
    doGenerate: (options) => model.doGenerate(options),
    async doStream(options) {
      const silence = new AbortController();
      const failure = new ModelError(
        'timeout',
        `${provider}: Request timed out. Please try again. ${model.modelId} sent nothing for ${limitMs / 1_000} s.`,
        'Try again, or use a faster model.',
      );
      const signal = options.abortSignal ? AbortSignal.any([options.abortSignal, silence.signal]) : silence.signal;
      const withinLimit = async <T>(work: PromiseLike<T>): Promise<T> => {
        let timer: NodeJS.Timeout | undefined;
        const late = new Promise<never>((_, reject) => {
          timer = setTimeout(() => {
            silence.abort(failure);
            reject(failure);
          }, limitMs);
        });
        try {
          return await Promise.race([work, late]);
        } finally {
          clearTimeout(timer);
        }
      };
      const result = await withinLimit(model.doStream({ ...options, abortSignal: signal }));
      const reader = result.stream.getReader();
      const stream = new ReadableStream<LanguageModelV3StreamPart>({
        async pull(controller) {
          const { done, value } = await withinLimit(reader.read());
          if (done) controller.close();
          else controller.enqueue(value);
        },
        cancel: (reason) => reader.cancel(reason),
      });
      return { ...result, stream };
    },
  };
}
