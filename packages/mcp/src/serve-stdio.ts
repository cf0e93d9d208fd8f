import type { ToolTable } from '@croft/tools';
import type { McpServerFactory } from '@modelcontextprotocol/server';
import { serveStdio as serve } from '@modelcontextprotocol/server/stdio';
import type { Readable, Writable } from 'node:stream';
import { createShortcut } from './answer-now.ts';
import { createStdioTransport } from './stdio-transport.ts';

/** Streams and callbacks of a stdio server. */
export interface StdioOptions {
  readonly input?: Readable;
  readonly output?: Writable;
  readonly onError?: (error: Error) => void;
  /** The tool table, if all servers of the factory share one. Then small synchronous calls bypass the protocol library. */
  readonly table?: ToolTable;
}

/**
 * Serves MCP over standard input and output, in the protocol version of the client. The tool itself refuses a call above
 * `MAX_MESSAGE_BYTES`; any other message of that size, or a line that is not a message, gets an error, and the connection stays
 * open. Ends with the input: calls that still run are cancelled and get no response.
 */
export function serveStdio(factory: McpServerFactory, options: StdioOptions = {}): { close(): Promise<void> } {
  const shortcut = options.table && createShortcut(options.table);
  const transport = createStdioTransport(options.input ?? process.stdin, options.output ?? process.stdout, shortcut);
  return serve(factory, { transport, ...(options.onError && { onerror: options.onError }) });
}
