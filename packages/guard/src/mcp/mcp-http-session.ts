import type { Writable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { asHeader, eachEvent, listOf, type Message, messageOf, refusalIn, textOf, versionIn } from './http-message.ts';
import { toError } from './to-error.ts';

/** The server of a session, and the client that gets its messages. */
export interface McpHttpSessionOptions {
  /** The endpoint of a Streamable HTTP server. */
  readonly url: URL;
  /** Sent with every request, for example `Authorization`. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly output: Writable;
  /** Called for errors of messages to which the client expects no response. */
  readonly onError?: (error: Error) => void;
}

const SERVER_ERROR = -32_000;
const META_VERSION = 'io.modelcontextprotocol/protocolVersion';
/** The parameter that a request of the newer era repeats in a header. */
const NAME_SOURCES = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
]);

/** The messages that open a session. */
const OPENING: ReadonlySet<unknown> = new Set(['initialize', 'notifications/initialized']);

const INITIALIZED = { jsonrpc: '2.0', method: 'notifications/initialized' } as const;

/** Requests in progress before the guard stops reading from the client. */
const MAX_UNDER_WAY = 1_000;
/** Pause between two attempts to listen: servers and proxies end idle streams after minutes. */
const LISTEN_AGAIN_MS = 1_000;

/** The messages of one client, each sent as a request of its own, and the session that they belong to. */
export class McpHttpSession {
  readonly #options: McpHttpSessionOptions;
  readonly #maxBytes: number;
  readonly #abort = new AbortController();
  readonly #underWay = new Set<Promise<void>>();
  #id: string | undefined;
  #version: string | undefined;
  /** The client's own request, for a further session. */
  #initialize: { readonly text: string; readonly message: Message } | undefined;
  #renewing: Promise<void> | undefined;
  /** The last message that opens the session; requests wait for its response. */
  #opening: Promise<void> | undefined;
  #listening = false;
  /** Settles when the client has read; undefined while it reads. */
  #drained: Promise<void> | undefined;

  constructor(options: McpHttpSessionOptions, maxBytes: number) {
    this.#options = options;
    this.#maxBytes = maxBytes;
  }

  get isBusy(): boolean {
    return this.#underWay.size >= MAX_UNDER_WAY;
  }

  async settled(): Promise<void> {
    if (this.#underWay.size > 0) await Promise.race(this.#underWay);
  }

  /** Sends one line. An error is returned to the client if the message expects a response. */
  post(line: Buffer): void {
    const text = line.toString('utf8').trim();
    if (text === '') return;
    const message = messageOf(text);
    const answered = new Promise<void>((resolve) => {
      void this.#inOrder(message)
        .then(() => this.#send(text, message, resolve))
        .catch((error: unknown) => this.#fail(message, error))
        .then(resolve);
    });
    if (OPENING.has(message.method)) this.#opening = answered;
    this.#underWay.add(answered);
    void answered.then(() => this.#underWay.delete(answered));
  }

  /** Ends the session after the requests in progress. */
  async end(): Promise<void> {
    await Promise.all(this.#underWay);
    if (this.#id !== undefined && !this.#abort.signal.aborted)
      await this.#fetch('DELETE', this.#headers()).then(
        (response) => response.body?.cancel(),
        () => {},
      );
    this.abort();
  }

  abort(): void {
    this.#abort.abort();
  }

  /**
   * Requests run concurrently, but servers refuse those that overtake the start of the session. A response does not
   * wait: the server may ask before it answers.
   */
  async #inOrder({ method }: Message): Promise<void> {
    if (method !== undefined) await this.#opening;
  }

  /** Calls `answered` with the result. The stream of a result may stay open after it. */
  async #send(
    text: string,
    message: Message,
    answered: () => void,
    attempt: 'first' | 'again' | 'renewal' = 'first',
  ): Promise<void> {
    const isOpening = message.method === 'initialize';
    const session = this.#id;
    const headers = this.#headers(message);
    headers.set('Content-Type', 'application/json');
    headers.set('Accept', 'application/json, text/event-stream');
    const response = await this.#fetch('POST', headers, text);
    const isLost = response.status === 404 && session !== undefined && attempt === 'first';
    if (isLost && message.method !== undefined && !OPENING.has(message.method)) {
      await response.body?.cancel();
      await this.#renew(session);
      return this.#send(text, message, answered, 'again');
    }
    if (isOpening) this.#initialize = { text, message };
    if (isOpening && response.ok) this.#id = response.headers.get('mcp-session-id') ?? undefined;
    const type = (response.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase();
    const waits = message.method !== undefined && (typeof message.id === 'string' || typeof message.id === 'number');
    let isAnswered = false;
    const pass = async (body: string): Promise<void> => {
      const said = messageOf(body);
      if (said.method === undefined && said.id === message.id) isAnswered = true;
      if (isOpening) this.#version = versionIn(body) ?? this.#version;
      const refusal = isAnswered && attempt === 'renewal' ? refusalIn(body) : undefined;
      if (refusal !== undefined) throw new Error(`The session ended, and the server refuses another one: ${refusal}`);
      // The client has the result of its own `initialize`.
      if (!isAnswered || attempt !== 'renewal') await this.#say(body);
      if (isAnswered) answered();
    };
    if (type === 'text/event-stream' && response.ok) await eachEvent(response, this.#maxBytes, pass);
    else {
      const body = await textOf(response, this.#maxBytes);
      // A protocol error may come with an HTTP error status.
      if (type === 'application/json' && (response.ok || messageOf(body).id === message.id))
        for (const one of listOf(body)) await pass(one);
      if (!response.ok && !isAnswered) throw new Error(`The server answered with status ${response.status}`);
    }
    if (waits && !isAnswered) throw new Error('The server ended its answer without a result');
    if (message.method === 'notifications/initialized') void this.#listen();
  }

  /** Opens a new session after the server ended `lost`, as the protocol requires of a client (404). Messages share it. */
  async #renew(lost: string): Promise<void> {
    if (this.#id !== lost || this.#initialize === undefined) return;
    const { text, message } = this.#initialize;
    this.#renewing ??= new Promise<void>((resolve, reject) => {
      this.#send(text, message, resolve, 'renewal').then(resolve, reject);
    })
      .then(() => this.#send(JSON.stringify(INITIALIZED), INITIALIZED, () => {}))
      .catch((error: unknown) => {
        // The next message tries again.
        this.#id = lost;
        throw error;
      })
      .finally(() => {
        this.#renewing = undefined;
      });
    await this.#renewing;
  }

  /** Keeps the stream open for messages that the server initiates. Servers need not offer one. */
  async #listen(): Promise<void> {
    if (this.#listening) return;
    this.#listening = true;
    while (!this.#abort.signal.aborted) {
      try {
        const headers = this.#headers();
        headers.set('Accept', 'text/event-stream');
        const response = await this.#fetch('GET', headers);
        if (!response.ok) {
          this.#listening = false;
          await response.body?.cancel();
          return;
        }
        await eachEvent(response, this.#maxBytes, (body) => this.#say(body));
      } catch {
        // The stream ended: closed by the server, idle for too long, or the session is over.
      }
      await wait(LISTEN_AGAIN_MS, undefined, { signal: this.#abort.signal, ref: false }).catch(() => {});
    }
  }

  #headers(message?: Message): Headers {
    const headers = new Headers(this.#options.headers);
    const isOpening = message?.method === 'initialize';
    if (this.#id !== undefined && !isOpening) headers.set('Mcp-Session-Id', this.#id);
    if (this.#version !== undefined && !isOpening) headers.set('MCP-Protocol-Version', this.#version);
    const claimed = message?.params?._meta?.[META_VERSION];
    if (typeof claimed !== 'string' || typeof message?.method !== 'string') return headers;
    headers.set('MCP-Protocol-Version', asHeader(claimed));
    headers.set('Mcp-Method', asHeader(message.method));
    const name = message.params?.[NAME_SOURCES.get(message.method) ?? ''];
    if (typeof name === 'string') headers.set('Mcp-Name', asHeader(name));
    return headers;
  }

  /** Throws for a redirect: none is followed. */
  async #fetch(method: string, headers: Headers, body?: string): Promise<Response> {
    const { signal } = this.#abort;
    const response = await fetch(this.#options.url, {
      method,
      headers,
      // With 'error', Undici no longer aborts the stream of a response after a garbage collection.
      redirect: 'manual',
      signal,
      ...(body !== undefined && { body }),
    });
    if (response.status < 300 || response.status > 399) return response;
    await response.body?.cancel();
    throw new Error(`The server answered with status ${response.status}`);
  }

  /** Writes one message on one line. A line break in JSON is white space: strings cannot contain one. */
  async #say(body: string): Promise<void> {
    const { output } = this.#options;
    if (output.destroyed || output.writableEnded) return;
    if (output.write(`${body.replace(/[\r\n]+/g, ' ').trim()}\n`)) return;
    // All messages share one wait, because each adds listeners.
    this.#drained ??= new Promise<void>((resolve) => {
      const done = (): void => {
        output.off('drain', done).off('close', done).off('error', done);
        this.#drained = undefined;
        resolve();
      };
      output.on('drain', done).on('close', done).on('error', done);
    });
    await this.#drained;
  }

  async #fail({ id, method }: Message, error: unknown): Promise<void> {
    if (this.#abort.signal.aborted) return;
    const waits = method !== undefined && (typeof id === 'string' || typeof id === 'number');
    if (!waits) return this.#options.onError?.(toError(error));
    const { message } = toError(error);
    await this.#say(JSON.stringify({ jsonrpc: '2.0', id, error: { code: SERVER_ERROR, message } }));
  }
}
