import { isPassing } from './admission.ts';
import { type Backoff, delayMs, pause } from './backoff.ts';
import type { GatewayClient } from './gateway-client.ts';
import type { Delivery } from './serve-calls.ts';

/** How to deliver responses to a server. */
export interface DeliveryWay {
  readonly client: GatewayClient;
  readonly redeliver: Backoff;
  readonly random: () => number;
}

/** Sends a response until it is accepted, no longer wanted, or the signal aborts. Never rejects. */
export async function deliverAnswer(
  { client, redeliver, random }: DeliveryWay,
  requestId: string,
  body: string,
  signal: AbortSignal,
): Promise<Delivery> {
  for (let attempt = 0; ; attempt++) {
    let askedMs: number | undefined;
    try {
      const { status, retryAfterMs } = await client.respond(requestId, body, signal);
      if (status < 300) return 'delivered';
      if (status === 413) return 'too_large';
      if (status === 404 || status === 409 || status === 410) return 'unwanted';
      // A key that is just being renewed is as temporary as a busy server.
      if (!isPassing(status) && status !== 401 && status !== 403) return 'given_up';
      askedMs = retryAfterMs;
    } catch {
      // It is unknown whether the response arrived; the server accepts it once.
    }
    if (signal.aborted) return 'given_up';
    await pause(delayMs(attempt, redeliver, random, askedMs), signal);
    if (signal.aborted) return 'given_up';
  }
}
