import type { Stats } from 'node:fs';
import type { WorkspaceError } from '../errors.ts';

/** How long a call keeps looking again while something on its path is being exchanged. */
const RETRY_MS = 5;
/** A link whose inode changed this recently may be half of an exchange in progress. */
const RECENT_MS = 20;

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

  /** The refusal itself for a link that has stood still, so that a stable outside link is refused at once. */
  static ifChanging(link: Stats, refusal: WorkspaceError): Error {
    return Math.abs(Date.now() - link.ctimeMs) < RECENT_MS ? new Unsettled(refusal) : refusal;
  }
}

/**
 * Runs `attempt` until it settles. Under an attacker that flips a directory with a link, a call is served from the
 * real directory instead of failing half the time; without one, nothing is ever repeated.
 */
export function settle<T>(attempt: () => T): T {
  let giveUpAt = 0;
  for (;;) {
    try {
      return attempt();
    } catch (error) {
      if (!(error instanceof Unsettled)) throw error;
      const now = performance.now();
      giveUpAt ||= now + RETRY_MS;
      if (now >= giveUpAt) throw error.refusal;
    }
  }
}
