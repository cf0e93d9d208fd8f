/**
 * How many bytes all replies together may keep: what is held of calls, what is recorded for asking again, and the requests
 * kept for it. An account and no allocator: whoever takes gives back.
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

  /** Nothing more should be begun: what is left is for the calls of replies that have begun. */
  get full(): boolean {
    return this.#used >= this.#limit * 0.875;
  }

  /** False, and nothing taken, when it does not fit. */
  take(bytes: number): boolean {
    if (this.#used + bytes > this.#limit) return false;
    this.#used += bytes;
    return true;
  }

  /** For what can be done without: from the first half only, so that it never takes the room a held call needs. */
  takeSpare(bytes: number): boolean {
    return this.#used + bytes <= this.#limit / 2 && this.take(bytes);
  }

  give(bytes: number): void {
    this.#used -= bytes;
  }
}
