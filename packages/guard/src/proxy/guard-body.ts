import { isText } from './is-text.ts';
import type { SeenCall, Verdict, Wire } from '../wire/wire.ts';

/** What a guarded reply in one piece needs. */
export interface GuardBodyOptions {
  readonly wire: Wire;
  /** A verdict for each call; must not throw. */
  readonly judge: (calls: readonly SeenCall[], attempt: number) => readonly Verdict[];
  /** The request as it went upstream; `undefined`: it was not kept, and nothing can be asked again. */
  readonly request: Buffer | undefined;
  /** Asks upstream again: the body of a successful reply of the same kind, or `undefined`. */
  readonly ask: (request: Buffer) => Promise<Buffer | undefined>;
  readonly maxRetries: number;
  readonly enforce: boolean;
}

/** The body for the client, or `broken`: it may hold a call and cannot be read, so nothing of it may go out. */
export type GuardedBody = { readonly body: Buffer } | 'broken';

const BROKEN = { kind: 'broken' } as const;

/**
 * Judges a reply in one piece. Nothing blocked: the very bytes. All calls blocked: the model is asked again, at most
 * `maxRetries` times; after that, or where some calls are allowed, the blocked ones become text.
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
