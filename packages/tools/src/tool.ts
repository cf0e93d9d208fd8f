import type { Change, ChangeJournal } from '@croft/workspace';
import type { z } from 'zod';

/** The MCP annotations of a tool. Hints for a client's own questions, not a guarantee. */
export interface ToolAnnotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  /** False for a file tool: it uses nothing outside its workspace. */
  readonly openWorldHint: boolean;
}

/** Binary content of a result, as MCP carries it. `data` is base64. */
export type MediaContent =
  | { readonly type: 'image' | 'audio'; readonly data: string; readonly mimeType: string }
  | { readonly type: 'resource'; readonly uri: string; readonly data: string; readonly mimeType: string };

/** A small text file that a tool read from its first line, and that did not become a string. */
export interface WholeFile {
  /** Valid UTF-8 without a byte order mark. */
  readonly bytes: Uint8Array;
  /** The fields of the envelope before and after `content`. */
  readonly before: Readonly<Record<string, unknown>>;
  readonly after: Readonly<Record<string, unknown>>;
}

/** The result of a tool. A failure is a result too, so that a model can read it and continue. */
export interface ToolResult {
  readonly ok: boolean;
  /** Why a call failed: the code of a `WorkspaceError` or `ToolError`, `internal` for a bug. */
  readonly code?: string;
  /** The envelope. On failure it has `error`, and `path` if the call has one. */
  readonly data: Readonly<Record<string, unknown>>;
  /** The text for the model, if it is not the envelope as JSON. */
  readonly text?: string;
  readonly media?: readonly MediaContent[];
  /** The numbered lines of a whole file, which are missing in `data`. Only for a caller that set `takesBytes`. */
  readonly wholeFile?: WholeFile;
  /** Hosts show the result to the model only, not to the person ("silent" results of picoclaw). */
  readonly forModelOnly?: boolean;
  /** Mutations made, for the activity log and for undo. */
  readonly changes?: readonly Change[];
  /** Bytes read or written, for the activity log. */
  readonly bytes?: number;
}

/** One call as received; its content is untrusted. */
export interface ToolCall {
  readonly name: string;
  readonly input: unknown;
  /** UTF-8 bytes of arguments that were too large to receive and are missing in `input`. The call is refused. */
  readonly omittedBytes?: Readonly<Record<string, number>> | undefined;
}

/** The context of one call: everything that a tool needs from the request besides its arguments. */
export interface CallContext {
  readonly signal?: AbortSignal | undefined;
  /** Progress of a long call: steps made, and what the last one was. Without a text, entries seen by a search. */
  readonly onProgress?: ((seen: number, text?: string) => void) | undefined;
  /**
   * Asks the person; absent if the client cannot ask. `asked` means that the answer comes with a second call. The second call
   * must carry `token`, which is made from the call and the state of its file.
   */
  readonly confirm?: ((question: string, token: string) => Promise<boolean | 'asked'>) | undefined;
  /** The name that the client gave itself, for the activity log. */
  readonly caller?: string | undefined;
  /** The caller escapes the bytes of a small file itself, with `quoteWholeFile`. Numbering and escaping strings costs four times as much. */
  readonly takesBytes?: boolean | undefined;
  /** Records the changes of a tool before it makes them. */
  readonly journal?: ChangeJournal | undefined;
}

/**
 * A tool that a model can call. `run` may throw {@link WorkspaceError} or {@link ToolError}; `callTool` turns every error into a
 * result.
 */
export interface Tool<Input = never> {
  readonly name: string;
  readonly title: string;
  /** The description for the model. */
  readonly description: string;
  /** `[name]` first: hosts that merge metadata look a tool up by its first tag. */
  readonly tags: readonly string[];
  readonly input: z.ZodType<Input>;
  /** Schema of `data` on success, if programs may rely on it. */
  readonly output?: z.ZodType;
  /** The result is a short record, not a long text, so MCP may send it as structured content. */
  readonly structured?: boolean;
  readonly annotations: ToolAnnotations;
  /** Returns a promise only if the call has to wait: a result is then sent before the next request is read. */
  run(input: Input, context: CallContext): ToolResult | Promise<ToolResult>;
  /** The envelope of a failure, if it is not the usual `{error, path}`. */
  failure?(error: Error, input: Input): Readonly<Record<string, unknown>>;
  /** Refuses a call whose `content` was too large to receive; `bytes` is its size. Throws or returns like `run`. */
  tooLarge?(bytes: number): ToolResult;
  /** The hint for a failure: a field beside its fixed text. */
  hint?(error: unknown): string | undefined;
  /** The sentence for a schema failure, if the tool's contract fixes one. */
  invalid?(input: unknown): string | undefined;
  /** The paths of a call, for the activity log. */
  paths?(input: Input): readonly string[];
  /** The pattern of a search, for the activity log. */
  pattern?(input: Input): string | undefined;
}

/** A tool with any input type, for tables. */
// biome-ignore lint/suspicious/noExplicitAny: a table holds tools of different inputs; `callTool` parses before it runs one
export type AnyTool = Tool<any>;

/** Codes for failures of the call itself, not of the files. A test fixes this list. */
export type ToolErrorCode =
  | 'unknown_tool'
  | 'invalid_arguments'
  | 'user_mismatch'
  | 'declined'
  | 'deadline'
  | 'cancelled';

/** A failure of the call itself. The message is for the model. */
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
/** Annotations of a tool that adds and never removes. */
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
