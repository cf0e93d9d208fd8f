import { TIMES } from '../frames.ts';
import { type Backoff, RECONNECT, REDELIVER } from './backoff.ts';

/** How long things take; tests shorten them. */
export interface LinkTiming {
  /** What the server pings at. Two and a half of them without a byte, and the connection is taken for dead. */
  readonly pingMs: number;
  readonly reconnect: Backoff;
  readonly redeliver: Backoff;
  readonly requestMs: number;
  /** A stream that lasted as long counts as a good one: waits begin from the least again. */
  readonly stableMs: number;
  readonly leaveMs: number;
  /** One try to give the word a server asked for; it waits for three of them. */
  readonly wordMs: number;
}

/** As long as it takes where nobody says otherwise. */
export const LINK_TIMING: LinkTiming = {
  pingMs: TIMES.pingMs,
  reconnect: RECONNECT,
  redeliver: REDELIVER,
  requestMs: 30_000,
  stableMs: 10_000,
  leaveMs: 3_000,
  wordMs: 3_000,
};
