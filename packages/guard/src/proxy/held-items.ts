import type { Frame, Framing } from '../framing/framing.ts';
import type { HeldBudget } from './held-budget.ts';

/** The approximate memory cost of a held frame besides its bytes. */
const FRAME_OVERHEAD = 256;

/** A frame, or a run of frames that passed unread (`Framing.next`). */
export type Item = Frame | Buffer;

/** The part of a reply that waits for a verdict. Its bytes count against the budget. */
export class HeldItems {
  readonly #budget: HeldBudget;
  #items: Item[] = [];
  #bytes = 0;

  constructor(budget: HeldBudget) {
    this.#budget = budget;
  }

  get isEmpty(): boolean {
    return this.#items.length === 0;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get items(): readonly Item[] {
    return this.#items;
  }

  /** Adds an item. Returns false if the budget has no room for it; the item is held all the same. */
  add(item: Item): boolean {
    const cost = bytesOf(item).length + FRAME_OVERHEAD;
    this.#items.push(item);
    if (!this.#budget.take(cost)) return false;
    this.#bytes += cost;
    return true;
  }

  /** All held frames, those of runs too. */
  frames(framing: Framing): Frame[] {
    return this.#items.flatMap((item) => (isRun(item) ? framing.split(item) : [item]));
  }

  clear(): void {
    this.#budget.give(this.#bytes);
    this.#items = [];
    this.#bytes = 0;
  }
}

export function isFrame(item: Item): item is Frame {
  return !isRun(item);
}

export function bytesOf(item: Item): Buffer {
  return isRun(item) ? item : item.raw;
}

export function isRun(item: Item): item is Buffer {
  return Buffer.isBuffer(item);
}
