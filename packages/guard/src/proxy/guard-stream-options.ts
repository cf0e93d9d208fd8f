import type { SeenCall, Verdict, Wire } from '../wire/wire.ts';
import type { Framing } from '../framing/framing.ts';
import type { HeldBudget } from './held-budget.ts';

/** The dependencies of a guarded stream. */
export interface GuardStreamOptions {
  readonly wire: Wire;
  readonly framing: Framing;
  /** Receives bytes for the client. */
  readonly out: (bytes: Buffer) => void;
  /** Returns a verdict for each call. Must not throw. */
  readonly judge: (calls: readonly SeenCall[]) => readonly Verdict[];
  /** Returns the verdict on a call whose held bytes exceed a limit. */
  readonly tooLarge: () => Verdict;
  readonly budget: HeldBudget;
  readonly maxHeld: number;
  /** How much of a reply is recorded for a retry; 0 if no retry is possible. */
  readonly maxRecorded: number;
  /** If false (dry-run), a reply passes where it would otherwise be ended. */
  readonly enforce: boolean;
}

/**
 * - `open`: ready for more input.
 * - `asking`: every call of the reply was blocked and the reply is recorded completely. Ask the model again (`splice`),
 *   or `refuse`.
 * - `over`: the reply has ended, whatever upstream still sends.
 */
export type StreamState = 'open' | 'asking' | 'over';
