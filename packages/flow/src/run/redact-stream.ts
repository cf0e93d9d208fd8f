import { endOutside, isRedacted, redactText } from './preview.ts';
import { begunAtEnd } from './text-search.ts';

/** The longest text that is held because it looks like a key, so that a stream always goes on. */
const MAX_HELD = 4_000;
/** The last word of a text, or the beginning of a key's shape: see SECRET_TEXT. Its shape depends on what is before the word. */
const BEGUN = /(?:\b(?:sk|rk|pk|key|token|bearer)[-_ ][A-Za-z0-9_-]*|\w+)$/i;

/**
 * Removes secrets from a text that comes in parts, also those that the parts divide: an end that may begin a secret waits for
 * the next part.
 */
export class RedactedStream {
  readonly #secrets: ReadonlySet<string>;
  readonly #maxHeld: number;
  #held = '';

  constructor(secrets: ReadonlySet<string> = new Set()) {
    this.#secrets = secrets;
    this.#maxHeld = Math.max(MAX_HELD, ...[...secrets].map(({ length }) => length));
  }

  /** The text that can be shown now; empty where all of it waits. */
  add(part: string): string {
    const text = this.#held + part;
    let end = endOutside(text, text.length - this.#begun(text), this.#secrets);
    if (text.length - end > this.#maxHeld) end = text.length;
    this.#held = text.slice(end);
    return redactText(text.slice(0, end), this.#secrets);
  }

  /** The rest. */
  end(): string {
    const rest = redactText(this.#held, this.#secrets);
    this.#held = '';
    return rest;
  }

  /** The length of the longest end of a text with which a secret may begin. */
  #begun(text: string): number {
    let longest = BEGUN.exec(text.slice(-MAX_HELD))?.[0].length ?? 0;
    for (const secret of this.#secrets) if (isRedacted(secret)) longest = Math.max(longest, begunAtEnd(text, secret));
    return longest;
  }
}
