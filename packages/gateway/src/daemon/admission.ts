import { CROFT_PROTOCOL, initReplySchema } from '../frames.ts';
import type { EndReason } from './daemon-events.ts';
import { isUnknownName, isUntrusted, networkReason } from './event-stream.ts';
import type { GatewayClient, Reply } from './gateway-client.ts';

/** The credential that a daemon sends to a server. */
export type Credential =
  /** `kept`: the session key of an earlier run, for use when the token has been used up. */
  | { readonly kind: 'token'; readonly token: string; readonly kept?: string | undefined }
  | { readonly kind: 'session'; readonly key: string }
  /** Configured on both sides by an operator; never replaced, never stored. */
  | { readonly kind: 'static'; readonly key: string };

/** Why a connection has ended for good; `message` is a sentence for the person. */
export interface LinkEnd {
  readonly reason: EndReason;
  readonly message: string;
}

export interface AdmissionOptions {
  /** Base address without a trailing slash. */
  readonly server: string;
  readonly credential: Credential;
  /** Receives the key that is valid now. */
  readonly client: GatewayClient;
  /** Creates the body of `init`; called for each one. */
  readonly announce: () => Promise<string>;
  /** Called when the server gave a session key, or no longer accepts one (`undefined`). */
  readonly onSession: (key: string | undefined) => void;
  /** Waits before attempt number `attempt` + 1, and reports why. */
  readonly wait: (attempt: number, why: string, askedMs?: number) => Promise<void>;
  /** Aborts when the connection is over. */
  readonly signal: AbortSignal;
}

/** Attempts to reach a server that never answered, with a token from a command: 15 to 30 s. */
const MAX_FIRST_ATTEMPTS = 6;

/** Authenticates a daemon at a server: its credential, and the server's response. One per connection. */
export class Admission {
  readonly #options: AdmissionOptions;
  #credential: Credential;
  #takesTrees = false;

  constructor(options: AdmissionOptions) {
    this.#options = options;
    this.#credential = options.credential;
  }

  /** Whether the server accepts fresh trees, as its last response to `init` said: it is Croft's own. */
  get takesTrees(): boolean {
    return this.#takesTrees;
  }

  /** Whether the server knows this daemon by a key that the daemon should ask it to revoke. */
  get hasKey(): boolean {
    return this.#credential.kind !== 'token';
  }

  /**
   * Sends `init` until it succeeds or fails for good. Returns undefined if the server accepted this daemon, or the
   * signal aborted. Gives up a server that cannot be reached with a token alone, because its address may be mistyped;
   * a session of an earlier run shows that the address is right.
   *
   * @param tryOnce gives up at the first temporary failure
   * @param isKnown the server was a gateway before, so a response that is not from a gateway comes from something in
   * between
   */
  async enter(tryOnce: boolean, isKnown: boolean): Promise<LinkEnd | undefined> {
    const { server, client, wait, signal } = this.#options;
    let unreached = 0;
    for (let attempt = 0; ; attempt++) {
      client.key = keyOf(this.#credential);
      const outcome = await this.#init(isKnown);
      if (signal.aborted || outcome.kind === 'ok') return undefined;
      if (outcome.kind === 'over') return outcome.end;
      if (outcome.kind === 'other-key') continue;
      if (tryOnce) return { reason: 'unreachable', message: `${server} cannot be used now: ${outcome.why}` };
      unreached = outcome.unreached === undefined ? 0 : unreached + 1;
      if (this.#mayBeMistyped && (outcome.unreached === 'name' || unreached >= MAX_FIRST_ATTEMPTS))
        return { reason: 'unreachable', message: mistypedMessage(server, outcome.why) };
      await wait(attempt, outcome.why, outcome.askedMs);
      if (signal.aborted) return undefined;
    }
  }

  /** Ends a connection whose key the server rejects, and deletes the key. */
  turnedAway(reply: Reply): LinkEnd {
    const { server, onSession } = this.#options;
    onSession(undefined);
    return { reason: 'unpaired', message: unpairedMessage(server, this.#credential, reply) };
  }

  /** Whether nothing but a command names the server. */
  get #mayBeMistyped(): boolean {
    return this.#credential.kind === 'token' && this.#credential.kept === undefined;
  }

  async #init(isKnown: boolean): Promise<InitOutcome> {
    const { server, client, announce, signal } = this.#options;
    let reply: Reply;
    try {
      reply = await client.init(await announce(), signal);
    } catch (error) {
      const why = networkReason(error);
      if (!isUntrusted(error) || isKnown)
        return { kind: 'later', why, unreached: isUnknownName(error) ? 'name' : 'address' };
      return { kind: 'over', end: { reason: 'refused', message: `${server} cannot be used: ${why}` } };
    }
    if (!isItself(reply, isKnown)) return { kind: 'later', why: reply.message };
    if (reply.status < 300) return this.#welcomed(reply);
    if (reply.status === 401 || reply.status === 403) return this.#unwelcome(reply);
    if (isPassing(reply.status)) return { kind: 'later', why: reply.message, askedMs: reply.retryAfterMs };
    return { kind: 'over', end: { reason: 'refused', message: refusalOf(server, reply) } };
  }

  #welcomed(reply: Reply): InitOutcome {
    const { server, client, onSession } = this.#options;
    const parsed = initReplySchema.safeParse(reply.body);
    if (!parsed.success)
      return { kind: 'over', end: { reason: 'refused', message: `${server} has no gateway for croft connect` } };
    const { sessionKey, croft } = parsed.data;
    if (sessionKey !== undefined && this.#credential.kind !== 'static') {
      this.#credential = { kind: 'session', key: sessionKey };
      client.key = sessionKey;
      onSession(sessionKey);
    }
    this.#takesTrees = croft?.protocol === CROFT_PROTOCOL;
    return { kind: 'ok' };
  }

  #unwelcome(reply: Reply): InitOutcome {
    const credential = this.#credential;
    if (credential.kind === 'token' && credential.kept !== undefined) {
      this.#credential = { kind: 'session', key: credential.kept };
      return { kind: 'other-key' };
    }
    // The server knew this session, and it answers in JSON: this is the page of a proxy in between.
    if (credential.kind === 'session' && !reply.isJson)
      return { kind: 'later', why: reply.message, askedMs: reply.retryAfterMs };
    if (credential.kind === 'session') this.#options.onSession(undefined);
    const message = unpairedMessage(this.#options.server, credential, reply);
    return { kind: 'over', end: { reason: 'unpaired', message } };
  }
}

type InitOutcome =
  | { readonly kind: 'ok' }
  | { readonly kind: 'other-key' }
  | {
      readonly kind: 'later';
      readonly why: string;
      readonly askedMs?: number | undefined;
      /** Nothing answered: the name does not exist, or nothing responds at the address. */
      readonly unreached?: 'name' | 'address';
    }
  | { readonly kind: 'over'; readonly end: LinkEnd };

/**
 * Whether a response is from the server itself. If it was a gateway and now sends no JSON, the response comes from
 * something in between: a captive portal, a proxy's error page.
 */
export function isItself(reply: Reply, isKnown: boolean): boolean {
  return reply.isJson || !isKnown;
}

/** Whether a status is temporary: the server is starting, busy or behind a proxy. */
export function isPassing(status: number): boolean {
  return status === 408 || status === 425 || status === 429 || status >= 500;
}

/** A sentence for a refusal that retrying does not fix. */
export function refusalOf(server: string, { status, message }: Reply): string {
  if (status === 404 || status === 405) return `${server} has no gateway for croft connect: ${message}`;
  return `${server} refuses the connection: ${message}`;
}

function mistypedMessage(server: string, why: string): string {
  return `${server} cannot be reached: ${why}. Check the address, then run the command again`;
}

function keyOf(credential: Credential): string {
  return credential.kind === 'token' ? credential.token : credential.key;
}

function unpairedMessage(server: string, { kind }: Credential, { message }: Reply): string {
  const again = `To pair again, open Connect a folder at ${server} and run the command it shows`;
  if (kind === 'static') return `${server} does not take the key in CROFT_GATEWAY_API_KEY (${message})`;
  if (kind === 'session') return `${server} no longer knows this connection (${message}). ${again}`;
  return `${server} does not take this token (${message}): a token works once, for five minutes. ${again}`;
}
