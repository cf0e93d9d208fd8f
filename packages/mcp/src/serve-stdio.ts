import type { McpServerFactory } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio as serve } from '@modelcontextprotocol/server/stdio';
import type { Readable, Writable } from 'node:stream';
import { createLineGuard, MAX_MESSAGE_BYTES } from './line-guard.ts';

/** Streams and reports of a stdio server. */
export interface StdioOptions {
  readonly input?: Readable;
  readonly output?: Writable;
  readonly onError?: (error: Error) => void;
}

/**
 * Serves MCP over standard input and output, in the era the client opens with. A message above 10 MiB is answered
 * with an error, and the connection goes on. Ends when the input ends.
 */
export function serveStdio(factory: McpServerFactory, options: StdioOptions = {}): { close(): Promise<void> } {
  const input = options.input ?? process.stdin;
  const output = options.output ?? process.stdout;
  const guard = createLineGuard(MAX_MESSAGE_BYTES, (id) => {
    const message = `Request is larger than ${MAX_MESSAGE_BYTES} bytes. Send less at once: write a part, then append the rest.`;
    output.write(`${JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32600, message } })}\n`);
  });
  const transport = new StdioServerTransport(input.pipe(guard), output, { maxBufferSize: 4 * MAX_MESSAGE_BYTES });
  return serve(factory, { transport, ...(options.onError && { onerror: options.onError }) });
}
