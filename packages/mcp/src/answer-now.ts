import {
  type AnyTool,
  type CallContext,
  callTool,
  findTool,
  quoteWholeFile,
  type ToolCall,
  type ToolResult,
  type ToolTable,
} from '@croft/tools';
import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/server';
import { OMITTED_META_KEY } from './oversized-message.ts';
import { toMcpResult } from './to-mcp-result.ts';

/** Observes the messages of a connection, begins tool calls, and answers those that end at once. */
export interface Shortcut {
  /** Returns the response to a message, if no protocol library is needed for it. */
  answer(message: JSONRPCMessage): JSONRPCMessage | QuotedAnswer | undefined;
  /** Called with each message that the protocol library sends. */
  sent(message: JSONRPCMessage): void;
  /** The call that `answer` began for this request and that has to wait. Each call is taken once. */
  takeCall(id: RequestId): BegunCall | undefined;
}

/** The result of a read, as a message or written directly into the output buffer. */
export interface QuotedAnswer {
  readonly message: () => JSONRPCMessage;
  /** @returns the end position; -1 if `into` is too small. Repeated calls write the same bytes */
  readonly write: (into: Buffer, at: number) => number;
}

const BEFORE_TEXT = Buffer.from('{"result":{"content":[{"type":"text","text":');

/** Prefix of `_meta` keys in requests of protocol version 2026-07-28, which the protocol library answers. */
const MODERN_KEY = 'io.modelcontextprotocol/';
const PLAIN_KEYS: ReadonlySet<string> = new Set(['name', 'arguments', '_meta']);

/** A client as it described itself. */
interface Client {
  readonly name: string | undefined;
  readonly canAsk: boolean;
}

/**
 * Begins the tool calls of an initialized connection of the 2025 versions, and answers those that need no waiting. Cancellation,
 * progress and questions do not apply to a call that ends before the next message is read, and managing them is most of the work
 * of the protocol library for a small call. The library handles all other messages, and takes over calls that have to wait.
 */
export function createShortcut(table: ToolTable): Shortcut {
  let opening: { id: unknown; client: Client } | undefined;
  let client: Client | undefined;
  // Requests that the library handles. While there are any, the shortcut begins nothing: a read must see an earlier write.
  const underWay = new Set<unknown>();
  let begun: { id: RequestId; call: BegunCall } | undefined;
  // Used again after a call that ended at once: creating one is a tenth of a small call.
  let ending = new AbortController();
  return {
    sent(message) {
      if ('id' in message && !('method' in message)) underWay.delete(message.id);
      if (!opening || !('id' in message) || message.id !== opening.id) return;
      if ('result' in message && 'protocolVersion' in message.result) client = opening.client;
      opening = undefined;
    },
    answer(message) {
      if (!('method' in message)) return undefined;
      if (message.method === 'notifications/cancelled') {
        const id = message.params?.requestId;
        underWay.delete(id);
        if (begun?.id === id) begun?.call.cancel();
      }
      if (!('id' in message)) return undefined;
      // The library refused that request, and the client uses its id again.
      if (begun?.id === message.id) begun = undefined;
      if (message.method === 'initialize') opening = { id: message.id, client: clientOf(message.params) };
      if (client && underWay.size === 0 && message.method === 'tools/call') {
        const plain = plainCall(message.params);
        if (plain) {
          const call = new BegunCall(client, plain.wantsProgress, ending);
          const result = call.begin(table, plain.call);
          if (result) return answerOf(message.id, result, findTool(table, plain.call.name));
          begun = { id: message.id, call };
          ending = new AbortController();
        }
      }
      underWay.add(message.id);
      return undefined;
    },
    takeCall(id) {
      const call = begun?.id === id ? begun?.call : undefined;
      if (call) begun = undefined;
      return call;
    },
  };
}

function answerOf(id: RequestId, result: ToolResult, tool: AnyTool | undefined): JSONRPCMessage | QuotedAnswer {
  const { wholeFile } = result;
  const message = (): JSONRPCMessage => ({ result: toMcpResult(tool, result), jsonrpc: '2.0', id });
  if (!wholeFile) return message();
  return {
    message,
    write(into, at) {
      const afterText = `}]},"jsonrpc":"2.0","id":${JSON.stringify(id)}}`;
      if (at + BEFORE_TEXT.length + afterText.length * 3 > into.length) return -1;
      const end = quoteWholeFile(wholeFile, into, at + BEFORE_TEXT.copy(into, at));
      if (end < 0 || end + afterText.length * 3 > into.length) return -1;
      return end + into.write(afterText, end, 'utf8');
    },
  };
}

/** A call that began before the protocol library handled its request. The request's signal and callbacks come later. */
export class BegunCall {
  readonly #client: Client;
  readonly #wantsProgress: boolean;
  readonly #ending: AbortController;
  #result: Promise<ToolResult> | undefined;
  #request: CallContext | undefined;
  #onRequest: ((request: CallContext) => void) | undefined;

  constructor(client: Client, wantsProgress: boolean, ending: AbortController) {
    this.#client = client;
    this.#ending = ending;
    this.#wantsProgress = wantsProgress;
  }

  /** Returns the result of a call that does not have to wait. */
  begin(table: ToolTable, call: ToolCall): ToolResult | undefined {
    const { name, canAsk } = this.#client;
    const result = callTool(table, call, {
      caller: name,
      signal: this.#ending.signal,
      takesBytes: true,
      ...(this.#wantsProgress && { onProgress: (seen, text) => this.#request?.onProgress?.(seen, text) }),
      ...(canAsk && { confirm: this.#confirm }),
    });
    if (!(result instanceof Promise)) return result;
    this.#result = result;
    return undefined;
  }

  /** Connects the call with its request, and returns its result. */
  join(request: CallContext): Promise<ToolResult> {
    const { signal } = request;
    if (signal?.aborted) this.cancel();
    else signal?.addEventListener('abort', () => this.cancel(), { once: true });
    this.#request = request;
    this.#onRequest?.(request);
    return this.#result as Promise<ToolResult>;
  }

  cancel(): void {
    this.#ending.abort();
  }

  readonly #confirm: NonNullable<CallContext['confirm']> = async (question, token) => {
    const request = this.#request ?? (await new Promise<CallContext>((resolve) => (this.#onRequest = resolve)));
    return request.confirm ? request.confirm(question, token) : false;
  };
}

function clientOf(params: Readonly<Record<string, unknown>> | undefined): Client {
  const name = (params?.clientInfo as { name?: unknown } | undefined)?.name;
  const { elicitation } = (params?.capabilities ?? {}) as { elicitation?: unknown };
  return { name: typeof name === 'string' ? name : undefined, canAsk: elicitation !== undefined };
}

/** Extracts a call whose form the protocol library accepts too: it must not refuse a call that began. */
function plainCall(
  params: Readonly<Record<string, unknown>> | undefined,
): { call: ToolCall; wantsProgress: boolean } | undefined {
  if (!params || typeof params.name !== 'string') return undefined;
  for (const key in params) if (!PLAIN_KEYS.has(key)) return undefined;
  const { _meta: meta, arguments: input } = params;
  if (input !== undefined && (typeof input !== 'object' || input === null || Array.isArray(input))) return undefined;
  const token = (meta as { progressToken?: unknown } | null | undefined)?.progressToken;
  if (meta !== undefined && !isPlainMeta(meta, token)) return undefined;
  return { call: { name: params.name, input }, wantsProgress: token !== undefined };
}

function isPlainMeta(meta: unknown, token: unknown): boolean {
  if (typeof meta !== 'object' || meta === null || Array.isArray(meta)) return false;
  for (const key in meta) if (key.startsWith(MODERN_KEY) || key === OMITTED_META_KEY) return false;
  return token === undefined || typeof token === 'string' || Number.isSafeInteger(token);
}
