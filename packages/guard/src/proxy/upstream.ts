import * as http from 'node:http';
import * as https from 'node:https';
import type { Readable } from 'node:stream';
import * as zlib from 'node:zlib';
import { keepSockets } from './kept-sockets.ts';

/** An upstream: requests below `prefix` go to `url`, whose path precedes the rest of theirs. */
export interface Upstream {
  /** Such as `/openrouter`; empty for all paths. */
  readonly prefix: string;
  readonly url: URL;
  /** Models whose requests go here. If undefined: all models that no other upstream names. */
  readonly model?: RegExp | undefined;
}

/** The header with a request's project root. The guard never forwards it: upstreams must not learn local paths. */
export const ROOT_HEADER = 'x-croft-root';

/** The message for the client. It does not name the host, which only the operator may know. */
export const UNREACHABLE =
  'The upstream of this guard cannot be reached. Check the network, and the address that the guard was started with (--upstream).';

/** Headers that belong to one connection and are never forwarded (RFC 9110, 7.6.1), and the guard's own. */
const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  ROOT_HEADER,
]);

/** The parts of an upstream's origin that every request needs, computed once. */
interface Origin {
  readonly agent: http.Agent;
  readonly request: (options: http.RequestOptions) => http.ClientRequest;
  readonly hostname: string;
  readonly port: string | number;
  /** As in the Host header. */
  readonly host: string;
}

/** Idle connections to upstreams, and the timeout for silent ones, which also applies during a reply. */
export class UpstreamAgents {
  readonly idleMs: number;
  readonly #origins = new Map<URL, Origin>();

  constructor(idleMs: number) {
    this.idleMs = idleMs;
  }

  /** The origin of an upstream's URL; cached by object identity. */
  of(url: URL): Origin {
    let origin = this.#origins.get(url);
    if (!origin) {
      origin = this.#open(url);
      this.#origins.set(url, origin);
    }
    return origin;
  }

  close(): void {
    for (const { agent } of this.#origins.values()) agent.destroy();
  }

  #open(url: URL): Origin {
    const secure = url.protocol === 'https:';
    const options = { keepAlive: true, timeout: this.idleMs };
    const agent = secure ? new https.Agent(options) : new http.Agent(options);
    keepSockets(agent, this.idleMs);
    return {
      agent,
      request: secure ? https.request : http.request,
      hostname: url.hostname.replace(/^\[|\]$/g, ''),
      port: url.port || (secure ? 443 : 80),
      host: url.host,
    };
  }
}

/**
 * Opens a request to an upstream. If the connection is silent too long, the request or its reply is destroyed with the
 * error `idle`. An upstream that switches protocols is an error: without a listener, Node reports neither a reply nor
 * an error.
 */
export function openRequest(
  agents: UpstreamAgents,
  target: Upstream,
  method: string,
  path: string,
  headers: string[],
): http.ClientRequest {
  const { agent, hostname, port, host, request: open } = agents.of(target.url);
  const all = ['Host', host, ...headers];
  const request = open({ hostname, port, method, path, headers: all, agent, timeout: agents.idleMs });
  let reply: http.IncomingMessage | undefined;
  request.on('response', (message) => {
    reply = message;
  });
  request.on('upgrade', (_, socket) => {
    socket.destroy();
    request.emit('error', new Error('the upstream switches protocols'));
  });
  request.on('timeout', () => (reply ?? request).destroy(new Error('idle')));
  return request;
}

/**
 * The headers to forward, name and value alternating, spelled as received. Without connection headers, those the
 * Connection header names, and `drop` (lower case).
 */
export function passedHeaders(raw: readonly string[], drop: ReadonlySet<string>): string[] {
  let named: Set<string> | undefined;
  const passed: string[] = [];
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = raw[at] ?? '';
    const value = raw[at + 1] ?? '';
    const lower = name.toLowerCase();
    if (lower === 'connection' && value.length > 10) named = new Set(value.toLowerCase().split(/\s*,\s*/));
    if (!HOP_BY_HOP.has(lower) && !drop.has(lower)) passed.push(name, value);
  }
  if (!named) return passed;
  return passed.filter((_, at) => !named.has((passed[at - (at % 2)] ?? '').toLowerCase()));
}

/**
 * The reply's bytes without their content coding. `undefined` if the coding is unknown, because the guard could not
 * read it.
 */
export function decodedReply(reply: http.IncomingMessage): Readable | undefined {
  const coding = (reply.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (coding === 'identity' || coding === '') return reply;
  const decoder = decoderFor(coding);
  if (!decoder) return undefined;
  reply.on('error', (error) => decoder.destroy(error));
  reply.on('aborted', () => decoder.destroy(new Error('aborted')));
  decoder.on('close', () => reply.destroy());
  return reply.pipe(decoder);
}

function decoderFor(coding: string) {
  const flush = zlib.constants.Z_SYNC_FLUSH;
  if (coding === 'gzip' || coding === 'x-gzip') return zlib.createGunzip({ flush });
  if (coding === 'deflate') return zlib.createInflate({ flush });
  if (coding === 'br') return zlib.createBrotliDecompress({ flush: zlib.constants.BROTLI_OPERATION_FLUSH });
  return undefined;
}
