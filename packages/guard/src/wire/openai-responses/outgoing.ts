import type { Frame, MadeFrame, Piece } from '../../framing/framing.ts';
import type { JsonObject } from '../wire-json.ts';
import { made, noteEvents } from './notes.ts';

/** The state of one reply that the next one must continue. */
export interface Continued {
  /** The items that the client has, by their position in the output. */
  readonly shown: ReadonlyMap<number, JsonObject>;
  /** How many positions of the output are used. */
  readonly announced: number;
  /** The next sequence number; `undefined` if the events have none. */
  readonly next: number | undefined;
}

/**
 * The part of a streamed response that the client has received: its items with their positions, and the sequence
 * numbers.
 */
export class Outgoing {
  /** Whether upstream writes event names in addition to the data. */
  named = true;
  /** The number of the next event to send, once it differs from the original one. */
  next: number | undefined;
  readonly #before: readonly JsonObject[];
  readonly #offset: number;
  readonly #shown: Map<number, JsonObject>;
  #announced: number;

  constructor(continued?: Continued) {
    this.#shown = new Map(continued?.shown);
    this.#before = this.items();
    this.#offset = continued?.announced ?? 0;
    this.#announced = this.#offset;
    this.next = continued?.next;
  }

  /** How many positions are used, counted in the current reply. */
  get taken(): number {
    return this.#announced - this.#offset;
  }

  /** The current state, for a reply that continues it. */
  continued(next: number | undefined): Continued {
    return { shown: this.#shown, announced: this.#announced, next };
  }

  /** Every item that the client has, in order. */
  items(): JsonObject[] {
    return [...this.#shown].sort(([one], [other]) => one - other).map(([, item]) => item);
  }

  /** The items of the earlier replies, followed by these. */
  after(output: readonly unknown[]): unknown[] {
    return [...this.#before, ...output];
  }

  /** Records that an item is sent at a position of the current reply. */
  show(index: number, item: JsonObject): void {
    const at = index + this.#offset;
    this.#shown.set(at, item);
    this.#announced = Math.max(this.#announced, at + 1);
  }

  /** A complete created message at a position of the current reply. */
  note(index: number, item: JsonObject): MadeFrame[] {
    this.show(index, item);
    return noteEvents(item, index + this.#offset, this.named, () => this.#numbered());
  }

  /** A created event. */
  made(type: string, event: JsonObject): MadeFrame {
    return made({ type, ...event, ...this.#numbered() }, this.named);
  }

  /** A frame with its position in the output; the same object if nothing changes. */
  placed(frame: Frame, payload: JsonObject, changes: JsonObject): Piece {
    const edited: JsonObject = { ...payload, ...changes };
    let same = Object.keys(changes).length === 0;
    if (this.#offset > 0 && typeof edited.output_index === 'number') {
      edited.output_index += this.#offset;
      same = false;
    }
    if (typeof edited.sequence_number === 'number' && this.next !== undefined) {
      same &&= edited.sequence_number === this.next;
      edited.sequence_number = this.next++;
    }
    if (same) return frame;
    const data = JSON.stringify(edited);
    return frame.event === undefined ? { data } : { event: frame.event, data };
  }

  #numbered(): { readonly sequence_number?: number } {
    return this.next === undefined ? {} : { sequence_number: this.next++ };
  }
}
