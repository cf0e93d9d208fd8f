import { FRAME_LIMITS } from '../frames.ts';
import { GatewayError } from './gateway-error.ts';

/** Burst limit per machine: two of the largest bodies. */
const CAPACITY_BYTES = 2 * FRAME_LIMITS.maxBodyBytes;
/** Refill rate: the largest body every 32 s. A tree of 10,000 entries is about 1.5 MB. */
const BYTES_PER_SECOND = 512 * 1024;
/** The minimum cost of an upload: 128 of them at once, then two a second. */
const LEAST_BYTES = 256 * 1024;

/** Counts one upload while it arrives. */
export interface UploadMeter {
  /**
   * Counts further bytes of the body; returns a refusal, `too_often`, if other uploads of the same user have used the
   * budget.
   */
  take(bytes: number): GatewayError | undefined;
}

/**
 * Limits how much each user's machine may upload, `init` and trees together, as a budget of bytes that refills with
 * time. Reading a large body delays all other requests for a moment, and a paired machine could otherwise send one
 * after another.
 */
export class UploadBudget {
  readonly #now: () => number;
  /** The remaining budget of recent uploaders. Below zero it is a debt. */
  readonly #left = new Map<string, { bytes: number; at: number }>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Users whose budget is not full. */
  get size(): number {
    return this.#left.size;
  }

  /** Begins an upload. @throws GatewayError `too_often`, with the time to retry */
  begin(userId: string): UploadMeter {
    const least = this.#leftOf(userId);
    if (least.bytes < LEAST_BYTES) throw tooOften(least.bytes);
    least.bytes -= LEAST_BYTES;
    let free = LEAST_BYTES;
    return {
      take: (bytes) => {
        const paid = Math.min(free, bytes);
        free -= paid;
        const left = this.#leftOf(userId);
        left.bytes -= bytes - paid;
        // A single upload may go into debt, since a large body could never be sent otherwise; several at once may not.
        return left.bytes < -FRAME_LIMITS.maxBodyBytes ? tooOften(left.bytes) : undefined;
      },
    };
  }

  /** Forgets users whose budget is full again. */
  sweep(): void {
    for (const userId of this.#left.keys()) if (this.#leftOf(userId).bytes >= CAPACITY_BYTES) this.#left.delete(userId);
  }

  #leftOf(userId: string): { bytes: number; at: number } {
    const now = this.#now();
    const left = this.#left.get(userId) ?? { bytes: CAPACITY_BYTES, at: now };
    const cameBack = (Math.max(0, now - left.at) / 1_000) * BYTES_PER_SECOND;
    left.bytes = Math.min(CAPACITY_BYTES, left.bytes + cameBack);
    left.at = now;
    this.#left.set(userId, left);
    return left;
  }
}

function tooOften(leftBytes: number): GatewayError {
  const seconds = Math.ceil((LEAST_BYTES - leftBytes) / BYTES_PER_SECOND);
  return new GatewayError(
    'too_often',
    `This machine sent too much in a short time. Try again in ${seconds} s`,
    seconds,
  );
}
