import { isText } from './is-text.ts';
import type { SeenCall, Verdict, Wire } from '../wire/wire.ts';

/** The dependencies of `guardBody`. */
export interface GuardBodyOptions {
  readonly wire: Wire;
  /** Returns a verdict for each call. Must not throw. */
  readonly judge: (calls: readonly SeenCall[], attempt: number) => readonly Verdict[];
  /** The request as sent upstream; `undefined` if it was not kept, so that no retry is possible. */
  readonly request: Buffer | undefined;
  /** Sends a retry: the body of a successful reply of the same kind, or `undefined`. */
  readonly ask: (request: Buffer) => Promise<Buffer | undefined>;
  readonly maxRetries: number;
  readonly enforce: boolean;
}

/** The body for the client, or `broken`: it may contain a call and cannot be parsed, so no part of it may be sent. */
export type GuardedBody = { readonly body: Buffer } | 'broken';

const BROKEN = { kind: 'broken' } as const;

/**
 * Judges a reply that is not streamed. If no call is blocked, the bytes are unchanged. If all calls are blocked, the
 * model is asked again, at most `maxRetries` times. After that, or if some calls are allowed, the blocked ones become
 * text.
 */
export async function guardBody(first: Buffer, options: GuardBodyOptions): Promise<GuardedBody> {
  const { wire, judge, maxRetries } = options;
  let body = first;
  let request = options.request;
  const earlier: Buffer[] = [];
  const costed = (last: Buffer): Buffer => (earlier.length === 0 ? last : wire.withUsage(last, earlier));
  for (let attempt = 0; ; attempt++) {
    const reading = isText(body) ? wire.readBody(body) : BROKEN;
    if (reading.kind === 'plain') return { body: costed(body) };
    if (reading.kind === 'broken') return options.enforce ? 'broken' : { body };
    const verdicts = judge(reading.calls, attempt);
    if (!verdicts.some((verdict) => verdict.blocked)) return { body: costed(body) };
    if (attempt < maxRetries && request && verdicts.every((verdict) => verdict.blocked)) {
      const again = wire.retryRequest(request, { body }, verdicts);
      const answer = again && (await options.ask(again));
      if (answer) {
        earlier.push(body);
        body = answer;
        request = again;
        continue;
      }
    }
    return { body: costed(wire.rewriteBody(body, verdicts)) };
  }
}
