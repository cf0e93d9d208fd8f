import { CROFT_PROTOCOL, initReplySchema } from '../frames.ts';
import type { EndReason } from './daemon-events.ts';
import { isUntrusted, networkReason } from './event-stream.ts';
import type { GatewayClient, Reply } from './gateway-client.ts';

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

export interface AdmissionOptions {
  /** Base address without a trailing slash. */
  readonly server: string;
  readonly credential: Credential;
  /** Gets the key that is good now. */
  readonly client: GatewayClient;
  /** The body of `init`, made anew for each. */
  readonly announce: () => Promise<string>;
  /** The server gave a session key, or will not have one any longer. */
  readonly onSession: (key: string | undefined) => void;
  /** Waits before try number `attempt` + 1, and says why. */
  readonly wait: (attempt: number, why: string, askedMs?: number) => Promise<void>;
  /** The connection is over. */
  readonly signal: AbortSignal;
}

/** How a daemon comes in: what it shows, and what the server says to it. One for a connection. */
export class Admission {
  readonly #options: AdmissionOptions;
  #credential: Credential;
  #takesTrees = false;

  constructor(options: AdmissionOptions) {
    this.#options = options;
    this.#credential = options.credential;
  }

  /** Whether the server takes fresh trees, as it said in its last welcome: it is Croft's own. */
  get takesTrees(): boolean {
    return this.#takesTrees;
  }

  /** Whether the server knows this daemon by a key that is worth telling it about. */
  get hasKey(): boolean {
    return this.#credential.kind !== 'token';
  }

  /**
   * Says `init` until it works or cannot. Gives nothing when the server let this daemon in, or the signal ended it.
   *
   * @param tryOnce gives up at the first failure that may pass
   * @param isKnown the server was a gateway before, so what is none now is something on the way to it
   */
  async enter(tryOnce: boolean, isKnown: boolean): Promise<LinkEnd | undefined> {
    const { server, client, wait, signal } = this.#options;
    for (let attempt = 0; ; attempt++) {
      client.key = keyOf(this.#credential);
      const outcome = await this.#init(isKnown);
      if (signal.aborted || outcome.kind === 'ok') return undefined;
      if (outcome.kind === 'over') return outcome.end;
      if (outcome.kind === 'other-key') continue;
      if (tryOnce) return { reason: 'unreachable', message: `${server} cannot be used now: ${outcome.why}` };
      await wait(attempt, outcome.why, outcome.askedMs);
      if (signal.aborted) return undefined;
    }
  }

  /** The end of a connection whose key the server will not have, and the key's. */
  turnedAway(reply: Reply): LinkEnd {
    const { server, onSession } = this.#options;
    onSession(undefined);
    return { reason: 'unpaired', message: unpairedMessage(server, this.#credential, reply) };
  }

  async #init(isKnown: boolean): Promise<InitOutcome> {
    const { server, client, announce, signal } = this.#options;
    let reply: Reply;
    try {
      reply = await client.init(await announce(), signal);
    } catch (error) {
      const why = networkReason(error);
      if (!isUntrusted(error) || isKnown) return { kind: 'later', why };
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
    if (credential.kind === 'session') this.#options.onSession(undefined);
    const message = unpairedMessage(this.#options.server, credential, reply);
    return { kind: 'over', end: { reason: 'unpaired', message } };
  }
}

type InitOutcome =
  | { readonly kind: 'ok' }
  | { readonly kind: 'other-key' }
  | { readonly kind: 'later'; readonly why: string; readonly askedMs?: number | undefined }
  | { readonly kind: 'over'; readonly end: LinkEnd };

/** What was a gateway once and now has no JSON to say is something on the way: a hotel's network, a proxy's page. */
export function isItself(reply: Reply, isKnown: boolean): boolean {
  return reply.isJson || !isKnown;
}

/** What a server that is starting, busy or behind a proxy says. */
export function isPassing(status: number): boolean {
  return status === 408 || status === 425 || status === 429 || status >= 500;
}

/** A refusal that waiting does not mend, as a sentence. */
export function refusalOf(server: string, { status, message }: Reply): string {
  if (status === 404 || status === 405) return `${server} has no gateway for croft connect: ${message}`;
  return `${server} refuses the connection: ${message}`;
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
