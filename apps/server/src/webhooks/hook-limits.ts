import { subscriberOf } from '../edge/addresses.ts';
import { problem } from '../routes/route.ts';
import { createWindowLimit } from './window-limit.ts';

/** A body that is being read. */
export interface HookReading {
  /** Aborts when a sender of another address needs the place: end the request. */
  readonly cut: AbortSignal;
  /** Call it when the body was read, or could not be. */
  done(): void;
}

/** Bounds of what anyone may send to webhooks of this process. */
export interface HookLimits {
  /**
   * Call it before reading a request, for known and unknown webhooks alike.
   *
   * @throws Problem `busy` with Retry-After
   */
  begin(address: string): HookReading;
  /** Call it for a request with the secret. @throws Problem `busy` with Retry-After */
  accept(webhookId: string): void;
}

const MINUTE_MS = 60_000;
/** All senders behind a proxy that is not trusted have one address. */
const OF_ADDRESS = 1_200;
const OF_WEBHOOK = 600;
/**
 * Bodies that are being read: each holds up to its largest size in memory. Where the server reads no more, an address that
 * sends fewer takes the place of the oldest body of the address that sends most: slow senders keep no others out.
 */
const READING = { ofAddress: 16, ofServer: 64 };

/** Counts in memory: a server with several processes allows as much in each. */
export function createHookLimits(now: () => number = Date.now): HookLimits {
  const ofAddress = createWindowLimit(OF_ADDRESS, MINUTE_MS, now);
  const ofWebhook = createWindowLimit(OF_WEBHOOK, MINUTE_MS, now);
  const reading = new Map<string, Set<() => void>>();
  let all = 0;
  const refuseAfter = (waitMs: number) => {
    if (waitMs > 0) throw busy(Math.ceil(waitMs / 1_000));
  };
  return {
    begin(address) {
      const subscriber = subscriberOf(address);
      refuseAfter(ofAddress.take(subscriber));
      const own = reading.get(subscriber) ?? new Set();
      if (own.size >= READING.ofAddress) throw busy(1);
      if (all >= READING.ofServer) {
        const largest = [...reading.values()].reduce((most, each) => (each.size > most.size ? each : most));
        const [oldest] = largest;
        if (oldest === undefined || largest.size <= own.size + 1) throw busy(1);
        oldest();
      }
      const stop = new AbortController();
      const done = () => {
        if (!own.delete(cut)) return;
        all--;
        if (own.size === 0 && reading.get(subscriber) === own) reading.delete(subscriber);
      };
      const cut = () => {
        done();
        stop.abort();
      };
      own.add(cut);
      reading.set(subscriber, own);
      all++;
      return { cut: stop.signal, done };
    },
    accept: (webhookId) => refuseAfter(ofWebhook.take(webhookId)),
  };
}

const busy = (seconds: number) =>
  problem('busy', `Too many requests. Try again in ${seconds} s.`, { 'Retry-After': String(seconds) });
