import type { Change, ChangeJournal } from '@croft/workspace';
import type { z } from 'zod';

/** What the MCP annotations say of a tool; hints for a client's own questions, never a guarantee. */
export interface ToolAnnotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  /** Always false here: a file tool talks to nothing but its workspace. */
  readonly openWorldHint: boolean;
}

/** Binary content of a result, as MCP carries it. `data` is base64. */
export type MediaContent =
  | { readonly type: 'image' | 'audio'; readonly data: string; readonly mimeType: string }
  | { readonly type: 'resource'; readonly uri: string; readonly data: string; readonly mimeType: string };

/** What a tool gives back. A failure is a result, so that a model can read it and go on. */
export interface ToolResult {
  readonly ok: boolean;
  /** The envelope. On failure it has `error`, and `path` where there is one. */
  readonly data: Readonly<Record<string, unknown>>;
  /** What the model reads, when that is not the envelope as JSON. */
  readonly text?: string;
  readonly media?: readonly MediaContent[];
  /** The person is not meant to see it (the seed's silent results). */
  readonly forModelOnly?: boolean;
  /**
   * Writes `data` as JSON, quoted as a JSON string, from `at` on; gives where it ended, -1 when there is too little room.
   * Where it is present, `data` is only made when somebody asks for it.
   */
  readonly writeQuoted?: (into: Buffer, at: number) => number;
  /** Mutations made, for the activity log and for undo. */
  readonly changes?: readonly Change[];
  /** Bytes read or written, for the activity log. */
  readonly bytes?: number;
}

/** One call as it came in: nothing in it is trusted. */
export interface ToolCall {
  readonly name: string;
  readonly input: unknown;
  /** UTF-8 bytes of arguments that were too large to receive and are missing in `input`. The call is refused. */
  readonly omittedBytes?: Readonly<Record<string, number>> | undefined;
}

/** What one call brings along. Everything a tool needs of a request stands here. */
export interface CallContext {
  readonly signal?: AbortSignal | undefined;
  /** Progress of a long call, in entries seen. */
  readonly onProgress?: ((seen: number) => void) | undefined;
  /**
   * Asks the person; absent where the client cannot. `asked`: the answer comes with a second call, which is matched by
   * `token`, made from the call and the state of what it acts on.
   */
  readonly confirm?: ((question: string, token: string) => Promise<boolean | 'asked'>) | undefined;
  /** The client's own name for itself, for the activity log. */
  readonly caller?: string | undefined;
  /** Where a tool records its changes before it makes them. */
  readonly journal?: ChangeJournal | undefined;
}

/**
 * Something a model may call. `run` may throw {@link WorkspaceError} or {@link ToolError}; `callTool` turns every
 * throw into a result.
 */
export interface Tool<Input = never> {
  readonly name: string;
  readonly title: string;
  /** What the model reads to decide. */
  readonly description: string;
  /** `[name]`: hosts that merge metadata look a tool up by its first tag. */
  readonly tags: readonly string[];
  readonly input: z.ZodType<Input>;
  /** Shape of `data` on success, where a program may want to rely on it. */
  readonly output?: z.ZodType;
  /** The whole result is a short record, not a body of text: it may travel as structured content. */
  readonly structured?: boolean;
  readonly annotations: ToolAnnotations;
  run(input: Input, context: CallContext): ToolResult | Promise<ToolResult>;
  /** The same as `run` for a call that needs no waiting; `undefined`, with nothing done, where it would have to wait. */
  runNow?(input: Input, context: Pick<CallContext, 'journal'>): ToolResult | undefined;
  /** The envelope of a failure, where it is not the usual `{error, path}`. */
  failure?(error: Error, input: Input): Readonly<Record<string, unknown>>;
  /** Refuses a call whose `content` has so many bytes that it was not received. Throws or returns as `run`. */
  tooLarge?(bytes: number): ToolResult;
  /** What to do instead, as a field of its own beside the fixed words of a failure. */
  hint?(error: unknown): string | undefined;
  /** A sentence for each schema failure, where the reference has its own. */
  invalid?(input: unknown): string | undefined;
  /** Paths a call acts on, for the activity log. */
  paths?(input: Input): readonly string[];
  /** What a search looks for, for the activity log. */
  pattern?(input: Input): string | undefined;
}

/** A tool of any input, as tables hold it. */
// biome-ignore lint/suspicious/noExplicitAny: a table holds tools of different inputs; `callTool` parses before it runs one
export type AnyTool = Tool<any>;

/** A failure of the call itself, not of the files. Pinned by a test. */
export type ToolErrorCode =
  | 'unknown_tool'
  | 'invalid_arguments'
  | 'user_mismatch'
  | 'declined'
  | 'deadline'
  | 'cancelled';

/** Its message is for the model. */
export class ToolError extends Error {
  override readonly name = 'ToolError';
  readonly code: ToolErrorCode;

  constructor(code: ToolErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** Annotations of a tool that changes nothing. */
export const READS: ToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};
/** Annotations of a tool that adds and never takes away. */
export const ADDS: ToolAnnotations = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: false,
};
/** Annotations of a tool that may replace or remove. */
export const REPLACES: ToolAnnotations = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: false,
};
