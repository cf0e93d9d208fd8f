/** A text that ends like a sentence, so that another one can follow it. */
export function asSentence(text: string): string {
  return /[.!?…:]["'”’)\]]?$/.test(text.trimEnd()) || text.trim() === '' ? text : `${text.trimEnd()}.`;
}

/** A line of at most `maxChars` UTF-16 units. A longer one ends with `…`, and never with half of a character. */
export const shortLine = (line: string, maxChars: number): string =>
  line.length <= maxChars
    ? line
    : `${line
        .slice(0, maxChars - 1)
        .replace(/[\uD800-\uDBFF]$/, '')
        .trimEnd()}…`;
