/** The longest text for which V8's `indexOf` takes at most a few milliseconds for each megabyte, whatever both texts are. */
const SHORT = 32;

/**
 * The places of a text in another, also those that overlap, in linear time for texts that a caller chose. `indexOf` takes
 * time of their product for texts such as `aaa…` and `aaa…baaa…`. It finds the start of a long text; from there the
 * algorithm of Knuth, Morris and Pratt searches the whole.
 *
 * @param wanted not empty
 */
export function* placesOf(text: string, wanted: string): Generator<number, void> {
  const size = wanted.length;
  if (size <= SHORT) {
    for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + 1)) yield at;
    return;
  }
  const first = text.indexOf(wanted.slice(0, SHORT));
  if (first === -1 || first + size > text.length) return;
  const borders = bordersOf(wanted, size);
  for (let at = first, matched = 0; at < text.length; at++) {
    matched = matchedBy(text.charCodeAt(at), wanted, matched, borders);
    if (matched === size) yield at + 1 - size;
  }
}

/**
 * As `text.replaceAll` for several texts at once, in linear time. Where texts overlap, one mark replaces them together, so
 * that no part of either stays. The very same text where nothing is replaced.
 *
 * @param wanted none empty
 */
export function replaceTexts(text: string, wanted: Iterable<string>, mark: string): string {
  const places: { readonly start: number; readonly end: number }[] = [];
  for (const each of wanted) for (const start of placesOf(text, each)) places.push({ start, end: start + each.length });
  if (places.length === 0) return text;
  places.sort((a, b) => a.start - b.start);
  const parts: string[] = [];
  let end = 0;
  for (const place of places) {
    if (place.start >= end) parts.push(text.slice(end, place.start), mark);
    end = Math.max(end, place.end);
  }
  return parts.join('') + text.slice(end);
}

/**
 * The length of the longest end of a text with which a secret begins, less than the whole secret. Costs time linear in the
 * secret: comparing each length alone takes seconds for a key of thousands of characters.
 */
export function begunAtEnd(text: string, secret: string): number {
  const start = Math.max(0, text.length - secret.length + 1);
  const borders = bordersOf(secret, Math.min(secret.length, text.length - start + 1));
  let matched = 0;
  for (let at = start; at < text.length; at++) matched = matchedBy(text.charCodeAt(at), secret, matched, borders);
  return matched;
}

/** For each of the first `length` beginnings of a text: the length of its longest end that is also its beginning. */
function bordersOf(text: string, length: number): Uint32Array {
  const borders = new Uint32Array(length);
  for (let at = 1, matched = 0; at < length; at++)
    borders[at] = matched = matchedBy(text.charCodeAt(at), text, matched, borders);
  return borders;
}

/** The length of the longest beginning of `wanted` that ends with a character, where `matched` ended before it. */
function matchedBy(code: number, wanted: string, matched: number, borders: Uint32Array): number {
  let length = matched;
  while (length > 0 && code !== wanted.charCodeAt(length)) length = borders[length - 1] as number;
  return code === wanted.charCodeAt(length) ? length + 1 : length;
}
