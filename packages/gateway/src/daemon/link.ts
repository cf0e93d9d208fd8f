import { serverFrameSchema } from '../frames.ts';
import { Admission, type Credential, isItself, isPassing, type LinkEnd, refusalOf } from './admission.ts';
import { delayMs, pause } from './backoff.ts';
import { readCallRequest } from './call-request.ts';
import type { Tell } from './daemon-events.ts';
import { deliverAnswer } from './deliver-answer.ts';
import { readEvents, type StreamEnd } from './event-stream.ts';
import type { Fetch } from './fetch-answer.ts';
import { GatewayClient, type Reply } from './gateway-client.ts';
import { answerPing } from './answer-ping.ts';
import type { TreeSending } from './keep-tree-fresh.ts';
import { LINK_TIMING, type LinkTiming } from './link-timing.ts';
import type { CallServer, Delivery } from './serve-calls.ts';

export interface LinkOptions {
  /** Base address without a trailing slash. */
  readonly server: string;
  readonly credential: Credential;
  readonly fetch: Fetch;
  /** Creates the body of `init`; called for each one. */
  readonly announce: () => Promise<string>;
  readonly makeCalls: (deliver: (id: string, body: string, signal: AbortSignal) => Promise<Delivery>) => CallServer;
  readonly tell: Tell;
  /** Called when the server gave a session key, or no longer accepts one (`undefined`). */
  readonly onSession: (key: string | undefined) => void;
  /** Give up if the server cannot be reached at the first attempt; later losses are always retried. */
  readonly tryOnce: boolean;
  readonly timing?: Partial<LinkTiming>;
  readonly random?: () => number;
  readonly now?: () => number;
}

/** One connection to one server, across all interruptions. */
export interface Link {
  readonly server: string;
  /** Resolves with `undefined` when the server has accepted this daemon, or with the end of the connection. */
  readonly paired: Promise<LinkEnd | undefined>;
  readonly ended: Promise<LinkEnd>;
  /** When the current stream was opened, by the clock in milliseconds. */
  readonly openSince: number | undefined;
  /** Whether the server accepts fresh trees. */
  readonly takesTrees: boolean;
  /** Sends a tree. Not taken if the server refused it, or cannot be reached now. */
  sendTree(body: string): Promise<TreeSending>;
  /** Tells the server, for 3 s at most, and ends. */
  leave(): Promise<void>;
}

/** How often a server may accept an `init` and refuse the stream after it. */
const MAX_REFUSALS = 4;

/** Opens a connection. It lasts until the server or the person ends it. */
export function openLink(options: LinkOptions): Link {
  return new GatewayLink(options);
}

class GatewayLink implements Link {
  readonly server: string;
  readonly paired: Promise<LinkEnd | undefined>;
  readonly ended: Promise<LinkEnd>;
  openSince: number | undefined;
  readonly #options: LinkOptions;
  readonly #timing: LinkTiming;
  readonly #client: GatewayClient;
  readonly #admission: Admission;
  readonly #calls: CallServer;
  readonly #random: () => number;
  readonly #now: () => number;
  readonly #ending = new AbortController();
  #end: LinkEnd | undefined;
  #lastEventId: string | undefined;
  #keyInQuery = false;
  #wasOpen = false;

  constructor(options: LinkOptions) {
    this.#options = options;
    this.server = options.server;
    this.#timing = { ...LINK_TIMING, ...options.timing };
    this.#random = options.random ?? Math.random;
    this.#now = options.now ?? Date.now;
    const { server, fetch, credential, announce, onSession } = options;
    this.#client = new GatewayClient({ server, fetch, timeoutMs: this.#timing.requestMs, now: this.#now });
    this.#admission = new Admission({
      server,
      credential,
      announce,
      onSession,
      client: this.#client,
      wait: (attempt, why, askedMs) => this.#wait(attempt, why, askedMs),
      signal: this.#ending.signal,
    });
    const way = { client: this.#client, redeliver: this.#timing.redeliver, random: this.#random };
    this.#calls = options.makeCalls((id, body, signal) => deliverAnswer(way, id, body, signal));
    options.tell({ type: 'connecting', server });
    this.paired = this.#enter(options.tryOnce);
    this.ended = this.#run();
  }

  get takesTrees(): boolean {
    return this.#admission.takesTrees;
  }

  async #run(): Promise<LinkEnd> {
    const end = (await this.paired) ?? (await this.#stayConnected());
    this.#stop(end);
    this.#options.tell({ type: 'ended', server: this.server, reason: end.reason, message: end.message });
    return end;
  }

  #stop(end: LinkEnd): void {
    this.#end ??= end;
    this.openSince = undefined;
    this.#ending.abort();
    this.#calls.close();
  }

  async #enter(tryOnce: boolean): Promise<LinkEnd | undefined> {
    const end = await this.#admission.enter(tryOnce, this.#wasOpen);
    // Event ids belong to one session of the server.
    this.#lastEventId = undefined;
    return this.#end ?? end;
  }

  /** Keeps a stream open, reconnecting until something ends the connection for good. */
  async #stayConnected(): Promise<LinkEnd> {
    let refusals = 0;
    for (let attempt = 0; ; attempt++) {
      const started = this.#now();
      const end = await this.#stream();
      const opened = this.openSince;
      this.openSince = undefined;
      if (this.#end) return this.#end;
      if (opened !== undefined) refusals = 0;
      if (opened !== undefined && this.#now() - started >= this.#timing.stableMs) attempt = 0;
      if (end.kind === 'lost') {
        await this.#wait(attempt, end.why);
      } else if (isPassing(end.reply.status) || end.reply.status === 409 || !isItself(end.reply, this.#wasOpen)) {
        await this.#wait(attempt, end.reply.message, end.reply.retryAfterMs);
      } else {
        const over = await this.#refused(end.reply, ++refusals, attempt);
        if (over) return over;
      }
      if (this.#end) return this.#end;
    }
  }

  /** The server rejects the key, or it is the wrong endpoint: `init` shows which. */
  async #refused(reply: Reply, refusals: number, attempt: number): Promise<LinkEnd | undefined> {
    if (![401, 403, 404].includes(reply.status)) return { reason: 'refused', message: refusalOf(this.server, reply) };
    if (refusals > MAX_REFUSALS) return this.#admission.turnedAway(reply);
    // Servers of the first dialect read the key only in the URL; others never get it there.
    if (!this.takesTrees && !this.#wasOpen && reply.status !== 404) this.#keyInQuery = refusals % 2 === 1;
    if (refusals > 1) await this.#wait(attempt, reply.message);
    return this.#end ?? this.#enter(false);
  }

  #stream(): Promise<StreamEnd> {
    return readEvents({
      client: this.#client,
      lastEventId: this.#lastEventId,
      keyInQuery: this.#keyInQuery,
      silenceMs: this.#timing.pingMs * 2.5,
      signal: this.#ending.signal,
      now: this.#now,
      onOpen: () => {
        this.openSince = this.#now();
        this.#options.tell({ type: 'connected', server: this.server, again: this.#wasOpen });
        this.#wasOpen = true;
      },
      onEvent: (data, id) => {
        if (id !== undefined && id !== '') this.#lastEventId = id;
        this.#onFrame(data);
      },
    });
  }

  /** Ignores data that is not a frame, and frames of unknown types. */
  #onFrame(data: string): void {
    const frame = serverFrameSchema.safeParse(parseJson(data)).data;
    if (this.#end || frame === undefined) return;
    switch (frame.type) {
      case 'filesystem-request': {
        const request = readCallRequest(frame.payload, this.takesTrees);
        if (request) this.#calls.take(request, data.length);
        return;
      }
      case 'filesystem-cancel':
        return this.#calls.cancel(frame.payload.requestId);
      case 'gateway-disconnect':
        return this.#dismissed(frame.payload?.reason);
      case 'ping':
        if (frame.answer) void answerPing(this.#client, this.#timing, this.#ending.signal);
        return;
    }
  }

  #dismissed(reason: string | undefined): void {
    // The other daemon may be using the same key, so this one must not delete it.
    if (reason === 'superseded')
      return this.#stop({
        reason: 'superseded',
        message: `Another croft connect took over the connection to ${this.server}; this one stops`,
      });
    this.#options.onSession(undefined);
    this.#stop({ reason: 'disconnected', message: `${this.server} ended the connection` });
  }

  async sendTree(body: string): Promise<TreeSending> {
    if (!this.takesTrees || this.openSince === undefined) return { taken: false };
    try {
      const { status, retryAfterMs } = await this.#client.sendTree(body, this.#ending.signal);
      if (!isPassing(status)) return { taken: status < 300 };
      return { taken: false, againInMs: delayMs(0, this.#timing.reconnect, this.#random, retryAfterMs) };
    } catch {
      // The next change, or the next `init`, sends it.
      return { taken: false };
    }
  }

  async leave(): Promise<void> {
    if (this.#end) return;
    const what = this.#wasOpen ? 'Disconnected from' : 'Gave up connecting to';
    this.#stop({ reason: 'left', message: `${what} ${this.server}` });
    // The server never accepted this daemon, and an earlier session does not belong to this connection.
    if (!this.#admission.hasKey) return;
    this.#options.onSession(undefined);
    try {
      await this.#client.disconnect(new AbortController().signal, this.#timing.leaveMs);
    } catch {
      // The server notices by itself.
    }
  }

  async #wait(attempt: number, why: string, askedMs?: number): Promise<void> {
    const inMs = delayMs(attempt, this.#timing.reconnect, this.#random, askedMs);
    this.#options.tell({ type: 'retrying', server: this.server, inMs, why });
    await pause(inMs, this.#ending.signal);
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
