import { isRedacted, redactText, secretTextAt } from './preview.ts';
import { bordersOf, placeOf } from './text-search.ts';

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
    let end = text.length - this.#begun(text);
    for (let before = -1; before !== end; ) {
      before = end;
      end = this.#notInside(text, end);
    }
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

  /** A place at or before `end` that is not inside a whole secret. */
  #notInside(text: string, end: number): number {
    let place = end;
    for (const secret of this.#secrets) {
      if (!isRedacted(secret)) continue;
      const at = placeOf(text, secret, Math.max(0, place - secret.length + 1));
      if (at >= 0 && at < place) place = at;
    }
    return secretTextAt(text, place);
  }
}

/**
 * The length of the longest end of a text with which a secret begins, less than the whole secret. Costs time linear in the
 * secret (Knuth, Morris and Pratt): comparing each length alone takes seconds for a key of thousands of characters.
 */
export function begunAtEnd(text: string, secret: string): number {
  const end = text.slice(Math.max(0, text.length - secret.length + 1));
  const borders = bordersOf(secret, Math.min(secret.length, end.length + 1));
  let matched = 0;
  for (let at = 0; at < end.length; at++) {
    while (matched > 0 && end[at] !== secret[matched]) matched = borders[matched - 1] as number;
    if (end[at] === secret[matched]) matched++;
  }
  return matched;
}
