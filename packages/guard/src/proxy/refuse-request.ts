import type { ServerResponse } from 'node:http';

/**
 * Responds with an error of the guard itself. The headers tell SDKs not to retry, except for 503. If a reply has begun,
 * the connection is closed instead.
 */
export function refuseRequest(res: ServerResponse, status: number, body: string): void {
  if (res.destroyed || res.writableEnded) return;
  if (res.headersSent) return void res.destroy();
  res.writeHead(status, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    ...(status === 503 ? { 'Retry-After': '1' } : { 'X-Should-Retry': 'false' }),
  });
  res.end(body);
}
