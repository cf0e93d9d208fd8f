import { addUsage } from '../usage.ts';
import { isObject, type JsonObject } from '../wire-json.ts';
import type { MessageEvent } from './event.ts';

/** Input counts that a `message_delta` may contain. Clients then use them instead of those of `message_start`. */
const CUMULATIVE = ['input_tokens', 'cache_creation_input_tokens', 'cache_read_input_tokens', 'output_tokens'];

/**
 * The usage of all replies that make up one reply to the client. The protocol reports usage at the start and the end of
 * a message, and of a second reply the client gets only the end: that must contain the total.
 */
export class Cost {
  readonly #before: JsonObject | undefined;
  readonly #own: JsonObject = {};

  /** @param before the usage of the replies before this one */
  constructor(before?: JsonObject) {
    this.#before = before;
  }

  /** A fresh counter for reading the same reply again. */
  anew(): Cost {
    return new Cost(this.#before);
  }

  /** Whether earlier replies add to the usage of this one. */
  get isContinued(): boolean {
    return this.#before !== undefined;
  }

  /** Records the usage in an event; later values override earlier ones. */
  note(event: MessageEvent): void {
    if ((event.kind !== 'message-start' && event.kind !== 'message-delta') || !isObject(event.usage)) return;
    for (const [name, value] of Object.entries(event.usage)) if (value !== null) this.#own[name] = value;
  }

  /** The usage of all replies, including this one. */
  total(): JsonObject | undefined {
    return addUsage(this.#before, Object.keys(this.#own).length > 0 ? this.#own : undefined);
  }

  /** The usage for the last event of this reply, in place of `usage`. */
  atEnd(usage: unknown): JsonObject | undefined {
    const total = this.total();
    if (!this.isContinued || !isObject(usage) || !total) return undefined;
    const said: JsonObject = { ...usage };
    for (const name of new Set([...Object.keys(usage), ...CUMULATIVE]))
      if (total[name] !== undefined) said[name] = total[name];
    return said;
  }
}
