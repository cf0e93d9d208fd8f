/**
 * Limits how many bytes all replies together may keep: held calls, records for retries, and the requests for them. It
 * only counts: a caller that takes bytes must give them back.
 */
export class HeldBudget {
  readonly #limit: number;
  #used = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get used(): number {
    return this.#used;
  }

  /** Whether to refuse new work: the rest is reserved for calls of replies in progress. */
  get full(): boolean {
    return this.#used >= this.#limit * 0.875;
  }

  /** Takes bytes. Returns false, and takes none, if they do not fit. */
  take(bytes: number): boolean {
    if (this.#used + bytes > this.#limit) return false;
    this.#used += bytes;
    return true;
  }

  /** Takes bytes for optional data: only from the first half, so that held calls always have room. */
  takeSpare(bytes: number): boolean {
    return this.#used + bytes <= this.#limit / 2 && this.take(bytes);
  }

  give(bytes: number): void {
    this.#used -= bytes;
  }
}
