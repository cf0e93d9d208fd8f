import { FRAME_LIMITS } from '../frames.ts';
import { GatewayError } from './gateway-error.ts';

/** What a machine may upload at once: two of the largest bodies. */
const CAPACITY_BYTES = 2 * FRAME_LIMITS.maxBodyBytes;
/** What it gets back a second: the largest body every 32 s. A tree of 10,000 entries is some 1.5 MB. */
const BYTES_PER_SECOND = 512 * 1024;
/** What the smallest upload counts as: 128 of them at once, then two a second. */
const LEAST_BYTES = 256 * 1024;

/** Counts one upload while it comes in. */
export interface UploadMeter {
  /** So many bytes more of its body; gives a refusal, `too_often`, where others of the same user took all there was. */
  take(bytes: number): GatewayError | undefined;
}

/**
 * How much each user's machine may upload, `init` and trees together: bytes that come back with time. Reading a large body
 * keeps everybody else waiting for a moment, and a machine that is paired could otherwise send one after another.
 */
export class UploadBudget {
  readonly #now: () => number;
  /** What is left, of those who took something lately. Below zero it is a debt. */
  readonly #left = new Map<string, { bytes: number; at: number }>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Users whose budget is not full. */
  get size(): number {
    return this.#left.size;
  }

  /** Begins an upload. @throws GatewayError `too_often`, with when to come back */
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
        // One may run into debt, or a large body could never be sent; many at once may not.
        return left.bytes < -FRAME_LIMITS.maxBodyBytes ? tooOften(left.bytes) : undefined;
      },
    };
  }

  /** Forgets those who have it all back. */
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
