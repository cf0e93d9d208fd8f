import { retryAfterMs } from './backoff.ts';
import { boundedSignal } from './bounded-signal.ts';
import type { Answer, Fetch } from './fetch-answer.ts';
import { parseObject } from './parse-object.ts';

/** A server's response, read completely. */
export interface Reply {
  readonly status: number;
  /** The JSON body with its `data` unwrapped: the dialects differ there. Empty if it is not a JSON object. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly isJson: boolean;
  /** The server's own message for a failure, truncated, or the meaning of the status. */
  readonly message: string;
  readonly retryAfterMs: number | undefined;
}

/** Paths of the gateway on a server: the current path first, then the path of older servers. */
const PREFIXES = ['/rest/instance-ai', '/instance-ai'] as const;
const MAX_REPLY_BYTES = 64 * 1024;
const MAX_MESSAGE_CHARS = 300;

export interface GatewayClientOptions {
  /** Base address without a trailing slash; a path in it is kept. */
  readonly server: string;
  readonly fetch: Fetch;
  readonly timeoutMs: number;
  readonly now: () => number;
}

/** The requests of a daemon to one server. The key travels in a header and is never sent to a redirect target. */
export class GatewayClient {
  key = '';
  readonly #options: GatewayClientOptions;
  #prefix: string | undefined;

  constructor(options: GatewayClientOptions) {
    this.#options = options;
  }

  /**
   * Sends `POST gateway/init`. Finds out where the server has its gateway: without one at a path, a server responds
   * with 404 or a page.
   *
   * @throws the error of `fetch` if the server cannot be reached
   */
  async init(body: string, signal: AbortSignal): Promise<Reply> {
    if (this.#prefix !== undefined) return this.#post(`${this.#prefix}/gateway/init`, body, signal);
    let reply: Reply | undefined;
    for (const prefix of PREFIXES) {
      reply = await this.#post(`${prefix}/gateway/init`, body, signal);
      const isElsewhere = reply.status === 404 || reply.status === 405 || (reply.status < 300 && !reply.isJson);
      if (isElsewhere) continue;
      // Only success proves the path: a proxy may refuse unknown ones.
      if (reply.status < 300) this.#prefix = prefix;
      return reply;
    }
    return reply as Reply;
  }

  /** Sends `POST gateway/response/:requestId`. @throws the error of `fetch` */
  respond(requestId: string, body: string, signal: AbortSignal): Promise<Reply> {
    return this.#post(`${this.#place}/gateway/response/${encodeURIComponent(requestId)}`, body, signal);
  }

  /** Sends `POST gateway/tree`, which only Croft's own servers have. @throws the error of `fetch` */
  sendTree(body: string, signal: AbortSignal): Promise<Reply> {
    return this.#post(`${this.#place}/gateway/tree`, body, signal);
  }

  /** Sends `POST gateway/alive`, which only Croft's own servers ask for. @throws the error of `fetch` */
  alive(signal: AbortSignal, timeoutMs: number): Promise<Reply> {
    return this.#post(`${this.#place}/gateway/alive`, '{}', signal, timeoutMs);
  }

  /** Sends `POST gateway/disconnect`. @throws the error of `fetch` */
  disconnect(signal: AbortSignal, timeoutMs: number): Promise<Reply> {
    return this.#post(`${this.#place}/gateway/disconnect`, '{}', signal, timeoutMs);
  }

  /**
   * Sends `GET gateway/events` and returns after the headers.
   *
   * @param keyInQuery for servers of the first dialect, which read the key only there
   * @throws the error of `fetch`
   */
  events(lastEventId: string | undefined, keyInQuery: boolean, signal: AbortSignal): Promise<Answer> {
    const query = keyInQuery ? `?apiKey=${encodeURIComponent(this.key)}` : '';
    return this.#options.fetch(`${this.#options.server}${this.#place}/gateway/events${query}`, {
      headers: {
        accept: 'text/event-stream',
        'cache-control': 'no-cache',
        'x-gateway-key': this.key,
        ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
      },
      signal,
    });
  }

  get #place(): string {
    return this.#prefix ?? PREFIXES[0];
  }

  async #post(path: string, body: string, signal: AbortSignal, timeoutMs = this.#options.timeoutMs): Promise<Reply> {
    const bounded = boundedSignal(signal, timeoutMs);
    const exchange = async (): Promise<Reply> => {
      const response = await this.#options.fetch(`${this.#options.server}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json', 'x-gateway-key': this.key },
        body,
        signal: bounded.signal,
      });
      return readReply(response, this.#options.now());
    };
    try {
      return await bounded.race(exchange());
    } finally {
      bounded.release();
    }
  }
}

/** Reads a response up to the size limit. */
export async function readReply(response: Answer, nowMs: number): Promise<Reply> {
  const parsed = parseObject(await readCapped(response));
  const { status } = response;
  const data = parsed?.data;
  const body = typeof data === 'object' && data !== null ? (data as Record<string, unknown>) : (parsed ?? {});
  return {
    status,
    body,
    isJson: parsed !== undefined,
    message: messageOf(response, parsed),
    retryAfterMs: retryAfterMs(response.headers.get('retry-after'), nowMs),
  };
}

function messageOf(response: Answer, body: Record<string, unknown> | undefined): string {
  const location = response.headers.get('location');
  if (response.status >= 300 && response.status < 400 && location !== null)
    return `it redirects to ${location.slice(0, MAX_MESSAGE_CHARS)}; use that address`;
  const nested = body?.error as { message?: unknown } | string | undefined;
  const said = body?.message ?? (typeof nested === 'string' ? nested : nested?.message);
  if (typeof said !== 'string' || said === '') return `HTTP ${response.status}`;
  // One line: with line breaks a server could imitate our own messages.
  return said.slice(0, MAX_MESSAGE_CHARS).replace(/\s+/g, ' ');
}

async function readCapped(response: Answer): Promise<string> {
  if (response.body === null) return '';
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body) {
    parts.push(part);
    size += part.byteLength;
    // Leaving the loop cancels the rest.
    if (size > MAX_REPLY_BYTES) break;
  }
  return Buffer.concat(parts).toString('utf8');
}
