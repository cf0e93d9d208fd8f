import type { LanguageModelV3, LanguageModelV3StreamPart } from '@ai-sdk/provider';
import { replyTo } from './reply.ts';

/**
 * `croft/offline`: a model made of rules. It needs no key and no network, gives the same reply to the same request, and
 * sees what any provider sees: messages, tool schemas and tool results. Token counts are estimates.
 */
export function offlineModel(): LanguageModelV3 {
  return {
    specificationVersion: 'v3',
    provider: 'croft',
    modelId: 'offline',
    supportedUrls: {},
    doGenerate: () => Promise.reject(new Error('Models are only streamed.')),
    doStream: (options) => {
      const reply = replyTo(options);
      const isCall = reply.calls.length > 0;
      const outputTokens = tokensIn(reply.text + JSON.stringify(reply.calls));
      const parts: LanguageModelV3StreamPart[] = [
        { type: 'stream-start', warnings: [] },
        ...textParts(reply.text),
        ...reply.calls.map(
          (call): LanguageModelV3StreamPart => ({
            type: 'tool-call',
            toolCallId: call.id,
            toolName: call.name,
            input: JSON.stringify(call.input),
          }),
        ),
        {
          type: 'finish',
          finishReason: { unified: isCall ? 'tool-calls' : 'stop', raw: undefined },
          usage: {
            inputTokens: {
              total: tokensIn(JSON.stringify(options.prompt)),
              noCache: undefined,
              cacheRead: undefined,
              cacheWrite: undefined,
            },
            outputTokens: { total: outputTokens, text: undefined, reasoning: undefined },
          },
        },
      ];
      return Promise.resolve({ stream: ReadableStream.from(parts) as ReadableStream<LanguageModelV3StreamPart> });
    },
  };
}

const PIECE = /\S+\s*|\s+/g;

/** The text word by word, as a provider streams it. */
function textParts(text: string): LanguageModelV3StreamPart[] {
  if (text === '') return [];
  const id = 'text-0';
  return [
    { type: 'text-start', id },
    ...(text.match(PIECE) ?? []).map((delta): LanguageModelV3StreamPart => ({ type: 'text-delta', id, delta })),
    { type: 'text-end', id },
  ];
}

/** Four characters a token is the usual rule of thumb. */
const tokensIn = (text: string): number => Math.ceil(text.length / 4);
