import type { ServerResponse } from 'node:http';

/**
 * Answers with an error of the guard's own. SDKs are told not to try again, but for 503. Where a reply has begun the
 * connection is cut: nothing can be said any more.
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
