import type { Frame, Framing } from '../framing/framing.ts';
import type { HeldBudget } from './held-budget.ts';

/** The bytes of a reply that were sent to the client, kept while a retry is still possible. */
export class ReplyRecord {
  readonly #budget: HeldBudget;
  readonly #limit: number;
  #chunks: Buffer[] | undefined;
  #bytes = 0;

  /** `limit`: the most bytes to record; 0 if no retry is possible. */
  constructor(budget: HeldBudget, limit: number) {
    this.#budget = budget;
    this.#limit = limit;
    this.#chunks = limit > 0 ? [] : undefined;
  }

  /** Whether the record is complete, so that the model can be asked again. */
  get isComplete(): boolean {
    return this.#chunks !== undefined;
  }

  frames(framing: Framing): Frame[] {
    return this.#chunks ? framing.split(Buffer.concat(this.#chunks)) : [];
  }

  /** Records bytes that were sent. Stops recording when the record grows too large. */
  add(bytes: Buffer): void {
    if (!this.#chunks) return;
    if (this.#bytes + bytes.length > this.#limit || !this.#budget.takeSpare(bytes.length)) return this.forget();
    this.#chunks.push(bytes);
    this.#bytes += bytes.length;
  }

  forget(): void {
    this.#budget.give(this.#bytes);
    this.#chunks = undefined;
    this.#bytes = 0;
  }

  /** Forgets the reply and records the next one. */
  restart(): void {
    this.forget();
    this.#chunks = [];
  }
}
