import { subscriberOf } from '../edge/addresses.ts';
import { problem } from '../routes/route.ts';
import { createWindowLimit } from './window-limit.ts';

/** Bounds of what anyone may send to webhooks of this process. */
export interface HookLimits {
  /**
   * Call it before reading a request, for known and unknown webhooks alike, and the function it returns after.
   *
   * @throws Problem `busy` with Retry-After
   */
  begin(address: string): () => void;
  /** Call it for a request with the secret. @throws Problem `busy` with Retry-After */
  accept(webhookId: string): void;
}

const MINUTE_MS = 60_000;
/** All senders behind a proxy that is not trusted have one address. */
const OF_ADDRESS = 1_200;
const OF_WEBHOOK = 600;
/** Bodies that are being read: each holds up to its largest size in memory. */
const READING = { ofAddress: 16, ofServer: 64 };

/** Counts in memory: a server with several processes allows as much in each. */
export function createHookLimits(now: () => number = Date.now): HookLimits {
  const ofAddress = createWindowLimit(OF_ADDRESS, MINUTE_MS, now);
  const ofWebhook = createWindowLimit(OF_WEBHOOK, MINUTE_MS, now);
  const reading = new Map<string, number>();
  let all = 0;
  const refuseAfter = (waitMs: number) => {
    if (waitMs > 0) throw busy(Math.ceil(waitMs / 1_000));
  };
  return {
    begin(address) {
      const subscriber = subscriberOf(address);
      refuseAfter(ofAddress.take(subscriber));
      const own = reading.get(subscriber) ?? 0;
      if (own >= READING.ofAddress || all >= READING.ofServer) throw busy(1);
      reading.set(subscriber, own + 1);
      all++;
      return () => {
        all--;
        const left = (reading.get(subscriber) ?? 1) - 1;
        if (left === 0) reading.delete(subscriber);
        else reading.set(subscriber, left);
      };
    },
    accept: (webhookId) => refuseAfter(ofWebhook.take(webhookId)),
  };
}

const busy = (seconds: number) =>
  problem('busy', `Too many requests. Try again in ${seconds} s.`, { 'Retry-After': String(seconds) });
