import { problem } from '../routes/route.ts';

/** How many runs may be under way. */
export interface SlotLimits {
  readonly ofUser: number;
  readonly ofServer: number;
  /** Runs of one user that may wait for a slot. */
  readonly waitingOfUser: number;
}

/** Grants runs their turn. */
export interface RunSlots {
  /** @throws Problem `busy` where so many runs of the user wait that `take` would refuse another */
  requireRoom(userId: string): void;
  /**
   * Waits for a slot. Users take turns: a user with many waiting runs delays another by at most one run.
   *
   * @returns gives the slot back; may be called again
   * @throws Problem `busy` where too many runs of the user wait; the signal's reason
   */
  take(userId: string, signal: AbortSignal): Promise<() => void>;
}

interface Waiting {
  readonly grant: () => void;
}

/** Slots for concurrent runs, fair between users. */
export function createRunSlots(limits: SlotLimits): RunSlots {
  const running = new Map<string, number>();
  /** In the order of their turn: a user who got a slot goes to the end. */
  const queues = new Map<string, Waiting[]>();
  let total = 0;
  const isFree = (userId: string) => total < limits.ofServer && (running.get(userId) ?? 0) < limits.ofUser;
  const count = (userId: string, change: 1 | -1) => {
    total += change;
    const now = (running.get(userId) ?? 0) + change;
    if (now === 0) running.delete(userId);
    else running.set(userId, now);
  };
  const grantNext = () => {
    for (const [userId, queue] of queues) {
      if (!isFree(userId)) continue;
      queues.delete(userId);
      const [next, ...rest] = queue;
      if (rest.length > 0) queues.set(userId, rest);
      count(userId, 1);
      next?.grant();
      return;
    }
  };
  const releaseOf = (userId: string) => {
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      count(userId, -1);
      grantNext();
    };
  };
  const requireRoom = (userId: string) => {
    const { length } = queues.get(userId) ?? [];
    if (length >= limits.waitingOfUser)
      throw problem('busy', `${length} of your runs wait already. Try again when some have ended.`, {
        'Retry-After': '5',
      });
  };
  return {
    requireRoom,
    async take(userId, signal) {
      signal.throwIfAborted();
      const queue = queues.get(userId) ?? [];
      if (queue.length === 0 && isFree(userId)) {
        count(userId, 1);
        return releaseOf(userId);
      }
      requireRoom(userId);
      await new Promise<void>((resolve, reject) => {
        const waiting: Waiting = {
          grant() {
            signal.removeEventListener('abort', leave);
            resolve();
          },
        };
        const leave = () => {
          const left = (queues.get(userId) ?? []).filter((one) => one !== waiting);
          if (left.length > 0) queues.set(userId, left);
          else queues.delete(userId);
          reject(signal.reason as Error);
        };
        queues.set(userId, [...queue, waiting]);
        signal.addEventListener('abort', leave, { once: true });
      });
      return releaseOf(userId);
    },
  };
}
