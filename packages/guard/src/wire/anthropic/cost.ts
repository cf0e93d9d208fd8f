import { addUsage } from '../usage.ts';
import { isObject, type JsonObject } from '../wire-json.ts';
import type { MessageEvent } from './event.ts';

/** What a `message_delta` may say besides what was produced, so that clients take it for the one of the beginning. */
const CUMULATIVE = ['input_tokens', 'cache_creation_input_tokens', 'cache_read_input_tokens', 'output_tokens'];

/**
 * What the answers of one reply cost. The protocol says it in two places, the beginning and the end of a message, and of a
 * second answer the client gets the end alone: that has to hold all of it.
 */
export class Cost {
  readonly #before: JsonObject | undefined;
  readonly #own: JsonObject = {};

  /** @param before of the answers before this one */
  constructor(before?: JsonObject) {
    this.#before = before;
  }

  /** For the same answer, read once more. */
  anew(): Cost {
    return new Cost(this.#before);
  }

  /** Whether there is something to be added to what this answer says. */
  get isContinued(): boolean {
    return this.#before !== undefined;
  }

  /** Takes in what an event says; what comes later holds, where it says anything. */
  note(event: MessageEvent): void {
    if ((event.kind !== 'message-start' && event.kind !== 'message-delta') || !isObject(event.usage)) return;
    for (const [name, value] of Object.entries(event.usage)) if (value !== null) this.#own[name] = value;
  }

  /** Of all answers, this one included. */
  total(): JsonObject | undefined {
    return addUsage(this.#before, Object.keys(this.#own).length > 0 ? this.#own : undefined);
  }

  /** What the last event of this answer has to say it cost, in place of `usage`. */
  atEnd(usage: unknown): JsonObject | undefined {
    const total = this.total();
    if (!this.isContinued || !isObject(usage) || !total) return undefined;
    const said: JsonObject = { ...usage };
    for (const name of new Set([...Object.keys(usage), ...CUMULATIVE]))
      if (total[name] !== undefined) said[name] = total[name];
    return said;
  }
}
