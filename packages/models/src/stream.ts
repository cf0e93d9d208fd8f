import type { LanguageModelV3 } from '@ai-sdk/provider';
import type { ModelMessage, ToolSet } from 'ai';
import { ModelError } from './errors.ts';
import type { ModelEvent, ModelRequest, ModelResult, ModelTool } from './request.ts';

/** The model of a stream, and how to report on it. */
export interface StreamOptions {
  readonly model: LanguageModelV3;
  readonly provider: string;
  /** The name of the model in use: it changes when a candidate is not available. */
  modelName(): string;
  /** Takes the events that arose outside of the stream, such as a fallback. */
  pending(): ModelEvent[];
  explain(error: unknown): ModelError;
  /** Attempts after the first one for failures that may pass, such as a rate limit. */
  readonly retries: number;
}

/**
 * Streams a reply, runs the tools it calls and asks again, until the model answers without a call or `maxSteps` is
 * reached. Leaving the generator early aborts the request.
 *
 * @throws ModelError, `cancelled` after an abort
 */
export async function* streamReply(
  request: ModelRequest,
  options: StreamOptions,
): AsyncGenerator<ModelEvent, ModelResult, void> {
  const { streamText, stepCountIs, Output, jsonSchema } = await loadSdk();
  const stop = new AbortController();
  const signal = request.signal ? AbortSignal.any([request.signal, stop.signal]) : stop.signal;
  const isAborted = (): boolean => request.signal?.aborted ?? false;
  const steps = request.maxSteps ?? (request.tools?.length ? DEFAULT_STEPS : 1);
  try {
    if (isAborted()) throw options.explain(abortError());
    const result = streamText({
      model: options.model,
      messages: request.messages.map(({ role, text }): ModelMessage => ({ role, content: text })),
      abortSignal: signal,
      maxRetries: options.retries,
      stopWhen: stepCountIs(steps),
      // Without a handler the SDK prints errors to the console. The stream carries them too.
      onError: () => undefined,
      ...(request.system !== undefined && request.system !== '' && { system: request.system }),
      ...(request.tools?.length && { tools: await toolSet(request) }),
      ...(request.temperature !== undefined && { temperature: request.temperature }),
      ...(request.maxOutputTokens !== undefined && { maxOutputTokens: request.maxOutputTokens }),
      ...(request.schema !== undefined && { output: Output.object({ schema: jsonSchema(request.schema) }) }),
    });
    let [text, isEmpty] = ['', true];
    for await (const part of result.fullStream) {
      yield* options.pending();
      switch (part.type) {
        case 'text-delta':
          isEmpty = false;
          text += part.text;
          yield { kind: 'text', text: part.text };
          break;
        case 'finish-step': {
          const { inputTokens = 0, outputTokens = 0 } = part.usage;
          request.onStep?.({ inputTokens, outputTokens, isLast: part.finishReason !== 'tool-calls' });
          break;
        }
        case 'start-step':
          text = '';
          break;
        case 'tool-call':
          isEmpty = false;
          yield { kind: 'tool-call', id: part.toolCallId, name: part.toolName, input: part.input };
          break;
        case 'tool-result':
          yield { kind: 'tool-result', id: part.toolCallId, name: part.toolName, output: part.output, isError: false };
          break;
        case 'tool-error': {
          const output = part.error instanceof Error ? part.error.message : String(part.error);
          yield { kind: 'tool-result', id: part.toolCallId, name: part.toolName, output, isError: true };
          break;
        }
        case 'error':
          throw options.explain(isAborted() ? abortError() : part.error);
        case 'abort':
          throw options.explain(abortError());
        case 'finish':
          return resultOf(request, options, { text, isEmpty, reason: part.finishReason, usage: part.totalUsage });
        default:
      }
    }
    throw options.explain(isAborted() ? abortError() : new Error('The reply has no end.'));
  } catch (error) {
    throw options.explain(error);
  } finally {
    stop.abort();
  }
}

/** Steps of a request with tools that sets no limit. */
const DEFAULT_STEPS = 100;

interface Finished {
  readonly text: string;
  readonly isEmpty: boolean;
  readonly reason: string;
  readonly usage: {
    readonly inputTokens?: number | undefined;
    readonly outputTokens?: number | undefined;
    readonly totalTokens?: number | undefined;
  };
}

function resultOf(request: ModelRequest, options: StreamOptions, finished: Finished): ModelResult {
  const { text, isEmpty, reason, usage } = finished;
  if (reason === 'content-filter') throw options.explain({ message: 'content_filter', statusCode: 400 });
  if (isEmpty && (reason === 'other' || reason === 'error')) throw options.explain(new Error('The reply is empty.'));
  const [inputTokens, outputTokens] = [usage.inputTokens ?? 0, usage.outputTokens ?? 0];
  return {
    text,
    model: { provider: options.provider, name: options.modelName() },
    usage: { inputTokens, outputTokens, totalTokens: usage.totalTokens ?? inputTokens + outputTokens },
    finish: reason === 'tool-calls' ? 'steps' : reason === 'length' ? 'length' : 'stop',
    ...(request.schema !== undefined && { object: objectIn(text) }),
  };
}

/** The JSON object of a structured reply. Models wrap it in a code fence now and then. */
function objectIn(text: string): unknown {
  const bare = text.trim().replace(/^```(?:json)?\s*\n([\s\S]*?)\n```$/, '$1');
  try {
    return JSON.parse(bare) as unknown;
  } catch {
    throw new ModelError(
      'bad_reply',
      "The selected model produced output that didn't match the expected schema. Try again or use a more capable model.",
      'Use a model that supports structured output.',
    );
  }
}

async function toolSet({ tools = [] }: ModelRequest): Promise<ToolSet> {
  const { dynamicTool, jsonSchema } = await loadSdk();
  return Object.fromEntries(
    tools.map((each) => [
      each.name,
      dynamicTool({
        description: each.description,
        inputSchema: jsonSchema(each.parameters),
        execute: (input, { abortSignal }) =>
          each.run(argumentsOf(each, input), abortSignal ?? new AbortController().signal),
      }),
    ]),
  );
}

/** @throws Error where the arguments are not an object or a required one is missing; the model reads the message */
function argumentsOf({ name, parameters }: ModelTool, given: unknown): Readonly<Record<string, unknown>> {
  // Small models encode the arguments twice.
  const input = typeof given === 'string' ? decoded(given) : given;
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    throw new Error(`${name} needs its arguments as a JSON object.`);
  const required: unknown = parameters['required'];
  const missing = Array.isArray(required) ? required.filter((each) => !Object.hasOwn(input, String(each))) : [];
  if (missing.length > 0) throw new Error(`${name} needs a value for ${missing.join(' and ')}.`);
  return input as Record<string, unknown>;
}

function decoded(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

const abortError = (): Error => new DOMException('The request was cancelled.', 'AbortError');

/** Loads the SDK at the first request, because most starts call no model. */
async function loadSdk(): Promise<typeof import('ai')> {
  // Its warnings go to the console, and standard output belongs to the result of `croft run`.
  (globalThis as { AI_SDK_LOG_WARNINGS?: boolean }).AI_SDK_LOG_WARNINGS = false;
  return import('ai');
}
