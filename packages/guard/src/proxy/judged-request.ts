import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HeldBudget } from './held-budget.ts';
import type { SeenCall, Verdict, Wire } from '../wire/wire.ts';

/** How much the guard keeps, and how long it waits. */
export interface GuardLimits {
  /** Bytes held of one streamed reply; past it its call is blocked as too large. */
  readonly maxHeld: number;
  /** Bytes of one streamed answer recorded for asking again. */
  readonly maxRecorded: number;
  /** A reply in one piece. */
  readonly maxBody: number;
  /** A request kept for asking again. */
  readonly maxKeptRequest: number;
  /** All of the above together, over all replies; past it new requests get 503. */
  readonly maxTotal: number;
  /** Requests at once; past it 503. */
  readonly maxOpen: number;
  /** How often the model is asked again when all calls of its answer were blocked. */
  readonly maxRetries: number;
  /** Silence from upstream after which a reply is ended. */
  readonly idleMs: number;
}

/** What a deployment gets that says nothing. */
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
  /** Off in dry-run. */
  readonly enforce: boolean;
  /** Verdicts, reported. Never throws. */
  judge(calls: readonly SeenCall[], attempt: number): readonly Verdict[];
  /** The verdict on a call that was too large to hold, reported. */
  tooLarge(attempt: number): Verdict;
  /** The request's body, when it is complete and was kept. */
  kept(): Buffer | undefined;
  /** Sends another body to the same place with the same headers. Rejects when upstream cannot be reached. */
  ask(body: Buffer): Promise<IncomingMessage>;
  /** Answers with an error of the guard's own; ends the connection if a reply has begun. */
  refuse(status: number, message: string): void;
}

/** The content type without parameters, lower case. `undefined`: none, or a charset whose bytes the guard does not read. */
export function readableType(reply: IncomingMessage): string | undefined {
  const [type = '', ...parameters] = (reply.headers['content-type'] ?? '').toLowerCase().split(';');
  for (const parameter of parameters) {
    const charset = /^\s*charset\s*=\s*"?([^"\s]*)"?\s*$/.exec(parameter)?.[1];
    if (charset !== undefined && !/^(utf-?8|us-ascii)$/.test(charset)) return undefined;
  }
  return type.trim() === '' ? undefined : type.trim();
}

/** Whether a reply is a success that may hold calls. */
export function isSuccess(reply: IncomingMessage): boolean {
  const status = reply.statusCode ?? 0;
  return status >= 200 && status < 300;
}
