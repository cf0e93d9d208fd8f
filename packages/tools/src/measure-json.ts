const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPENS_LIST = 0x5b;
const CLOSES_LIST = 0x5d;
const OPENS_OBJECT = 0x7b;
const CLOSES_OBJECT = 0x7d;

/** The size of a JSON text so far. */
export interface JsonSize {
  /** The items between commas and in brackets. */
  readonly values: number;
  /** The most lists and objects inside of each other. */
  readonly depth: number;
}

/** The most that a server reads of one request. Parsing a few megabytes of nested brackets holds all other requests for seconds. */
export const MAX_JSON: JsonSize = { values: 1_000_000, depth: 1_000 };

/**
 * Measures a JSON text while it arrives, without parsing: outside of strings.
 *
 * @returns a function that takes the next bytes and returns the size so far
 */
export function measureJson(): (chunk: Uint8Array) => JsonSize {
  let [values, depth, open] = [0, 0, 0];
  let isInString = false;
  let isEscaped = false;
  return (chunk) => {
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at];
      if (isEscaped) isEscaped = false;
      else if (isInString) {
        if (byte === BACKSLASH) isEscaped = true;
        else if (byte === QUOTE) isInString = false;
      } else if (byte === QUOTE) isInString = true;
      else if (byte === COMMA) values++;
      else if (byte === OPENS_LIST || byte === OPENS_OBJECT) {
        values++;
        if (++open > depth) depth = open;
      } else if (byte === CLOSES_LIST || byte === CLOSES_OBJECT) open--;
    }
    return { values, depth };
  };
}

/** Whether a text is larger than what a server reads. */
export function isTooLarge({ values, depth }: JsonSize, most: JsonSize = MAX_JSON): boolean {
  return values > most.values || depth > most.depth;
}
