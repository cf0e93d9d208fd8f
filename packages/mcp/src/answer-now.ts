import { type AnyTool, callToolNow, findTool, type ToolResult, type ToolTable } from '@croft/tools';
import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/server';
import { OMITTED_META_KEY } from './oversized-message.ts';
import { toMcpResult } from './to-mcp-result.ts';

/** Looks at what passes over a connection and may answer a request itself. */
export interface Shortcut {
  /** The answer to a message, where there is one without asking the protocol layer. */
  answer(message: JSONRPCMessage): JSONRPCMessage | QuotedAnswer | undefined;
  /** Told of what the protocol layer sends. */
  sent(message: JSONRPCMessage): void;
}

/** The result of a call, one text, as a message or written straight into the bytes that go out. */
export interface QuotedAnswer {
  readonly message: () => JSONRPCMessage;
  /** @returns where it ended; -1 when there is too little room. Each try writes the same */
  readonly write: (into: Buffer, at: number) => number;
}

const BEFORE_TEXT = Buffer.from('{"result":{"content":[{"type":"text","text":');

/** Of a request in the modern era: it speaks for itself in `_meta`, and its answer is the protocol layer's to make. */
const MODERN_KEY = 'io.modelcontextprotocol/';
const PLAIN_KEYS: ReadonlySet<string> = new Set(['name', 'arguments', '_meta']);

/**
 * Answers tool calls that need no waiting, on a connection of the older era once it is open. Cancellation, progress
 * and questions mean nothing to a call that is over before the next message is read, and keeping books for them is
 * most of what the protocol layer does for a small call. Every other message goes the ordinary way.
 */
export function createShortcut(table: ToolTable): Shortcut {
  let opening: { id: unknown; caller: string | undefined } | undefined;
  let open: { caller: string | undefined } | undefined;
  // Requests on the ordinary way. While there are any, nothing overtakes them: a read must see the write before it.
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

/** A call with nothing in it that asks for more than its result. */
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
