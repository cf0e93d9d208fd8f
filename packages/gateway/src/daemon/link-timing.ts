import { TIMES } from '../frames.ts';
import { type Backoff, RECONNECT, REDELIVER } from './backoff.ts';

/** Durations, in milliseconds; tests shorten them. */
export interface LinkTiming {
  /** The server's ping interval. After two and a half intervals without a byte the connection counts as dead. */
  readonly pingMs: number;
  readonly reconnect: Backoff;
  readonly redeliver: Backoff;
  readonly requestMs: number;
  /** A stream that lasted this long counts as stable: backoff starts again from the minimum. */
  readonly stableMs: number;
  readonly leaveMs: number;
  /** Timeout of one attempt to answer a ping; the server waits for three of them. */
  readonly wordMs: number;
}

/** The default timing. */
export const LINK_TIMING: LinkTiming = {
  pingMs: TIMES.pingMs,
  reconnect: RECONNECT,
  redeliver: REDELIVER,
  requestMs: 30_000,
  stableMs: 10_000,
  leaveMs: 3_000,
  wordMs: 3_000,
};
