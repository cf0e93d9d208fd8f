import type { IncomingMessage } from 'node:http';
import type { GatewayStatus } from '../frames.ts';
import type { GatewayStore } from './store.ts';

/** What happened, for an operator's log. Holds no key, no token and no address with a query. */
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

/** Is told what happens; must not throw. */
export type LogEvent = (event: HubEvent) => void;

/** What a server says to its hub, once. */
export interface HubOptions {
  readonly store: GatewayStore;
  /** A key that needs no pairing, and whose machine it connects. */
  readonly staticKey?: { readonly key: string; readonly userId: string };
  /** How long a call may take; 30 s. */
  readonly callTimeoutMs?: number;
  /** 15 s. */
  readonly pingMs?: number;
  /** A session key unused for this long is no longer good; 30 days. */
  readonly idleMs?: number;
  /** How long a machine whose stream broke still counts as connected; 10 s. */
  readonly blipMs?: number;
  /** How long a machine without a stream is remembered; 2 minutes. After it a client says `init` again. */
  readonly graceMs?: number;
  /** How long a machine may have been silent before it is asked for a word when somebody looks at it; 30 s. */
  readonly silenceMs?: number;
  /** How long a machine that is asked for a word may take before its stream is cut; 10 s. */
  readonly answerMs?: number;
  /** Calls one machine is asked at once; 32. */
  readonly maxInFlight?: number;
  /** Calls that wait beyond those, per machine; 256. More are refused. */
  readonly maxQueued?: number;
  /** Of all cached trees together; 256 MB. */
  readonly maxTreeBytes?: number;
  /**
   * Whether changes that other processes make to the store arrive here by `refresh`; while they do not, keys and switches
   * ask the store. Always, unless given.
   */
  readonly isFresh?: () => boolean;
  readonly now?: () => number;
  /** The command and the server's address that the page shows with a pairing token; `request` is the page's. */
  readonly linkFor: (request: IncomingMessage, token: string) => { command: string; url: string };
  /** Told when what `status` says of a user changed. */
  readonly onChange?: (userId: string, status: GatewayStatus) => void;
  readonly log?: LogEvent;
}
