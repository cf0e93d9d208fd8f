import type { ModelRef } from './model-ref.ts';

/** A JSON Schema. */
export type JsonSchema = { readonly [key: string]: unknown };

/** One message of a conversation. */
export interface ChatMessage {
  readonly role: 'user' | 'assistant';
  readonly text: string;
}

/** A function that a model may call during a request. */
export interface ModelTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments, an object. */
  readonly parameters: JsonSchema;
  /**
   * Does the work. The model reads the value as text or JSON. `args` come from the model: nothing in them is trusted.
   *
   * @throws any error; the model reads its message and goes on
   */
  run(args: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<unknown>;
}

/** One question to a model, with as many steps as its tool calls need. */
export interface ModelRequest {
  /** The preferred model unless given. */
  readonly model?: ModelRef | undefined;
  readonly system?: string | undefined;
  readonly messages: readonly ChatMessage[];
  readonly tools?: readonly ModelTool[] | undefined;
  /** Replies of the model at most; 100 with tools unless given, 1 without. */
  readonly maxSteps?: number | undefined;
  readonly temperature?: number | undefined;
  readonly maxOutputTokens?: number | undefined;
  /** Asks for one JSON object of this schema. The result is parsed, not validated. */
  readonly schema?: JsonSchema | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called after each step of a provider with its cost, before the next one. `isLast`: no step follows. */
  readonly onStep?: ((step: StepUsage) => void) | undefined;
}

/** The cost of one step. */
export interface StepUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly isLast: boolean;
}

/** News of a reply while it is made. */
export type ModelEvent =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'tool-call'; readonly id: string; readonly name: string; readonly input: unknown }
  | {
      readonly kind: 'tool-result';
      readonly id: string;
      readonly name: string;
      /** The tool's value, or the message of its error. */
      readonly output: unknown;
      readonly isError: boolean;
    }
  | { readonly kind: 'fallback'; readonly provider: string; readonly from: string; readonly to: string };

/** Tokens of all steps together; 0 where the provider reports none. */
export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly totalTokens: number;
}

/** The end of a request. */
export interface ModelResult {
  /** The text of the last step. */
  readonly text: string;
  /** The model that answered, which a fallback may have changed. */
  readonly model: ModelRef;
  readonly usage: Usage;
  /** `length`: cut at the token limit. `steps`: the model still wanted to call tools after the last allowed step. */
  readonly finish: 'stop' | 'length' | 'steps';
  /** The parsed object of a request with a schema. */
  readonly object?: unknown;
}
