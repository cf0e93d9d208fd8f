import type { ToolTable } from '@croft/tools';
import type { McpServerFactory } from '@modelcontextprotocol/server';
import { serveStdio as serve } from '@modelcontextprotocol/server/stdio';
import type { Readable, Writable } from 'node:stream';
import { createShortcut } from './answer-now.ts';
import { createStdioTransport } from './stdio-transport.ts';

/** Streams and reports of a stdio server. */
export interface StdioOptions {
  readonly input?: Readable;
  readonly output?: Writable;
  readonly onError?: (error: Error) => void;
  /** The table the factory's servers have, when it is one for all: small reads are then answered on a shorter way. */
  readonly table?: ToolTable;
}

/**
 * Serves MCP over standard input and output, in the era the client opens with. The tool itself refuses a call above
 * `MAX_MESSAGE_BYTES`; any other message that large, or a line that is not a message, gets an error, and the connection
 * goes on. Ends when the input ends: calls that still run then are cancelled and not answered.
 */
export function serveStdio(factory: McpServerFactory, options: StdioOptions = {}): { close(): Promise<void> } {
  const shortcut = options.table && createShortcut(options.table);
  const transport = createStdioTransport(options.input ?? process.stdin, options.output ?? process.stdout, shortcut);
  return serve(factory, { transport, ...(options.onError && { onerror: options.onError }) });
}
