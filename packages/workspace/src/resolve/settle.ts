import { lstatSync, type Stats } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { WorkspaceError } from '../errors.ts';

/** How long a call keeps looking again while something on its path is being exchanged. */
const RETRY_MS = 5;
/** A link whose inode changed this recently may be half of an exchange in progress. */
const RECENT_MS = 20;
/** Looking again at once costs least while the other side runs; after this long it may be waiting for this processor. */
const SPIN_MS = 1;
const NAP_MS = 0.1;
const nap = new Int32Array(new SharedArrayBuffer(4));

/**
 * An internal signal: a component was caught changing, so one more look may find the real directory. It carries the
 * refusal to give if none does, and never reaches a caller.
 */
export class Unsettled extends Error {
  readonly refusal: WorkspaceError;

  constructor(refusal: WorkspaceError) {
    super('a component is changing');
    this.refusal = refusal;
  }

  /** The refusal itself for a link that has not changed recently, so that a stable outside link is refused at once. */
  static ifChanging(link: Stats, refusal: WorkspaceError): Error {
    return isChanging(link) ? new Unsettled(refusal) : refusal;
  }
}

/** Whether a link came to its place so recently that it may be gone again in a moment. */
export function isChanging(link: Stats): boolean {
  return Math.abs(Date.now() - link.ctimeMs) < RECENT_MS;
}

/** Counts the time that attempts may take from the first one that did not settle. */
function patience(): (error: unknown) => boolean {
  let giveUpAt = 0;
  return (error) => {
    if (!(error instanceof Unsettled)) throw error;
    const now = performance.now();
    giveUpAt ||= now + RETRY_MS;
    if (now >= giveUpAt) throw error.refusal;
    return now >= giveUpAt - RETRY_MS + SPIN_MS;
  };
}

/**
 * Runs `attempt` until it settles. Under an attacker that flips a directory with a link, a call is served from the
 * real directory instead of failing half the time; without one, nothing is ever repeated.
 */
export function settle<T>(attempt: () => T): T {
  const mayNap = patience();
  for (;;) {
    try {
      return attempt();
    } catch (error) {
      if (mayNap(error)) Atomics.wait(nap, 0, 0, NAP_MS);
    }
  }
}

/** {@link settle} for an attempt that waits. */
export async function settleLater<T>(attempt: () => Promise<T>): Promise<T> {
  const mayNap = patience();
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (mayNap(error)) await nextTurn();
    }
  }
}

/**
 * Takes a name that must be free. A link that appears and disappears there is an exchange in progress, so taking the
 * name is retried between two of its states. For anything else at the name, or a stable link, throws `refusal`.
 *
 * @param at the name, for checking its entry
 * @param take tries once; `false` if the name is in use
 */
export function takeFreeName(at: string, take: () => boolean, refusal: WorkspaceError): void {
  settle(() => {
    if (take()) return;
    const now = lstatSync(at, { throwIfNoEntry: false });
    if (!now) throw new Unsettled(refusal);
    throw now.isSymbolicLink() ? Unsettled.ifChanging(now, refusal) : refusal;
  });
}
