import type { Outcome } from './events.ts';

/** The results of the calls of a turn. */
export interface CallResults {
  /** Calls that did something for the user. */
  readonly done: number;
  /** The last call failed, or the user did not allow it. */
  readonly endsInFailure: boolean;
}

/** How much of a message was carried out, computed from calls. The text of the reply counts for nothing. */
export function outcomeOf(
  { done, endsInFailure }: CallResults,
  turn: {
    /** Parts of the message that no call carries out. */
    readonly leftOut: readonly string[];
    /** A limit ended the turn. */
    readonly isStopped: boolean;
    readonly isOffline: boolean;
  },
): Outcome {
  // A model may answer without the call that failed; the rules of croft/offline end with it.
  const isWhole = turn.leftOut.length === 0 && !turn.isStopped && !(turn.isOffline && endsInFailure);
  if (isWhole) return 'done';
  return done > 0 ? 'partly_done' : 'not_done';
}
