/** The longest search text for which V8's `indexOf` takes at most a few milliseconds for each megabyte, whatever the text. */
const SHORT = 32;

/** How far the slow part of searches has read, to bound the work of a call. */
export interface SearchWork {
  /** Characters, each about ten times as slow as in `indexOf`. */
  slowSteps: number;
}

/**
 * Finds a text in others in time linear in both, also where a caller chose both. V8's `indexOf` takes time of their product
 * for texts such as `aaa…` and `aaa…baaa…`: 19 seconds for 400 kB. So `indexOf` finds only the start of a long search text.
 * Where many starts do not go on as the search text does, the algorithm of Knuth, Morris and Pratt searches the rest (Fast
 * Pattern Matching in Strings, SIAM J. Comput. 6(2), 1977).
 */
export class TextFinder {
  readonly wanted: string;
  readonly #start: string;
  readonly #work: SearchWork | undefined;
  #table: KmpTable | undefined;

  /** @param wanted not empty */
  constructor(wanted: string, work?: SearchWork) {
    this.wanted = wanted;
    this.#start = wanted.slice(0, SHORT);
    this.#work = work;
  }

  /** As `text.indexOf(wanted, from)`. */
  first(text: string, from = 0): number {
    const { wanted } = this;
    const start = this.#start;
    if (wanted.length === start.length) return text.indexOf(wanted, from);
    let tries = 0;
    for (let at = text.indexOf(start, from); at !== -1; at = text.indexOf(start, at + 1)) {
      if (at + wanted.length > text.length) return -1;
      if (text.startsWith(wanted, at)) return at;
      tries++;
      // In proportion to the text behind, so that many searches through one text are linear together.
      if (tries * wanted.length > 8 * wanted.length + 4 * (at - from)) return this.#search(text, at + 1, false);
    }
    return -1;
  }

  /** As `text.lastIndexOf(wanted)`. */
  last(text: string): number {
    const { length } = this.wanted;
    if (length <= SHORT) return text.lastIndexOf(this.wanted);
    return length > text.length ? -1 : this.#search(text, 0, true);
  }

  /** The number of places, none inside another. */
  count(text: string): number {
    let count = 0;
    for (let at = this.first(text); at !== -1; at = this.first(text, at + this.wanted.length)) count++;
    return count;
  }

  /** As `text.replaceAll(wanted, …)`. */
  replaceAll(text: string, by: (at: number) => string): string {
    if (this.wanted.length <= SHORT) return text.replaceAll(this.wanted, (_match, at: number) => by(at));
    const parts: string[] = [];
    let end = 0;
    for (let at = this.first(text); at !== -1; at = this.first(text, end)) {
      parts.push(text.slice(end, at), by(at));
      end = at + this.wanted.length;
    }
    return parts.join('') + text.slice(end);
  }

  #search(text: string, from: number, isLast: boolean): number {
    this.#table ??= kmpTable(this.wanted);
    const { codes, next } = this.#table;
    const { length } = text;
    const size = codes.length;
    let found = -1;
    let matched = 0;
    let at = from;
    for (; at < length; at++) {
      const code = text.charCodeAt(at);
      while (matched >= 0 && code !== codes[matched]) matched = next[matched] as number;
      if (++matched < size) continue;
      found = at + 1 - size;
      if (!isLast) break;
      matched = next[size] as number;
    }
    if (this.#work) this.#work.slowSteps += at - from;
    return found;
  }
}

/** As `text.includes(wanted)`, in linear time. */
export function includesText(text: string, wanted: string): boolean {
  return wanted.length <= SHORT ? text.includes(wanted) : new TextFinder(wanted).first(text) !== -1;
}

/** The code units of a search text and, for each number of matched ones, how many still match where the next one does not. */
interface KmpTable {
  readonly codes: Uint16Array;
  readonly next: Int32Array;
}

function kmpTable(wanted: string): KmpTable {
  const size = wanted.length;
  const codes = new Uint16Array(size);
  for (let at = 0; at < size; at++) codes[at] = wanted.charCodeAt(at);
  const next = new Int32Array(size + 1);
  next[0] = -1;
  for (let at = 0, matched = -1; at < size; ) {
    while (matched >= 0 && codes[at] !== codes[matched]) matched = next[matched] as number;
    at++;
    matched++;
    next[at] = at < size && codes[at] === codes[matched] ? (next[matched] as number) : matched;
  }
  return { codes, next };
}
