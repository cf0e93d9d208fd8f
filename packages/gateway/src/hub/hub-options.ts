import type { IncomingMessage } from 'node:http';
import type { GatewayStatus } from '../frames.ts';
import type { GatewayStore } from './store.ts';

/** An event for an operator's log. Contains no key, no token and no URL with a query. */
export interface HubEvent {
  readonly event: 'connected' | 'disconnected' | 'refused' | 'failed' | 'called';
  readonly userId?: string;
  readonly path?: string;
  readonly status?: number;
  readonly code?: string;
  readonly tool?: string;
  readonly tookMs?: number;
  readonly ok?: boolean;
  /** With cause and stack, for the operator only. */
  readonly error?: unknown;
}

/** Receives events. Must not throw. */
export type LogEvent = (event: HubEvent) => void;

/** The options of a hub. */
export interface HubOptions {
  readonly store: GatewayStore;
  /** A key that needs no pairing, and the user whose machine it connects. */
  readonly staticKey?: { readonly key: string; readonly userId: string };
  /** Timeout of a call; default 30 s. */
  readonly callTimeoutMs?: number;
  /** Interval of pings; default 15 s. */
  readonly pingMs?: number;
  /** How long an unused session key stays valid; default 30 days. */
  readonly idleMs?: number;
  /** How long a machine whose stream broke still counts as connected; default 10 s. */
  readonly blipMs?: number;
  /** How long a machine without a stream is remembered; default 2 minutes. Then a client sends `init` again. */
  readonly graceMs?: number;
  /** How long a machine may be silent before a look at it sends a ping; default 30 s. */
  readonly silenceMs?: number;
  /** How long the answer to that ping may take before the stream is cut; default 10 s. */
  readonly answerMs?: number;
  /** Concurrent calls per machine; default 32. */
  readonly maxInFlight?: number;
  /** Queued calls per machine beyond those; default 256. More are refused. */
  readonly maxQueued?: number;
  /** Size limit of all cached trees together; default 256 MB. */
  readonly maxTreeBytes?: number;
  /**
   * Whether this hub learns about changes by other processes through `refresh`; while it does not, keys and switches
   * are read from the store. Default: always.
   */
  readonly isFresh?: () => boolean;
  readonly now?: () => number;
  /** The command and the server's address that the page shows with a pairing token; `request` is the page's. */
  readonly linkFor: (request: IncomingMessage, token: string) => { command: string; url: string };
  /** Called when a user's `status` changed. */
  readonly onChange?: (userId: string, status: GatewayStatus) => void;
  readonly log?: LogEvent;
}
