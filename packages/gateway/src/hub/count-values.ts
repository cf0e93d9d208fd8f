const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPENS_LIST = 0x5b;
const OPENS_OBJECT = 0x7b;

/**
 * Counts the values of a JSON text while it arrives, without parsing: the items between commas and in brackets, outside
 * of strings. Millions of empty lists fit into a few megabytes and cost a parser seconds.
 *
 * @returns a function that takes the next bytes and returns the count so far
 */
export function countValues(): (chunk: Uint8Array) => number {
  let count = 0;
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
      else if (byte === COMMA || byte === OPENS_LIST || byte === OPENS_OBJECT) count++;
    }
    return count;
  };
}
