import type { McpServerFactory } from '@modelcontextprotocol/server';
import { serveStdio as serve } from '@modelcontextprotocol/server/stdio';
import type { Readable, Writable } from 'node:stream';
import type { Shortcut } from './answer-now.ts';
import { createStdioTransport } from './stdio-transport.ts';

/** Streams and callbacks of a stdio server. */
export interface StdioOptions {
  readonly input?: Readable;
  readonly output?: Writable;
  readonly onError?: (error: Error) => void;
  /** The shortcut that the factory has too, if all its servers share one table. */
  readonly shortcut?: Shortcut;
}

/**
 * Serves MCP over standard input and output, in the protocol version of the client. The tool itself refuses a call above
 * `MAX_MESSAGE_BYTES`; any other message of that size, or a line that is not a message, gets an error, and the connection stays
 * open. Ends after the input, when all its requests are answered.
 */
export function serveStdio(factory: McpServerFactory, options: StdioOptions = {}): { close(): Promise<void> } {
  const { input = process.stdin, output = process.stdout } = options;
  // The library's own close answers open subscriptions.
  const transport = createStdioTransport(input, output, options.shortcut, () => void served.close());
  const served = serve(factory, { transport, ...(options.onError && { onerror: options.onError }) });
  return served;
}
