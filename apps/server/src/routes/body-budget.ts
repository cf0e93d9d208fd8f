import type { IncomingMessage } from 'node:http';
import { subscriberOf, type TrustedProxies } from '../edge/addresses.ts';
import type { Caller } from '../identity.ts';
import { problem } from './route.ts';

/** Counts one body while it is read. */
export interface BodyMeter {
  /** Counts further bytes. @throws Problem `busy` with Retry-After */
  take(bytes: number): void;
  /** Call it when the body was read, or could not be. */
  close(): void;
}

/** Bounds the memory of bodies that are being read: slow ones stay there for minutes, as many as there are connections. */
export interface BodyBudget {
  /** Begins a body of this sender. Calls `cut` to end its request in favour of smaller bodies. */
  open(sender: string, cut?: () => void): BodyMeter;
}

/** Bounds of bodies by sender. */
export interface RequestBodies {
  /** Begins the body of a request: senders are users, or the addresses of requests without one. */
  open(request: IncomingMessage, caller: Caller | undefined): BodyMeter;
}

const MIB = 1024 * 1024;
/** Four of the largest bodies, which a tool takes. */
const OF_USERS = { ofOne: 64 * MIB, ofAll: 512 * MIB };
const OF_VISITORS = { ofOne: 8 * MIB, ofAll: 64 * MIB, free: 16 * 1024 };
const RETRY_S = 5;

/** In bytes. */
interface BodyBounds {
  readonly ofOne: number;
  readonly ofAll: number;
  readonly free?: number;
}

/**
 * The bounds of bodies that are being read. The first `free` bytes of a body do not count. Where all bodies together are too
 * large, the largest one is cut: connections whose bodies do not end keep no small body out.
 */
export function createBodyBudget({ ofOne, ofAll, free = 0 }: BodyBounds): BodyBudget {
  const open = new Set<{ readonly sender: string; counted: number; isCut: boolean; readonly cut: () => void }>();
  const held = new Map<string, number>();
  let all = 0;
  const add = (sender: string, bytes: number) => {
    all += bytes;
    const own = (held.get(sender) ?? 0) + bytes;
    if (own === 0) held.delete(sender);
    else held.set(sender, own);
    return own;
  };
  return {
    open(sender, cut = () => {}) {
      const body = { sender, counted: 0, isCut: false, cut };
      let bytes = 0;
      const close = () => {
        open.delete(body);
        add(sender, -body.counted);
        body.counted = 0;
      };
      return {
        take(more) {
          if (body.isCut) throw tooMuch();
          open.add(body);
          bytes += more;
          const counted = Math.max(0, bytes - free);
          const own = add(sender, counted - body.counted);
          body.counted = counted;
          if (own > ofOne) throw tooMuch();
          while (all > ofAll) {
            const largest = [...open].reduce((one, other) => (other.counted > one.counted ? other : one));
            largest.isCut = true;
            open.delete(largest);
            add(largest.sender, -largest.counted);
            largest.counted = 0;
            if (largest === body) throw tooMuch();
            largest.cut();
          }
        },
        close,
      };
    },
  };
}

const tooMuch = () =>
  problem('busy', `Too much is being sent at once. Try again in ${RETRY_S} s.`, { 'Retry-After': String(RETRY_S) });

/** The bounds of one process. Visitors have their own, so that they keep no users out. */
export function createRequestBodies(proxies: TrustedProxies): RequestBodies {
  const users = createBodyBudget(OF_USERS);
  const visitors = createBodyBudget(OF_VISITORS);
  return {
    open(request, caller) {
      const cut = () => void request.destroy();
      if (caller !== undefined) return users.open(caller.userId, cut);
      return visitors.open(subscriberOf(proxies.originOf(request).address), cut);
    },
  };
}
