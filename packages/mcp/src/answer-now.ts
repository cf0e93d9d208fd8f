import { type AnyTool, callToolNow, findTool, type ToolResult, type ToolTable } from '@croft/tools';
import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/server';
import { OMITTED_META_KEY } from './oversized-message.ts';
import { toMcpResult } from './to-mcp-result.ts';

/** Observes the messages of a connection and may answer a request itself. */
export interface Shortcut {
  /** Returns the response to a message, if no protocol library is needed for it. */
  answer(message: JSONRPCMessage): JSONRPCMessage | QuotedAnswer | undefined;
  /** Called with each message that the protocol library sends. */
  sent(message: JSONRPCMessage): void;
}

/** The result of a call with one text, as a message or written directly into the output buffer. */
export interface QuotedAnswer {
  readonly message: () => JSONRPCMessage;
  /** @returns the end position; -1 if `into` is too small. Repeated calls write the same bytes */
  readonly write: (into: Buffer, at: number) => number;
}

const BEFORE_TEXT = Buffer.from('{"result":{"content":[{"type":"text","text":');

/** Prefix of `_meta` keys in requests of protocol version 2026-07-28, which the protocol library answers. */
const MODERN_KEY = 'io.modelcontextprotocol/';
const PLAIN_KEYS: ReadonlySet<string> = new Set(['name', 'arguments', '_meta']);

/**
 * Answers tool calls that need no waiting, on an initialized connection of the 2025 versions. Cancellation, progress and
 * questions do not apply to a call that ends before the next message is read, and managing them is most of the work of the
 * protocol library for a small call. The library handles all other messages.
 */
export function createShortcut(table: ToolTable): Shortcut {
  let opening: { id: unknown; caller: string | undefined } | undefined;
  let open: { caller: string | undefined } | undefined;
  // Requests that the library handles. While there are any, the shortcut answers nothing: a read must see an earlier write.
  const underWay = new Set<unknown>();
  return {
    sent(message) {
      if ('id' in message && !('method' in message)) underWay.delete(message.id);
      if (!opening || !('id' in message) || message.id !== opening.id) return;
      if ('result' in message && 'protocolVersion' in message.result) open = { caller: opening.caller };
      opening = undefined;
    },
    answer(message) {
      if (!('method' in message)) return undefined;
      if (message.method === 'notifications/cancelled') underWay.delete(message.params?.requestId);
      if (!('id' in message)) return undefined;
      if (message.method === 'initialize') {
        const name = (message.params?.clientInfo as { name?: unknown } | undefined)?.name;
        opening = { id: message.id, caller: typeof name === 'string' ? name : undefined };
      }
      if (open && underWay.size === 0 && message.method === 'tools/call') {
        const call = plainCall(message.params);
        const result = call && callToolNow(table, call, open.caller);
        if (result) return answerOf(message.id, result, findTool(table, call.name));
      }
      underWay.add(message.id);
      return undefined;
    },
  };
}

function answerOf(id: RequestId, result: ToolResult, tool: AnyTool | undefined): JSONRPCMessage | QuotedAnswer {
  const message = (): JSONRPCMessage => ({ result: toMcpResult(tool, result), jsonrpc: '2.0', id });
  const { writeQuoted } = result;
  if (!writeQuoted) return message();
  return {
    message,
    write(into, at) {
      const afterText = `}]},"jsonrpc":"2.0","id":${JSON.stringify(id)}}`;
      if (at + BEFORE_TEXT.length + afterText.length * 3 > into.length) return -1;
      const end = writeQuoted(into, at + BEFORE_TEXT.copy(into, at));
      if (end < 0 || end + afterText.length * 3 > into.length) return -1;
      return end + into.write(afterText, end, 'utf8');
    },
  };
}

/** Extracts a call that needs nothing but a result: no progress, no other request fields. */
function plainCall(
  params: Readonly<Record<string, unknown>> | undefined,
): { name: string; input: unknown } | undefined {
  if (!params || typeof params.name !== 'string') return undefined;
  for (const key in params) if (!PLAIN_KEYS.has(key)) return undefined;
  const { _meta: meta, arguments: input } = params;
  if (input !== undefined && (typeof input !== 'object' || input === null || Array.isArray(input))) return undefined;
  if (meta !== undefined && (typeof meta !== 'object' || meta === null)) return undefined;
  for (const key in meta as object | undefined)
    if (key.startsWith(MODERN_KEY) || key === OMITTED_META_KEY) return undefined;
  return { name: params.name, input };
}
