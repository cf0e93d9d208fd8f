import { lstatSync } from 'node:fs';
import { WorkspaceError } from '../errors.ts';
import { busy, withLock } from '../resolve/lock.ts';
import { sameFile } from '../resolve/dir.ts';
import type { Located } from '../resolve/locate.ts';
import type { Root } from '../resolve/root.ts';
import { versionOf } from '../text/version.ts';

/** How long a call repeats its work because the place changed in between. */
const RETRY_MS = 2_000;
/** From this round on the place is locked while the content is made, so that the call has its turn. */
const HOLD_FROM = 4;

/**
 * An internal signal: the entry at a name is not the one that a call's content was made for. Nothing was changed. It
 * never reaches a caller.
 */
export class Outdated extends Error {}

/**
 * Runs `attempt` until it meets the place as it looked at it. Every failed round means that another change was made
 * there, so that some call always gets on.
 *
 * @param attempt `hold` asks it to lock the place before it looks
 * @throws WorkspaceError `busy` after 2 s
 */
export function untilCurrent<T>(attempt: (hold: boolean) => T): T {
  const giveUpAt = performance.now() + RETRY_MS;
  for (let round = 1; ; round++) {
    try {
      return attempt(round >= HOLD_FROM);
    } catch (error) {
      if (!(error instanceof Outdated)) throw error;
      if (performance.now() >= giveUpAt) throw busy();
    }
  }
}

/** Runs `act` on a place; with `hold` under its lock, as it is then. */
export function maybeHeld<T>(root: Root, found: Located, hold: boolean, act: (found: Located) => T): T {
  if (!hold) {
    try {
      return act(found);
    } catch (error) {
      // A process with another base directory is replacing the file: its trash has a second name of it for that time.
      if (error instanceof WorkspaceError && error.code === 'hard_linked') throw new Outdated();
      throw error;
    }
  }
  return withLock(root, [found], () => {
    const stat = lookAgain(found);
    // Followed or refused by the next round.
    if (stat?.isSymbolicLink()) throw new Outdated();
    return act({ ...found, stat, isLocked: true });
  });
}

/** The entry at the name now. */
export function lookAgain(found: Located): Located['stat'] {
  found.dir.verify();
  return lstatSync(found.at, { throwIfNoEntry: false });
}

/** Whether the located entry is still there, unchanged. */
export function isCurrent({ native }: Root, found: Located): boolean {
  found.dir.verify();
  if (native && found.stat && native.isStill(found.dir.fd, found.name, found.stat)) return true;
  return isUnchanged(lookAgain(found), found.stat);
}

/** Whether two looks at a name saw the same object with the same content. A directory's content does not count. */
export function isUnchanged(now: Located['stat'], before: Located['stat']): boolean {
  if (!now || !before) return now === before;
  return sameFile(now, before) && (now.isDirectory() ? before.isDirectory() : versionOf(now) === versionOf(before));
}
