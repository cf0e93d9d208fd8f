import type { IncomingMessage } from 'node:http';

/** How long a response waits for the rest of a body. A client that sends more slowly gets the response earlier. */
const MAX_WAIT_MS = 10_000;

/**
 * Calls `respond` once the request's body was read, and discards the rest of it. A refusal is known before a large body
 * arrived; if the server then ends the connection (`Connection: close`), the client that still sends gets EPIPE instead
 * of the refusal. Waits at most 10 s, and not at all for a body that announces more than `maxBytes`.
 */
export function afterBody(req: IncomingMessage, maxBytes: number, respond: () => void): void {
  const announced = Number(req.headers['content-length'] ?? 0);
  const hasBody = announced > 0 || req.headers['transfer-encoding'] !== undefined;
  if (!hasBody || req.complete || req.destroyed || announced > maxBytes) return respond();
  let bytes = 0;
  const done = (): void => {
    clearTimeout(timer);
    req.off('data', count).off('end', done).off('close', done);
    respond();
  };
  const count = (chunk: Buffer): void => {
    bytes += chunk.length;
    if (bytes > maxBytes) done();
  };
  const timer = setTimeout(done, MAX_WAIT_MS);
  req.on('data', count).on('end', done).on('close', done);
  req.resume();
}
