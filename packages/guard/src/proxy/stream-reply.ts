import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { atEndOfTurn } from './end-of-turn.ts';
import type { Framing } from '../framing/framing.ts';
import { GuardStream } from './guard-stream.ts';
import { isSuccess, type JudgedRequest, readableType } from './judged-request.ts';
import { decodedReply, passedHeaders } from './upstream.ts';

const NO_LENGTH: ReadonlySet<string> = new Set(['content-length']);
const DECODED: ReadonlySet<string> = new Set(['content-length', 'content-encoding']);
const MAX_UNREAD = 64 * 1024;
/**
 * How long to wait for the rest of a reply, in milliseconds. If a server has more to send, it is on its way; if a
 * server only keeps the reply open, nothing follows.
 */
const REST_MS = 100;

/** Sends a streamed reply to the client through a guard. Asks upstream again if every call was blocked. */
export function streamReply(request: JudgedRequest, reply: IncomingMessage, bytes: Readable, framing: Framing): void {
  new StreamReply(request, reply, bytes, framing);
}

class StreamReply {
  readonly #request: JudgedRequest;
  readonly #guard: GuardStream;
  #reply: IncomingMessage;
  #source: Readable;
  /** The request body of the current reply. */
  #asked: Buffer | undefined;
  #attempt = 0;
  /** A retry is in progress; the end of the reply before may still arrive. */
  #isAsking = false;
  #ended = false;
  #full = false;
  #begun = false;
  /** The bytes for the client from this turn of the event loop, sent in one write. */
  #waiting: Buffer[] = [];

  constructor(request: JudgedRequest, reply: IncomingMessage, bytes: Readable, framing: Framing) {
    const { res, limits, wire, budget, enforce } = request;
    this.#request = request;
    this.#reply = reply;
    this.#source = bytes;
    this.#guard = new GuardStream({
      wire,
      framing,
      budget,
      enforce,
      out: (chunk) => this.#write(chunk),
      judge: (calls) => request.judge(calls, this.#attempt),
      tooLarge: () => request.tooLarge(this.#attempt),
      maxHeld: limits.maxHeld,
      maxRecorded: enforce && limits.maxRetries > 0 ? limits.maxRecorded : 0,
    });
    res.writeHead(
      reply.statusCode ?? 200,
      reply.statusMessage,
      passedHeaders(reply.rawHeaders, bytes === reply ? NO_LENGTH : DECODED),
    );
    // Headers usually go out in one packet with the first frame; a client that waits for the headers gets them now.
    setImmediate(() => {
      if (!this.#begun && this.#waiting.length === 0 && !res.writableEnded && !res.destroyed) res.flushHeaders();
    });
    res.on('drain', this.#onDrain);
    res.on('close', () => this.#guard.close());
    this.#attach(reply, bytes);
  }

  #write(bytes: Buffer): void {
    if (this.#waiting.push(bytes) === 1) atEndOfTurn(this.#flush);
  }

  readonly #flush = (): void => {
    const bytes = this.#takeWaiting();
    if (bytes && !this.#request.res.writableEnded && !this.#request.res.write(bytes)) {
      this.#full = true;
      this.#source.pause();
    }
  };

  #takeWaiting(): Buffer | undefined {
    const waiting = this.#waiting;
    if (waiting.length === 0) return undefined;
    this.#begun = true;
    this.#waiting = [];
    return waiting.length === 1 ? waiting[0] : Buffer.concat(waiting);
  }

  #attach(reply: IncomingMessage, source: Readable): void {
    this.#reply = reply;
    this.#source = source;
    this.#ended = false;
    source.on('data', (chunk: Buffer) => {
      if (source !== this.#source) return;
      this.#guard.push(chunk);
      this.#after();
    });
    source.on('end', () => {
      if (source !== this.#source) return;
      this.#ended = true;
      this.#guard.end();
      this.#after();
    });
    source.on('error', (error) => {
      if (source === this.#source && !this.#ended) this.#cut(error);
    });
    source.on('close', () => {
      if (source === this.#source && !this.#ended) this.#cut(undefined);
    });
  }

  readonly #onDrain = (): void => {
    this.#full = false;
    if (this.#guard.state === 'open') this.#source.resume();
  };

  #after(): void {
    const { state } = this.#guard;
    if (state === 'asking') {
      // Usage data may follow the end of the reply; more than that is not kept during the retry.
      if (this.#guard.unread > MAX_UNREAD) this.#source.pause();
      if (this.#isAsking) return;
      this.#isAsking = true;
      this.#ask().catch(() => this.#refuse());
    } else if (state === 'over') this.#finish();
  }

  #finish(): void {
    const { res } = this.#request;
    if (!this.#ended) {
      this.#ended = true;
      this.#source.destroy();
      this.#reply.destroy();
    }
    if (!res.writableEnded) res.end(this.#takeWaiting());
  }

  /** Upstream broke off. Inside a held call the reply ends with an error; otherwise it breaks off too. */
  #cut(error: Error | undefined): void {
    if (this.#guard.state === 'asking') {
      // The rest will not come; the decisions about its calls remain valid.
      this.#ended = true;
      return;
    }
    this.#ended = true;
    if (this.#guard.holding || isIdle(error)) {
      this.#guard.fail('The upstream reply broke off; a tool call that was not complete was dropped.');
      this.#finish();
    } else {
      this.#guard.close();
      this.#flush();
      this.#request.res.destroy();
    }
  }

  async #ask(): Promise<void> {
    const { wire, url, limits } = this.#request;
    const before = this.#asked ?? this.#request.kept();
    const again =
      before && this.#attempt < limits.maxRetries
        ? wire.retryRequest(before, { frames: this.#guard.answer }, this.#guard.verdicts)
        : undefined;
    if (!again) return this.#refuse();
    await this.#rest();
    const reply = await this.#request.ask(again);
    const type = readableType(reply);
    const framing = isSuccess(reply) && type !== undefined ? wire.open(type, url) : undefined;
    const source = framing === undefined || framing === 'body' ? undefined : decodedReply(reply);
    if (!source || framing === undefined || framing === 'body') {
      reply.destroy();
      return this.#refuse();
    }
    if (this.#guard.state !== 'asking') return void reply.destroy();
    this.#source.destroy();
    this.#reply.destroy();
    this.#attempt++;
    this.#asked = again;
    this.#isAsking = false;
    this.#guard.splice(framing);
    this.#attach(reply, source);
  }

  /** Reads the rest of a reply after the end of its turn, where some servers report usage. */
  #rest(): Promise<void> {
    const source = this.#source;
    if (this.#ended) return Promise.resolve();
    return new Promise((done) => {
      const timer = setTimeout(done, REST_MS);
      const end = (): void => {
        clearTimeout(timer);
        done();
      };
      source.once('end', end).once('close', end);
    });
  }

  #refuse(): void {
    this.#isAsking = false;
    if (this.#guard.state !== 'asking') return;
    this.#guard.refuse();
    if (this.#ended) this.#guard.end();
    this.#after();
    // Resume unless the reply is over or waits for the client.
    if (!this.#ended && !this.#full) this.#source.resume();
  }
}

function isIdle(error: Error | undefined): boolean {
  return error?.message === 'idle';
}
