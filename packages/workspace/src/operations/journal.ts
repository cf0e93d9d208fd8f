import type { Change } from './change.ts';

/**
 * Records the changes of one call before they are made, so that a process that is killed in between leaves no change
 * without a record.
 */
export interface ChangeJournal {
  /**
   * All changes of the call: those that are made, and those about to be made. Replaces an earlier list.
   *
   * @throws WorkspaceError `io` if they cannot be recorded: the new ones must not be made
   */
  intend(changes: readonly Change[]): void;
  /** The listed changes are made; a later `withdraw` does not count. */
  done(): void;
  /** None of the listed changes was made, or all were put back. */
  withdraw(): void;
}

/**
 * Runs the act that makes a change, with the change on record. An act that throws has made nothing.
 *
 * @param changes all changes of the call, with the ones it has made
 */
export function recorded<T>(
  { journal }: { readonly journal?: ChangeJournal | undefined },
  changes: readonly Change[],
  act: () => T,
): T {
  if (!journal) return act();
  journal.intend(changes);
  try {
    const done = act();
    journal.done();
    return done;
  } catch (error) {
    journal.withdraw();
    throw error;
  }
}
