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
  /** Begins a body of this sender. */
  open(sender: string): BodyMeter;
}

/** Bounds of bodies by sender. */
export interface RequestBodies {
  /** Begins the body of a request: senders are users, or the addresses of requests without one. */
  open(request: IncomingMessage, caller: Caller | undefined): BodyMeter;
}

const MIB = 1024 * 1024;
/** Four of the largest bodies, which a tool takes. */
const OF_USERS = { ofOne: 64 * MIB, ofAll: 512 * MIB };
const OF_VISITORS = { ofOne: 8 * MIB, ofAll: 64 * MIB };
const RETRY_S = 5;

export function createBodyBudget({ ofOne, ofAll }: { readonly ofOne: number; readonly ofAll: number }): BodyBudget {
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
    open(sender) {
      let bytes = 0;
      return {
        take(more) {
          bytes += more;
          if (add(sender, more) > ofOne || all > ofAll)
            throw problem('busy', `Too much is being sent at once. Try again in ${RETRY_S} s.`, {
              'Retry-After': String(RETRY_S),
            });
        },
        close() {
          add(sender, -bytes);
          bytes = 0;
        },
      };
    },
  };
}

/** The bounds of one process. Visitors have their own, so that they keep no users out. */
export function createRequestBodies(proxies: TrustedProxies): RequestBodies {
  const users = createBodyBudget(OF_USERS);
  const visitors = createBodyBudget(OF_VISITORS);
  return {
    open: (request, caller) =>
      caller === undefined ? visitors.open(subscriberOf(proxies.originOf(request).address)) : users.open(caller.userId),
  };
}
