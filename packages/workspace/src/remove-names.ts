import { rmdir, unlink } from 'node:fs/promises';
import { errnoOf } from './errors.ts';

/** Removals under way at once in this process. Other calls need the four threads that run them as well. */
const MAX_AT_ONCE = 2;

/**
 * Removes names in libuv's threads. A disk may free the blocks of a file within the call that removes its last name (ext4
 * without a journal, mounted with `discard`): on the event loop each file would hold other calls for a write to the disk.
 */
export interface NameRemovals {
  /** Names that are gone so far. */
  readonly removed: number;
  /** Resolves when the removal of a name that is not a directory's has begun. Throws the failure of an earlier one. */
  unlink(at: string | Buffer): Promise<void>;
  /** Removes an empty directory; one that is gone or was filled again is left. Throws Node's errors. */
  rmdir(at: string | Buffer): Promise<void>;
  /**
   * Resolves when no removal is under way. Await it before the descriptor through which the names are given is closed:
   * afterwards its number may be another directory's. Does not throw.
   */
  settled(): Promise<void>;
  /** Throws the first failure of an unlink. */
  check(): void;
}

export function createNameRemovals(): NameRemovals {
  const underway = new Set<Promise<void>>();
  let removed = 0;
  let failure: unknown;
  const check = () => {
    if (failure !== undefined) throw failure;
  };
  const remove = async (act: () => Promise<void>) => {
    try {
      await act();
      removed++;
    } catch (error) {
      const errno = errnoOf(error);
      if (errno !== 'ENOENT' && errno !== 'ENOTEMPTY') throw error;
    } finally {
      endTurn();
    }
  };
  return {
    get removed() {
      return removed;
    },
    async unlink(at) {
      check();
      await takeTurn();
      const removal = remove(() => unlink(at))
        .catch((error: unknown) => void (failure ??= error))
        .finally(() => underway.delete(removal));
      underway.add(removal);
    },
    async rmdir(at) {
      await takeTurn();
      await remove(() => rmdir(at));
    },
    async settled() {
      await Promise.all(underway);
    },
    check,
  };
}

let running = 0;
const waiting: (() => void)[] = [];

async function takeTurn(): Promise<void> {
  if (running < MAX_AT_ONCE) running++;
  else await new Promise<void>((resolve) => waiting.push(resolve));
}

/** The turn goes to the first that waits. */
function endTurn(): void {
  const next = waiting.shift();
  if (next) next();
  else running--;
}
