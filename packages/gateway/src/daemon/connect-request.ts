import type { IncomingMessage } from 'node:http';
import { parseObject } from './parse-object.ts';

/** A page's request to connect. */
export interface ConnectRequest {
  readonly origin: string;
  /** Base address of the server, without a trailing slash; of the same origin as the page. */
  readonly server: string;
  readonly token: string;
}

/** The response to a page: a status and a body. */
export interface PageAnswer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

const MAX_BODY_BYTES = 64 * 1024;

/** The response to a request whose body is not JSON. */
export function refuseBody(req: IncomingMessage): PageAnswer | undefined {
  // A page can send any other type without a preflight.
  if (!/^application\/json\s*(;|$)/i.test(req.headers['content-type'] ?? ''))
    return { status: 415, body: { error: 'Send JSON, with Content-Type: application/json' } };
  return undefined;
}

/** Reads the request of a page to connect, or gives the response that refuses it. */
export async function readConnect(req: IncomingMessage, origin: string): Promise<ConnectRequest | PageAnswer> {
  const refused = refuseBody(req);
  if (refused) return refused;
  const text = await readBody(req);
  if (text === undefined) return { status: 413, body: { error: 'The body is larger than 64 KB' } };
  const given = parseObject(text);
  if (given === undefined) return { status: 400, body: { error: 'Invalid JSON body' } };
  const { url, token } = given;
  if (typeof url !== 'string' || typeof token !== 'string' || url === '' || token === '')
    return { status: 400, body: { error: 'Missing required fields: url, token' } };
  const server = serverAddress(url);
  if (server === undefined || !isKey(token)) return { status: 400, body: { error: 'Invalid URL' } };
  // Otherwise any page could share this directory with a server of its choice.
  if (new URL(server).origin !== origin) return { status: 403, body: { error: 'Connection rejected.' } };
  return { origin, server, token };
}

/** Whether a text can be a token or key, which travel in a header. */
export function isKey(token: string): boolean {
  return /^[\x21-\x7e]{1,256}$/.test(token);
}

/**
 * A server's base address for requests: http or https, with a path but without a trailing slash, query, fragment, user
 * name or password. `undefined` for anything else.
 */
export function serverAddress(text: string): string | undefined {
  if (text.length > 2_048 || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  const isPlain = url.username === '' && url.password === '' && url.search === '' && url.hash === '';
  if ((url.protocol !== 'http:' && url.protocol !== 'https:') || !isPlain) return undefined;
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

async function readBody(req: IncomingMessage): Promise<string | undefined> {
  if (Number(req.headers['content-length'] ?? 0) > MAX_BODY_BYTES) return undefined;
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of req as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > MAX_BODY_BYTES) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}
