import { CROFT_PROTOCOL, initReplySchema, serverFrameSchema, TIMES } from '../frames.ts';
import { type Backoff, delayMs, pause, RECONNECT, REDELIVER } from './backoff.ts';
import { readCallRequest } from './call-request.ts';
import type { Fetch } from './fetch-answer.ts';
import type { EndReason, Tell } from './daemon-events.ts';
import { isUntrusted, networkReason, readEvents, type StreamEnd } from './event-stream.ts';
import { GatewayClient, type Reply } from './gateway-client.ts';
import type { CallServer, Delivery } from './serve-calls.ts';

/** What a daemon shows a server to be let in. */
export type Credential =
  /** `kept`: the session key of an earlier run, for when the token has been used up. */
  | { readonly kind: 'token'; readonly token: string; readonly kept?: string | undefined }
  | { readonly kind: 'session'; readonly key: string }
  /** Set on both sides by an operator; never replaced, never stored. */
  | { readonly kind: 'static'; readonly key: string };

/** Why a connection is over for good; `message` is a sentence for the person. */
export interface LinkEnd {
  readonly reason: EndReason;
  readonly message: string;
}

/** How long things take; tests shorten them. */
export interface LinkTiming {
  /** What the server pings at. Two and a half of them without a byte, and the connection is taken for dead. */
  readonly pingMs: number;
  readonly reconnect: Backoff;
  readonly redeliver: Backoff;
  readonly requestMs: number;
  /** A stream that lasted as long counts as a good one: waits begin from the least again. */
  readonly stableMs: number;
  readonly leaveMs: number;
}

export const LINK_TIMING: LinkTiming = {
  pingMs: TIMES.pingMs,
  reconnect: RECONNECT,
  redeliver: REDELIVER,
  requestMs: 30_000,
  stableMs: 10_000,
  leaveMs: 3_000,
};

export interface LinkOptions {
  /** Base address without a trailing slash. */
  readonly server: string;
  readonly credential: Credential;
  readonly fetch: Fetch;
  /** The body of `init`, made anew for each. */
  readonly announce: () => Promise<string>;
  readonly makeCalls: (deliver: (id: string, body: string, signal: AbortSignal) => Promise<Delivery>) => CallServer;
  readonly tell: Tell;
  /** The server gave a session key, or will not have one any longer. */
  readonly onSession: (key: string | undefined) => void;
  /** Give up at the first server that cannot be reached; later losses are always waited out. */
  readonly tryOnce: boolean;
  readonly timing?: Partial<LinkTiming>;
  readonly random?: () => number;
  readonly now?: () => number;
}

/** One connection to one server, over all its interruptions. */
export interface Link {
  readonly server: string;
  /** Settles when the server has let this daemon in (`undefined`), or the connection is over before that. */
  readonly paired: Promise<LinkEnd | undefined>;
  readonly ended: Promise<LinkEnd>;
  /** When the stream that is open now was opened, in the clock's milliseconds. */
  readonly openSince: number | undefined;
  /** Whether the server takes fresh trees. */
  readonly takesTrees: boolean;
  /** False when the server did not take it, or cannot be reached now. */
  sendTree(body: string): Promise<boolean>;
  /** Tells the server, for 3 s at most, and ends. */
  leave(): Promise<void>;
}

/** A server may refuse a stream and accept the `init` after it; not for ever. */
const MAX_REFUSALS = 4;

/** Opens a connection; it goes on until the server or the person ends it. */
export function openLink(options: LinkOptions): Link {
  return new GatewayLink(options);
}

class GatewayLink implements Link {
  readonly server: string;
  readonly paired: Promise<LinkEnd | undefined>;
  readonly ended: Promise<LinkEnd>;
  openSince: number | undefined;
  takesTrees = false;
  readonly #options: LinkOptions;
  readonly #timing: LinkTiming;
  readonly #client: GatewayClient;
  readonly #calls: CallServer;
  readonly #random: () => number;
  readonly #now: () => number;
  readonly #ending = new AbortController();
  #end: LinkEnd | undefined;
  #credential: Credential;
  #lastEventId: string | undefined;
  #keyInQuery = false;
  #wasOpen = false;

  constructor(options: LinkOptions) {
    this.#options = options;
    this.server = options.server;
    this.#timing = { ...LINK_TIMING, ...options.timing };
    this.#random = options.random ?? Math.random;
    this.#now = options.now ?? Date.now;
    this.#credential = options.credential;
    const { server, fetch } = options;
    this.#client = new GatewayClient({ server, fetch, timeoutMs: this.#timing.requestMs, now: this.#now });
    this.#calls = options.makeCalls((id, body, signal) => this.#deliver(id, body, signal));
    options.tell({ type: 'connecting', server });
    this.paired = this.#pair(options.tryOnce);
    this.ended = this.#run();
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

  /** `init` until it works or cannot. */
  async #pair(tryOnce: boolean): Promise<LinkEnd | undefined> {
    for (let attempt = 0; ; attempt++) {
      this.#client.key = keyOf(this.#credential);
      const outcome = await this.#init();
      if (this.#end) return this.#end;
      if (outcome.kind === 'ok') return undefined;
      if (outcome.kind === 'over') return outcome.end;
      if (outcome.kind === 'other-key') continue;
      if (tryOnce) return { reason: 'unreachable', message: `${this.server} cannot be used now: ${outcome.why}` };
      await this.#wait(attempt, outcome.why, outcome.askedMs);
      if (this.#end) return this.#end;
    }
  }

  async #init(): Promise<InitOutcome> {
    let reply: Reply;
    try {
      reply = await this.#client.init(await this.#options.announce(), this.#ending.signal);
    } catch (error) {
      const why = networkReason(error);
      if (!isUntrusted(error) || this.#wasOpen) return { kind: 'later', why };
      return { kind: 'over', end: { reason: 'refused', message: `${this.server} cannot be used: ${why}` } };
    }
    if (!this.#isItself(reply)) return { kind: 'later', why: reply.message };
    if (reply.status < 300) return this.#welcomed(reply);
    if (reply.status === 401 || reply.status === 403) return this.#unwelcome(reply);
    if (isPassing(reply.status)) return { kind: 'later', why: reply.message, askedMs: reply.retryAfterMs };
    return { kind: 'over', end: { reason: 'refused', message: refusalOf(this.server, reply) } };
  }

  /** What was a gateway once and now has no JSON to say is something on the way: a hotel's network, a proxy's page. */
  #isItself(reply: Reply): boolean {
    return reply.isJson || !this.#wasOpen;
  }

  #welcomed(reply: Reply): InitOutcome {
    const parsed = initReplySchema.safeParse(reply.body);
    if (!parsed.success)
      return { kind: 'over', end: { reason: 'refused', message: `${this.server} has no gateway for croft connect` } };
    const { sessionKey, croft } = parsed.data;
    if (sessionKey !== undefined && this.#credential.kind !== 'static') {
      this.#credential = { kind: 'session', key: sessionKey };
      this.#client.key = sessionKey;
      this.#options.onSession(sessionKey);
    }
    this.takesTrees = croft?.protocol === CROFT_PROTOCOL;
    // Ids of events belong to a session of the server's.
    this.#lastEventId = undefined;
    return { kind: 'ok' };
  }

  #unwelcome(reply: Reply): InitOutcome {
    const credential = this.#credential;
    if (credential.kind === 'token' && credential.kept !== undefined) {
      this.#credential = { kind: 'session', key: credential.kept };
      return { kind: 'other-key' };
    }
    if (credential.kind === 'session') this.#options.onSession(undefined);
    return { kind: 'over', end: { reason: 'unpaired', message: unpairedMessage(this.server, credential, reply) } };
  }

  /** Streams, one after the other, until something ends it for good. */
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
      } else if (isPassing(end.reply.status) || end.reply.status === 409 || !this.#isItself(end.reply)) {
        await this.#wait(attempt, end.reply.message, end.reply.retryAfterMs);
      } else {
        const over = await this.#refused(end.reply, ++refusals, attempt);
        if (over) return over;
      }
      if (this.#end) return this.#end;
    }
  }

  /** The server knows the key no longer, or not in this place: `init` says which. */
  async #refused(reply: Reply, refusals: number, attempt: number): Promise<LinkEnd | undefined> {
    if (![401, 403, 404].includes(reply.status)) return { reason: 'refused', message: refusalOf(this.server, reply) };
    if (refusals > MAX_REFUSALS) {
      this.#options.onSession(undefined);
      return { reason: 'unpaired', message: unpairedMessage(this.server, this.#credential, reply) };
    }
    // Servers of the seed's time look for the key in the address only; others never get to see it there.
    if (!this.takesTrees && !this.#wasOpen && reply.status !== 404) this.#keyInQuery = refusals % 2 === 1;
    if (refusals > 1) await this.#wait(attempt, reply.message);
    return this.#end ?? this.#pair(false);
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

  /** What is no frame, or one of a kind not known here, is left alone. */
  #onFrame(data: string): void {
    const frame = serverFrameSchema.safeParse(parseJson(data)).data;
    if (this.#end || frame === undefined) return;
    switch (frame.type) {
      case 'filesystem-request': {
        const request = readCallRequest(frame.payload, this.takesTrees);
        if (request) this.#calls.take(request);
        return;
      }
      case 'filesystem-cancel':
        return this.#calls.cancel(frame.payload.requestId);
      case 'gateway-disconnect':
        return this.#dismissed(frame.payload?.reason);
      case 'ping':
        return;
    }
  }

  #dismissed(reason: string | undefined): void {
    // The other daemon may be using the same key: it is not this one's to forget.
    if (reason === 'superseded')
      return this.#stop({
        reason: 'superseded',
        message: `Another croft connect took over the connection to ${this.server}; this one stops`,
      });
    this.#options.onSession(undefined);
    this.#stop({ reason: 'disconnected', message: `${this.server} ended the connection` });
  }

  /** Sends an answer until it is taken, nobody wants it, or the signal says that time is up. */
  async #deliver(requestId: string, body: string, signal: AbortSignal): Promise<Delivery> {
    for (let attempt = 0; ; attempt++) {
      let askedMs: number | undefined;
      try {
        const { status, retryAfterMs } = await this.#client.respond(requestId, body, signal);
        if (status < 300) return 'delivered';
        if (status === 413) return 'too_large';
        if (status === 404 || status === 409 || status === 410) return 'unwanted';
        // A key that is renewed in this moment is as passing as a server that is busy.
        if (!isPassing(status) && status !== 401 && status !== 403) return 'given_up';
        askedMs = retryAfterMs;
      } catch {
        // Not known whether it arrived: the server takes it once, whatever comes.
      }
      if (signal.aborted) return 'given_up';
      await pause(delayMs(attempt, this.#timing.redeliver, this.#random, askedMs), signal);
      if (signal.aborted) return 'given_up';
    }
  }

  async sendTree(body: string): Promise<boolean> {
    if (!this.takesTrees || this.openSince === undefined) return false;
    try {
      return (await this.#client.sendTree(body, this.#ending.signal)).status < 300;
    } catch {
      // The next change, or the next `init`, brings it.
      return false;
    }
  }

  async leave(): Promise<void> {
    if (this.#end) return;
    const what = this.#wasOpen ? 'Disconnected from' : 'Gave up connecting to';
    this.#stop({ reason: 'left', message: `${what} ${this.server}` });
    // Never let in: nobody there knows of it, and an earlier session is none of this one's.
    if (this.#credential.kind === 'token') return;
    this.#options.onSession(undefined);
    try {
      await this.#client.disconnect(new AbortController().signal, this.#timing.leaveMs);
    } catch {
      // It notices by itself.
    }
  }

  async #wait(attempt: number, why: string, askedMs?: number): Promise<void> {
    const inMs = delayMs(attempt, this.#timing.reconnect, this.#random, askedMs);
    this.#options.tell({ type: 'retrying', server: this.server, inMs, why });
    await pause(inMs, this.#ending.signal);
  }
}

type InitOutcome =
  | { readonly kind: 'ok' }
  | { readonly kind: 'other-key' }
  | { readonly kind: 'later'; readonly why: string; readonly askedMs?: number | undefined }
  | { readonly kind: 'over'; readonly end: LinkEnd };

function keyOf(credential: Credential): string {
  return credential.kind === 'token' ? credential.token : credential.key;
}

/** What a server that is starting, busy or behind a proxy says. */
function isPassing(status: number): boolean {
  return status === 408 || status === 425 || status === 429 || status >= 500;
}

function refusalOf(server: string, { status, message }: Reply): string {
  if (status === 404 || status === 405) return `${server} has no gateway for croft connect: ${message}`;
  return `${server} refuses the connection: ${message}`;
}

function unpairedMessage(server: string, { kind }: Credential, { message }: Reply): string {
  const again = `To pair again, open Connect a folder at ${server} and run the command it shows`;
  if (kind === 'static') return `${server} does not take the key in CROFT_GATEWAY_API_KEY (${message})`;
  if (kind === 'session') return `${server} no longer knows this connection (${message}). ${again}`;
  return `${server} does not take this token (${message}): a token works once, for five minutes. ${again}`;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
