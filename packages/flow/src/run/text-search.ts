/** The longest text for which V8's `indexOf` takes at most a few milliseconds for each megabyte, whatever both texts are. */
const SHORT = 32;

/**
 * The place of a text in another at or after `from`, else -1: as `indexOf`, but in linear time for texts that a caller
 * chose. `indexOf` takes time of their product for texts such as `aaa…` and `aaa…baaa…`.
 */
export const placeOf = (text: string, wanted: string, from = 0): number => finderOf(wanted)(text, from);

/** As `text.replaceAll(wanted, mark)`, in linear time. The very same text where nothing is replaced. */
export function replaceEach(text: string, wanted: string, mark: string): string {
  if (wanted.length > text.length) return text;
  const find = finderOf(wanted);
  let at = find(text, 0);
  if (at === -1) return text;
  const parts: string[] = [];
  let end = 0;
  for (; at !== -1; at = find(text, end)) {
    parts.push(text.slice(end, at), mark);
    end = at + wanted.length;
  }
  return parts.join('') + text.slice(end);
}

/** `indexOf` finds the start of a long text; from there the algorithm of Knuth, Morris and Pratt searches the whole. */
function finderOf(wanted: string): (text: string, from: number) => number {
  const size = wanted.length;
  if (size <= SHORT) return (text, from) => text.indexOf(wanted, from);
  const start = wanted.slice(0, SHORT);
  let borders: Uint32Array | undefined;
  return (text, from) => {
    if (from + size > text.length) return -1;
    const first = text.indexOf(start, from);
    if (first === -1 || first + size > text.length) return -1;
    borders ??= bordersOf(wanted, size);
    for (let at = first, matched = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      while (matched > 0 && code !== wanted.charCodeAt(matched)) matched = borders[matched - 1] as number;
      if (code === wanted.charCodeAt(matched) && ++matched === size) return at + 1 - size;
    }
    return -1;
  };
}

/** For each of the first `length` beginnings of a text: the length of its longest end that is also its beginning. */
export function bordersOf(text: string, length: number): Uint32Array {
  const borders = new Uint32Array(length);
  for (let at = 1, matched = 0; at < length; at++) {
    const code = text.charCodeAt(at);
    while (matched > 0 && code !== text.charCodeAt(matched)) matched = borders[matched - 1] as number;
    if (code === text.charCodeAt(matched)) matched++;
    borders[at] = matched;
  }
  return borders;
}
