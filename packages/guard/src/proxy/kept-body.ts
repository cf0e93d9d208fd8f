import type { IncomingMessage } from 'node:http';
import type { HeldBudget } from './held-budget.ts';

/** The body of a request, kept for a further request while it fits in the limit and the budget. */
export class KeptBody {
  readonly #req: IncomingMessage;
  readonly #maxBytes: number;
  readonly #budget: HeldBudget;
  #chunks: Buffer[] | undefined = [];
  #size = 0;

  constructor(req: IncomingMessage, maxBytes: number, budget: HeldBudget) {
    this.#req = req;
    this.#maxBytes = maxBytes;
    this.#budget = budget;
  }

  /** False after {@link forget}, or after a chunk that did not fit. */
  get isKept(): boolean {
    return this.#chunks !== undefined;
  }

  /** The complete body; undefined before its end, or if it is not kept. */
  bytes(): Buffer | undefined {
    if (!this.#chunks || !this.#req.complete) return undefined;
    const [first, ...more] = this.#chunks;
    return first && more.length === 0 ? first : Buffer.concat(this.#chunks);
  }

  add(chunk: Buffer): void {
    if (!this.#chunks) return;
    if (this.#size + chunk.length > this.#maxBytes || !this.#budget.takeSpare(chunk.length)) return this.forget();
    this.#chunks.push(chunk);
    this.#size += chunk.length;
  }

  /** Keeps another body instead. */
  replace(body: Buffer): void {
    this.forget();
    this.#chunks = [];
    this.add(body);
  }

  forget(): void {
    this.#budget.give(this.#size);
    this.#size = 0;
    this.#chunks = undefined;
  }
}
