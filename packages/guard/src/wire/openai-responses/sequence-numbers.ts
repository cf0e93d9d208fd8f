import type { Frame } from '../../framing/framing.ts';
import { isObject, type JsonObject, parseWireJson } from '../wire-json.ts';

/** The numbers of a reply's events. Created events continue from what was sent; held events do not count. */
export class SequenceNumbers {
  #last: number | undefined;
  #heldFrom: number | undefined;

  /** Call for every event. */
  see(payload: JsonObject): void {
    this.#last = numberOf(payload) ?? this.#last;
  }

  /** Call for every event that is held. */
  hold(payload: JsonObject): void {
    this.#heldFrom ??= numberOf(payload);
  }

  /** Call when all held events were sent. */
  released(): void {
    this.#heldFrom = undefined;
  }

  /** The number of a created event; undefined if the events have none. */
  next(): number | undefined {
    return this.#heldFrom ?? (this.#last === undefined ? undefined : this.#last + 1);
  }
}

/** The number of the first event in these frames. */
export function firstNumber(frames: readonly Frame[]): number | undefined {
  for (const frame of frames) {
    const payload = payloadOf(frame);
    const number = payload && numberOf(payload);
    if (number !== undefined) return number;
  }
  return undefined;
}

/** The number after the last event in these frames. */
export function afterLast(frames: readonly Frame[]): number | undefined {
  const last = firstNumber(frames.toReversed());
  return last === undefined ? undefined : last + 1;
}

function payloadOf(frame: Frame): JsonObject | undefined {
  const value = frame.data === undefined ? undefined : parseWireJson(frame.data)?.value;
  return isObject(value) ? value : undefined;
}

function numberOf(payload: JsonObject): number | undefined {
  return typeof payload.sequence_number === 'number' ? payload.sequence_number : undefined;
}
