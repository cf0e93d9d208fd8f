import { readFileSync, readlinkSync } from 'node:fs';

/** A thread that waits for so many times its limit is ended as well. */
const MAX_WAITING = 10;

/** The calling thread below `/proc`, for {@link ThreadClock}; undefined where the system has no such directory. */
export function ownTask(): string | undefined {
  try {
    return readlinkSync('/proc/thread-self');
  } catch {
    return undefined;
  }
}

/**
 * The time limit of a job of one thread. Only the time counts that the thread had a processor: on a busy machine a short
 * job may wait for seconds. Where the system does not say how long that was, all time counts.
 */
export class ThreadClock {
  readonly #limitMs: number;
  readonly #task: string | undefined;
  readonly #begunAt = performance.now();
  readonly #ranBefore: number | undefined;

  constructor(limitMs: number, task: string | undefined) {
    this.#limitMs = limitMs;
    this.#task = task;
    this.#ranBefore = ranMs(task);
  }

  /** The least time until the limit; 0 or less where it has passed. */
  leftMs(): number {
    const passed = performance.now() - this.#begunAt;
    const ran = ranMs(this.#task);
    const used = ran === undefined || this.#ranBefore === undefined ? passed : ran - this.#ranBefore;
    return Math.min(this.#limitMs - used, this.#limitMs * MAX_WAITING - passed);
  }
}

/** How long a thread has had a processor since its start: the first number of `schedstat`, in nanoseconds. */
function ranMs(task: string | undefined): number | undefined {
  if (task === undefined) return undefined;
  try {
    return Number(readFileSync(`/proc/${task}/schedstat`, 'latin1').split(' ')[0]) / 1e6;
  } catch {
    return undefined;
  }
}
