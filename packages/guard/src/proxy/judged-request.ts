import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HeldBudget } from './held-budget.ts';
import type { SeenCall, Verdict, Wire } from '../wire/wire.ts';

/** How much the guard keeps, and how long it waits. */
export interface GuardLimits {
  /** Bytes held of one streamed reply; a call that exceeds it is blocked as too large. */
  readonly maxHeld: number;
  /** Bytes of one streamed reply recorded for a retry. */
  readonly maxRecorded: number;
  /** Bytes of a reply that is not streamed. */
  readonly maxBody: number;
  /** Bytes of a request kept for a retry. */
  readonly maxKeptRequest: number;
  /** Bytes of all the above together, over all replies; beyond it new requests get 503. */
  readonly maxTotal: number;
  /** Concurrent requests; beyond it 503. */
  readonly maxOpen: number;
  /** How often the model is asked again if all calls of its reply were blocked. */
  readonly maxRetries: number;
  /** Milliseconds without data from upstream after which a reply is ended. */
  readonly idleMs: number;
}

/** The limits without configuration. */
export const DEFAULT_LIMITS: GuardLimits = {
  maxHeld: 8 * 1024 * 1024,
  maxRecorded: 2 * 1024 * 1024,
  maxBody: 32 * 1024 * 1024,
  maxKeptRequest: 8 * 1024 * 1024,
  maxTotal: 512 * 1024 * 1024,
  maxOpen: 8192,
  maxRetries: 3,
  idleMs: 300_000,
};

/** One request whose reply is judged, for the code that handles its reply. */
export interface JudgedRequest {
  readonly wire: Wire;
  /** As the client wrote it. */
  readonly url: string;
  readonly res: ServerResponse;
  readonly limits: GuardLimits;
  readonly budget: HeldBudget;
  /** False in dry-run. */
  readonly enforce: boolean;
  /** Returns verdicts and reports them. Never throws. */
  judge(calls: readonly SeenCall[], attempt: number): readonly Verdict[];
  /** Returns and reports the verdict on a call that was too large to hold. */
  tooLarge(attempt: number): Verdict;
  /** The request's body, if it is complete and was kept. */
  kept(): Buffer | undefined;
  /** Sends another body to the same upstream with the same headers. Rejects if upstream cannot be reached. */
  ask(body: Buffer): Promise<IncomingMessage>;
  /** Responds with an error of the guard itself; closes the connection if a reply has begun. */
  refuse(status: number, message: string): void;
}

/**
 * The content type without parameters, in lower case. `undefined` if missing, if its charset is not supported, or if
 * there are several: Node takes the first, and clients the last or all.
 */
export function readableType(reply: IncomingMessage): string | undefined {
  if (reply.rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'content-type').length > 1)
    return undefined;
  const [type = '', ...parameters] = (reply.headers['content-type'] ?? '').toLowerCase().split(';');
  for (const parameter of parameters) {
    // RFC 2231 has other spellings of the name (`charset*`, `charset*0`), which Python's parser takes for a charset.
    if (!/^\s*charset\b/.test(parameter)) continue;
    const charset = /^\s*charset\s*=\s*"?([^"\s]*)"?\s*$/.exec(parameter)?.[1];
    if (charset === undefined || !/^(utf-?8|us-ascii)$/.test(charset)) return undefined;
  }
  return type.trim() === '' ? undefined : type.trim();
}

/** Whether a reply has a success status, so that it may contain calls. */
export function isSuccess(reply: IncomingMessage): boolean {
  const status = reply.statusCode ?? 0;
  return status >= 200 && status < 300;
}
