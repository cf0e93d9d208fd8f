import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Context, Next } from 'hono';
import { acceptedEncoding } from '../edge/content-encoding.ts';
import type { RawHttp } from './route.ts';

/** A smaller body fits into one packet anyway. */
const MIN_BYTES = 1_400;
const compress = promisify(gzip);

/**
 * Compresses JSON that the API returns. Never event streams, whose events would wait in a buffer, nor files, whose ranges count
 * bytes of the file. Compressed secrets do not leak here through lengths (BREACH), because no page of another site can send a
 * request with the cookie.
 */
export async function compressJson(context: Context<{ Bindings: RawHttp }>, next: Next): Promise<void> {
  await next();
  const { res } = context;
  const isJson = /^application\/json(;|$)/.test(res.headers.get('Content-Type') ?? '');
  if (!isJson || res.body === null || isOfFile(res.headers)) return;
  res.headers.append('Vary', 'Accept-Encoding');
  if (acceptedEncoding(context.req.header('accept-encoding'), ['gzip']) === undefined) return;
  const body = Buffer.from(await res.arrayBuffer());
  const isSmall = body.length < MIN_BYTES;
  context.res = new Response(isSmall ? body : new Uint8Array(await compress(body)), res);
  if (!isSmall) context.res.headers.set('Content-Encoding', 'gzip');
}

const isOfFile = (headers: Headers): boolean =>
  ['Content-Encoding', 'Accept-Ranges', 'Content-Range', 'Content-Length'].some((name) => headers.has(name));
