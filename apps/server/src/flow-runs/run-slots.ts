import { problem } from '../routes/route.ts';

/** How many runs may be under way. */
export interface SlotLimits {
  readonly ofUser: number;
  readonly ofServer: number;
  /** Runs of one user that may wait for a slot. */
  readonly waitingOfUser: number;
  /** Bytes of the flows of runs that wait: in memory, a flow takes up to twenty times as many. */
  readonly waitingBytes: { readonly ofUser: number; readonly ofServer: number };
}

/** Grants runs their turn. */
export interface RunSlots {
  /** @throws Problem `busy` where `take` would refuse another run of these bytes */
  requireRoom(userId: string, bytes: number): void;
  /**
   * Waits for a slot. Users take turns: a user with many waiting runs delays another by at most one run.
   *
   * @returns gives the slot back; may be called again
   * @param bytes the size of the flow
   * @throws Problem `busy` where too many or too large runs wait; the signal's reason
   */
  take(userId: string, bytes: number, signal: AbortSignal): Promise<() => void>;
}

interface Waiting {
  readonly bytes: number;
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
  const bytesOf = (queue: readonly Waiting[]) => queue.reduce((sum, { bytes }) => sum + bytes, 0);
  const startsAtOnce = (userId: string) => !queues.has(userId) && isFree(userId);
  const requireRoom = (userId: string, bytes: number) => {
    if (startsAtOnce(userId)) return;
    const queue = queues.get(userId) ?? [];
    const all = [...queues.values()].reduce((sum, each) => sum + bytesOf(each), bytes);
    const { ofUser, ofServer } = limits.waitingBytes;
    const soon = { 'Retry-After': '5' };
    if (queue.length >= limits.waitingOfUser || bytesOf(queue) + bytes > ofUser)
      throw problem('busy', `${queue.length} of your runs wait already. Try again when some have ended.`, soon);
    if (all > ofServer)
      throw problem('busy', 'Too many runs of all users wait already. Try again when some have ended.', soon);
  };
  return {
    requireRoom,
    async take(userId, bytes, signal) {
      signal.throwIfAborted();
      if (startsAtOnce(userId)) {
        count(userId, 1);
        return releaseOf(userId);
      }
      requireRoom(userId, bytes);
      const queue = queues.get(userId) ?? [];
      await new Promise<void>((resolve, reject) => {
        const waiting: Waiting = {
          bytes,
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
