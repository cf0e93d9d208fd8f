import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http';
import { bodyReply } from './body-reply.ts';
import type { Decision, ObservedCall } from '../decision.ts';
import { describeRequest, type GuardedRequest, type RequestJudge } from './guarded-request.ts';
import type { HeldBudget } from './held-budget.ts';
import { judgeCalls, tooLargeVerdict } from './judge-calls.ts';
import { type GuardLimits, type JudgedRequest, readableType } from './judged-request.ts';
import { KeptBody } from './kept-body.ts';
import { refuseRequest } from './refuse-request.ts';
import { streamReply } from './stream-reply.ts';
import {
  decodedReply,
  openRequest,
  passedHeaders,
  UNREACHABLE,
  type Upstream,
  type UpstreamAgents,
} from './upstream.ts';
import type { SeenCall, Verdict, Wire } from '../wire/wire.ts';

/** One decision, for reporting. */
export interface DecisionEvent {
  readonly request: GuardedRequest;
  /** The call as read; the model wrote its arguments. `undefined` if it was too large to read. */
  readonly call: ObservedCall | undefined;
  readonly decision: Decision;
  /** Whether the call was blocked, after applying dry-run. */
  readonly blocked: boolean;
  /** 0 for the first reply, 1 for the reply to the first retry. */
  readonly attempt: number;
}

/** The dependencies of an exchange. */
export interface ExchangeOptions {
  readonly judgeFor: (request: GuardedRequest) => RequestJudge | undefined;
  readonly onDecision: ((event: DecisionEvent) => void) | undefined;
  readonly onUnreachable: ((upstream: Upstream, error: NodeJS.ErrnoException) => void) | undefined;
  readonly limits: GuardLimits;
  readonly budget: HeldBudget;
  readonly agents: UpstreamAgents;
}

const NOT_PASSED: ReadonlySet<string> = new Set(['host', 'accept-encoding', 'expect']);
const NOT_REPEATED: ReadonlySet<string> = new Set(['content-length']);
const NOTHING: ReadonlySet<string> = new Set();

/** One request whose reply is judged: forwards it unchanged, and filters the reply. */
export class Exchange implements JudgedRequest {
  readonly wire: Wire;
  readonly url: string;
  readonly res: ServerResponse;
  readonly limits: GuardLimits;
  readonly budget: HeldBudget;
  enforce = true;
  readonly #req: IncomingMessage;
  readonly #options: ExchangeOptions;
  readonly #target: Upstream;
  readonly #path: string;
  readonly #headers: string[];
  readonly #facts: GuardedRequest;
  /**
   * Undefined if none could be created; then every call is blocked. Stored as the judge itself, without a closure per
   * exchange: a closure kept every exchange alive until V8's next full collection, which cost a tenth of a request.
   */
  #judge: RequestJudge | undefined;
  readonly #kept: KeptBody;
  #current: ClientRequest | undefined;
  #gone = false;
  #replied = false;

  constructor(
    options: ExchangeOptions,
    to: { target: Upstream; path: string },
    wire: Wire,
    req: IncomingMessage,
    res: ServerResponse,
  ) {
    this.#options = options;
    this.limits = options.limits;
    this.budget = options.budget;
    this.#target = to.target;
    this.#path = to.path;
    this.wire = wire;
    this.#req = req;
    this.res = res;
    this.url = req.url ?? '/';
    this.#kept = new KeptBody(req, options.limits.maxKeptRequest, options.budget);
    this.#facts = describeRequest(req, wire, this.#kept);
    // Asks for an uncompressed reply, so that the guard can read it.
    this.#headers = [...passedHeaders(req.rawHeaders, NOT_PASSED), 'Accept-Encoding', 'identity'];
    if (wire.restore) this.#sendRestored(req, wire.restore);
    else this.#sendOn(req, this.#begin(this.#headers));
    res.on('close', () => this.#close());
  }

  judge(calls: readonly SeenCall[], attempt: number): readonly Verdict[] {
    const judge = this.#judge;
    try {
      const verdicts = judgeCalls(calls, judge ? (call) => judge.judge(call) : failing, this.enforce);
      verdicts.forEach((verdict, at) => this.#report(verdict, calls[at]?.readings[0], attempt));
      return verdicts;
    } catch {
      // A call that cannot be reported is blocked.
      return judgeCalls(calls, failing, this.enforce);
    }
  }

  tooLarge(attempt: number): Verdict {
    const verdict = tooLargeVerdict(this.enforce);
    try {
      this.#report(verdict, undefined, attempt);
    } catch {
      // The call is blocked in any case.
    }
    return verdict;
  }

  kept(): Buffer | undefined {
    return this.#kept.bytes();
  }

  ask(body: Buffer): Promise<IncomingMessage> {
    const headers = [...passedHeaders(this.#headers, NOT_REPEATED), 'Content-Length', String(body.length)];
    return new Promise((resolve, reject) => {
      if (this.#gone) return reject(new Error('the client is gone'));
      const request = this.#send(headers);
      this.#current = request;
      request.on('response', resolve);
      let answered = false;
      request.once('response', () => (answered = true));
      request.on('error', (error) => {
        if (!answered && !this.#gone) this.#options.onUnreachable?.(this.#target, error);
        reject(error);
      });
      request.end(body);
    });
  }

  refuse(status: number, message: string): void {
    this.#current?.destroy();
    refuseRequest(this.res, status, this.wire.errorBody(status, message));
  }

  #onReply(reply: IncomingMessage): void {
    this.#replied = true;
    const status = reply.statusCode ?? 0;
    if (status >= 300 && status < 400 && reply.headers.location !== undefined)
      return this.refuse(502, 'The upstream redirects; a client that followed would go round the guard.');
    // Many clients treat every status below 400 as a success. A 304 has no body.
    if (status >= 400 || status === 304) return this.#passUnread(reply);
    try {
      const judge = this.#options.judgeFor(this.#facts);
      if (!judge) return this.#passUnread(reply);
      this.#judge = judge;
      this.enforce = judge.enforce;
    } catch {
      this.#judge = undefined;
    }
    const type = readableType(reply);
    const opened = type === undefined ? undefined : this.wire.open(type, this.url);
    const bytes = opened === undefined ? undefined : decodedReply(reply);
    if (opened === undefined || !bytes) {
      if (!this.enforce || reply.headers['content-length'] === '0' || status === 204) return this.#passUnread(reply);
      return this.refuse(502, 'The upstream replied in a form in which the guard cannot see tool calls.');
    }
    if (opened !== 'body') return streamReply(this, reply, bytes, opened);
    bodyReply(this, reply, bytes).catch(() => this.refuse(502, 'The guard failed on this reply.'));
  }

  #passUnread(reply: IncomingMessage): void {
    this.res.writeHead(reply.statusCode ?? 502, reply.statusMessage, passedHeaders(reply.rawHeaders, NOTHING));
    reply.on('error', () => this.res.destroy());
    reply.pipe(this.res);
  }

  #send(headers: string[]): ClientRequest {
    return openRequest(this.#options.agents, this.#target, this.#req.method ?? 'GET', this.#path, headers);
  }

  #begin(headers: string[]): ClientRequest {
    const request = this.#send(headers);
    this.#current = request;
    request.on('response', (reply: IncomingMessage) => this.#onReply(reply));
    request.on('error', (error) => {
      // Once a reply has begun, its reader handles the error.
      if (this.#replied || this.#gone) return;
      this.#options.onUnreachable?.(this.#target, error);
      this.refuse(502, UNREACHABLE);
    });
    return request;
  }

  /** Buffers the whole body, because its length may change. A body that is too large is forwarded unchanged. */
  #sendRestored(req: IncomingMessage, restore: (body: Buffer) => Buffer): void {
    const chunks: Buffer[] = [];
    const take = (chunk: Buffer): void => {
      chunks.push(chunk);
      this.#kept.add(chunk);
      if (this.#kept.isKept) return;
      req.off('data', take);
      req.off('end', send);
      const request = this.#begin(this.#headers);
      request.write(Buffer.concat(chunks));
      this.#sendOn(req, request);
    };
    const send = (): void => {
      if (this.#gone) return;
      const body = Buffer.concat(chunks);
      const restored = restore(body);
      if (restored === body) return void this.#begin(this.#headers).end(body);
      this.#kept.replace(restored);
      const length = ['Content-Length', String(restored.length)];
      this.#begin([...passedHeaders(this.#headers, NOT_REPEATED), ...length]).end(restored);
    };
    req.on('data', take);
    req.on('end', send);
  }

  #sendOn(req: IncomingMessage, request: ClientRequest): void {
    req.on('data', (chunk: Buffer) => {
      this.#kept.add(chunk);
      if (!request.write(chunk)) {
        req.pause();
        request.once('drain', () => req.resume());
      }
    });
    req.on('end', () => request.end());
  }

  #close(): void {
    this.#gone = true;
    this.#kept.forget();
    if (!this.res.writableFinished) this.#current?.destroy();
  }

  #report(verdict: Verdict, call: ObservedCall | undefined, attempt: number): void {
    const { decision, blocked } = verdict;
    this.#options.onDecision?.({ request: this.#facts, call, decision, blocked, attempt });
  }
}

function failing(): Decision {
  throw new Error('there is no judge');
}
