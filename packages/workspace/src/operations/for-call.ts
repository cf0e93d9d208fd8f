import type { Enclosure } from '../enclosure.ts';
import type { ChangeJournal } from './journal.ts';

/** Options of a call that changes something. */
export interface CallOptions {
  /** Where the call records its changes before it makes them. */
  readonly journal?: ChangeJournal | undefined;
  /** Lose also what the trash cannot keep: a person agreed. */
  readonly permanent?: boolean | undefined;
}

/** The enclosure as one call uses it. */
export function forCall(enclosure: Enclosure, { journal, permanent }: CallOptions): Enclosure {
  if (!journal && !permanent) return enclosure;
  return { ...enclosure, ...(journal && { journal }), ...(permanent && { permanent }) };
}
