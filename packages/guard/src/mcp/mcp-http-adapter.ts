import type { Readable, Writable } from 'node:stream';
import { LineCutter } from './line-cutter.ts';
import { MAX_MESSAGE_BYTES } from './mcp-adapter.ts';
import { createMcpFilter, type FilteredLine, type McpFilterOptions } from './mcp-filter.ts';
import { McpHttpSession, type McpHttpSessionOptions } from './mcp-http-session.ts';

/** How to reach a server over HTTP. */
export interface McpHttpAdapterOptions extends McpFilterOptions, McpHttpSessionOptions {
  readonly input: Readable;
  readonly output: Writable;
  readonly maxMessageBytes?: number;
}

/** A server over HTTP, presented to the client over stdio. */
export interface McpHttpAdapter {
  /** Resolves when the client has ended and has got all its responses. Never rejects. */
  readonly ended: Promise<void>;
  /** Releases all resources at once. */
  close(): void;
}

/**
 * Connects a stdio client to a Streamable HTTP server: judges like the stdio entry point, and sends each message as a
 * request of its own. Keeps the session, the protocol version and, once a session is open, the stream for messages that
 * the server initiates. Does not support OAuth (set a header instead), resuming a broken stream, headers that tools
 * declare for their parameters (`x-mcp-header`), or the older HTTP+SSE transport. Refuses redirects, which could send a
 * key to another host.
 */
export function openMcpHttpAdapter(options: McpHttpAdapterOptions): McpHttpAdapter {
  const { input, output, maxMessageBytes = MAX_MESSAGE_BYTES } = options;
  const session = new McpHttpSession(options, maxMessageBytes);
  const filter = createMcpFilter(options);
  const take = ({ forward, answer }: FilteredLine): void => {
    if (answer !== undefined) output.write(answer);
    if (forward !== undefined) session.post(forward);
    if (session.isBusy) {
      input.pause();
      void session.settled().then(() => input.resume());
    }
  };
  const cutter = new LineCutter(
    maxMessageBytes,
    (line) => take(filter.line(line)),
    (dropped) => take(filter.tooLarge(dropped)),
  );
  const ended = new Promise<void>((resolve) => {
    const onEnd = (): void => {
      cutter.finish();
      void session.end().then(resolve);
    };
    input.on('data', (chunk: Buffer) => cutter.push(chunk));
    input.once('end', onEnd).once('error', onEnd);
    // The client has stopped reading.
    output.once('error', () => {
      session.abort();
      onEnd();
    });
  });
  return { ended, close: () => session.abort() };
}
