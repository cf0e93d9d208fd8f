import { retryAfterMs } from './backoff.ts';
import { boundedSignal } from './bounded-signal.ts';
import type { Answer, Fetch } from './fetch-answer.ts';

/** What a server answered, read whole. */
export interface Reply {
  readonly status: number;
  /** The JSON body with its `data` unwrapped: the two dialects differ in that. Empty where it was no JSON object. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly isJson: boolean;
  /** The server's own words for a failure, cut, or what the status says. */
  readonly message: string;
  readonly retryAfterMs: number | undefined;
}

/** Where the gateway of a server is found: today's place first, then the one of older servers. */
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

/** The requests a daemon makes of one server. The key travels in a header, and is sent nowhere a server redirects to. */
export class GatewayClient {
  key = '';
  readonly #options: GatewayClientOptions;
  #prefix: string | undefined;

  constructor(options: GatewayClientOptions) {
    this.#options = options;
  }

  /**
   * `POST gateway/init`. Finds out on the way where the server has its gateway: a server without one there answers
   * 404, or with a page.
   *
   * @throws what `fetch` throws when the server cannot be reached
   */
  async init(body: string, signal: AbortSignal): Promise<Reply> {
    if (this.#prefix !== undefined) return this.#post(`${this.#prefix}/gateway/init`, body, signal);
    let reply: Reply | undefined;
    for (const prefix of PREFIXES) {
      reply = await this.#post(`${prefix}/gateway/init`, body, signal);
      const isElsewhere = reply.status === 404 || reply.status === 405 || (reply.status < 300 && !reply.isJson);
      if (isElsewhere) continue;
      // Only success shows that it is the right one: a proxy in front may refuse what it does not know.
      if (reply.status < 300) this.#prefix = prefix;
      return reply;
    }
    return reply as Reply;
  }

  /** `POST gateway/response/:requestId`. @throws what `fetch` throws */
  respond(requestId: string, body: string, signal: AbortSignal): Promise<Reply> {
    return this.#post(`${this.#place}/gateway/response/${encodeURIComponent(requestId)}`, body, signal);
  }

  /** `POST gateway/tree`, which only Croft's own servers have. @throws what `fetch` throws */
  sendTree(body: string, signal: AbortSignal): Promise<Reply> {
    return this.#post(`${this.#place}/gateway/tree`, body, signal);
  }

  /** `POST gateway/alive`, which only Croft's own servers ask for. @throws what `fetch` throws */
  alive(signal: AbortSignal, timeoutMs: number): Promise<Reply> {
    return this.#post(`${this.#place}/gateway/alive`, '{}', signal, timeoutMs);
  }

  /** `POST gateway/disconnect`. @throws what `fetch` throws */
  disconnect(signal: AbortSignal, timeoutMs: number): Promise<Reply> {
    return this.#post(`${this.#place}/gateway/disconnect`, '{}', signal, timeoutMs);
  }

  /**
   * `GET gateway/events`, as far as the headers.
   *
   * @param keyInQuery for servers of the seed's time, which read the key nowhere else
   * @throws what `fetch` throws
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

/** Reads an answer as far as it can matter. */
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
  // One line: a server that breaks it could write what looks like one of ours.
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

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
