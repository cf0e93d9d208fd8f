import type { Frame, MadeFrame, Piece } from '../../proxy/framing.ts';
import type { JsonObject } from '../wire-json.ts';
import { made, noteEvents } from './notes.ts';

/** What of one answer the next one has to follow on. */
export interface Continued {
  /** The items the client has, by their place in the output. */
  readonly shown: ReadonlyMap<number, JsonObject>;
  /** How many places of the output are taken. */
  readonly announced: number;
  /** The next sequence number; `undefined`: the events carry none. */
  readonly next: number | undefined;
}

/** What the client has of a streamed response: which items at which places, and how far the events are numbered. */
export class Outgoing {
  /** Event names stand beside the data, as upstream writes them. */
  named = true;
  /** The number of the next event that goes out, once that is not simply the one it came with. */
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

  /** How many places are taken, in the numbers of the answer that is being read. */
  get taken(): number {
    return this.#announced - this.#offset;
  }

  /** What the client has so far, for an answer that follows on. */
  continued(next: number | undefined): Continued {
    return { shown: this.#shown, announced: this.#announced, next };
  }

  /** Every item the client has, in order. */
  items(): JsonObject[] {
    return [...this.#shown].sort(([one], [other]) => one - other).map(([, item]) => item);
  }

  /** The items of the answers before this one, and these. */
  after(output: readonly unknown[]): unknown[] {
    return [...this.#before, ...output];
  }

  /** Keeps that an item goes out at a place of the answer that is being read. */
  show(index: number, item: JsonObject): void {
    const at = index + this.#offset;
    this.#shown.set(at, item);
    this.#announced = Math.max(this.#announced, at + 1);
  }

  /** A made message, whole, at a place of the answer that is being read. */
  note(index: number, item: JsonObject): MadeFrame[] {
    this.show(index, item);
    return noteEvents(item, index + this.#offset, this.named, () => this.#numbered());
  }

  /** A made event. */
  made(type: string, event: JsonObject): MadeFrame {
    return made({ type, ...event, ...this.#numbered() }, this.named);
  }

  /** A frame at its place in what goes out; the very frame where nothing is different. */
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
