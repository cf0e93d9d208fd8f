import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as the MCP server of a test got it. */
export interface Asked {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** An MCP endpoint that answers every request with `answer`. */
export async function openEndpoint(answer: (asked: Asked, response: ServerResponse) => void) {
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => answer({ method: request.method ?? '', headers: request.headers, body }, response));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`),
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
