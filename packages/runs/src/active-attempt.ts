import type { Attempt } from './engine.ts';

/** Why a worker stops an attempt. Only `cancelled` ends the run. */
export type StopReason = 'cancelled' | 'lost' | 'moved' | 'waiting' | 'needs_attention';

/** An attempt under way in this process. */
export class ActiveAttempt {
  readonly attempt: Attempt;
  readonly #stop = new AbortController();
  reason: StopReason | undefined;
  /** The step that waits for a person's decision. */
  undecided: string | undefined;

  constructor(attempt: Attempt) {
    this.attempt = attempt;
  }

  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  /** The first reason counts. */
  stop(reason: StopReason): void {
    this.reason ??= reason;
    this.#stop.abort();
  }
}
