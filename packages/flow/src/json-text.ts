/** Characters that one output of a node, or a text made of values, may have. */
export const MAX_TEXT_CHARS = 32 * 1024 * 1024;
/** Lists and objects inside of each other. A value with a circle exceeds it. */
const MAX_DEPTH = 1_000;

/**
 * The JSON of a list or an object. Adds the lengths before it makes the JSON: rows may share a long text, so a small value
 * can have a JSON of any length.
 *
 * @throws Error if the JSON has more than {@link MAX_TEXT_CHARS} characters, or the value too many levels
 */
export function jsonOf(value: object): string {
  const text = isLongJson(value, MAX_TEXT_CHARS) ? undefined : JSON.stringify(value);
  if (text === undefined || text.length > MAX_TEXT_CHARS)
    throw new Error(
      `The text has more than ${MAX_TEXT_CHARS} characters, or its data more than ${MAX_DEPTH} levels. Split the data first.`,
    );
  return text;
}

/** The JSON of a list or an object. A JSON that is longer than `most` begins the same, and leaves out the data behind. */
export function jsonBeginning(value: object, most: number): string {
  if (!isLongJson(value, most)) return JSON.stringify(value);
  let left = most;
  return JSON.stringify(value, (key, each: unknown) => {
    if (left <= 0) return undefined;
    left -= key.length + 1;
    if (Array.isArray(each)) return each.slice(0, Math.max(left, 0));
    if (typeof each !== 'string') return each;
    const shown = each.slice(0, Math.max(left, 0));
    left -= each.length;
    return shown;
  });
}

/** Whether the JSON of a value has more characters than this, without escapes, or too many levels. Stops counting there. */
export const isLongJson = (value: unknown, most: number): boolean => charactersLeft(value, most, 0) < 0;

/** Subtracts the characters of a JSON from `left`, without escapes. Stops below zero. */
function charactersLeft(value: unknown, left: number, depth: number): number {
  if (value === undefined || typeof value === 'function') return left;
  if (typeof value === 'string') return left - value.length - 2;
  if (typeof value !== 'object' || value === null) return left - String(value as number | boolean | null).length;
  if (depth > MAX_DEPTH) return -1;
  let rest = left - 2;
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length && rest >= 0; at++) rest = charactersLeft(value[at], rest - 1, depth + 1);
    return rest;
  }
  for (const key in value) {
    if (rest < 0) break;
    rest = charactersLeft((value as Record<string, unknown>)[key], rest - key.length - 4, depth + 1);
  }
  return rest;
}
