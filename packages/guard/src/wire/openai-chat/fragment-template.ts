import { isObject } from '../wire-json.ts';

/** The key of the arguments, and the quote their text begins with. */
const ARGUMENTS = /"arguments"\s*:\s*"/g;
/** OpenAI pads every chunk with a random text of letters and digits, so that lengths tell nothing. */
const PADDING = /"obfuscation"\s*:\s*"(?=[A-Za-z0-9]*")/g;
const LETTERS = /^[A-Za-z0-9]*$/;
/** What stands in a JSON string as it is. */
const PLAIN = /^[ !#-[\]-~]*$/;

/**
 * Knows the next fragment of a call by its bytes: everything but the text of `arguments` (and the padding) is what it was in a
 * frame that was read whole. One JSON string in the place of another changes nothing else about a text, so what was found
 * out about that frame holds for this one. It is what makes a call of a thousand fragments cheap.
 */
export class FragmentTemplate {
  readonly #before: Buffer;
  readonly #after: Buffer;
  /** The part of what stands behind the text that is in front of the padding; empty where there is none. */
  readonly #padded: string;

  private constructor(before: string, after: string, padded: string) {
    this.#before = Buffer.from(before, 'latin1');
    this.#after = Buffer.from(after, 'latin1');
    this.#padded = padded;
  }

  /**
   * From a frame (as Latin-1) that was read whole and held one fragment, `entry`. `undefined` where the fragment has more than
   * an index and arguments, since then another such frame could mean another call.
   */
  static of(raw: string, entry: unknown): FragmentTemplate | undefined {
    if (!isObject(entry) || typeof entry.index !== 'number' || !isObject(entry.function)) return undefined;
    if (Object.keys(entry).length !== 2 || Object.keys(entry.function).length !== 1) return undefined;
    const text = entry.function.arguments;
    const start = onlyEnd(raw, ARGUMENTS);
    if (typeof text !== 'string' || start === undefined) return undefined;
    const end = closingQuote(raw, start);
    if (end === undefined || stringText(raw.slice(start, end)) !== text) return undefined;
    const after = raw.slice(end);
    const padding = onlyEnd(after, PADDING);
    if (padding === undefined) return new FragmentTemplate(raw.slice(0, start), after, '');
    const rest = after.slice(after.indexOf('"', padding));
    return new FragmentTemplate(raw.slice(0, start), rest, after.slice(0, padding));
  }

  /** The arguments' text in a frame like the one it was made from; `undefined`: it is another. */
  text(raw: Buffer): string | undefined {
    const start = this.#before.length;
    const end = raw.length - this.#after.length;
    if (end < start || raw.compare(this.#before, 0, start, 0, start) !== 0) return undefined;
    if (raw.compare(this.#after, 0, this.#after.length, end) !== 0) return undefined;
    const inside = raw.toString('latin1', start, end);
    if (this.#padded === '') return stringText(inside);
    const padding = inside.lastIndexOf('"') + 1;
    const textEnd = padding - this.#padded.length;
    if (textEnd < 0 || !inside.startsWith(this.#padded, textEnd)) return undefined;
    return LETTERS.test(inside.slice(padding)) ? stringText(inside.slice(0, textEnd)) : undefined;
  }
}

/** Where the only match of `pattern` ends; `undefined` where there is none or several. */
function onlyEnd(text: string, pattern: RegExp): number | undefined {
  const [first, ...others] = text.matchAll(pattern);
  return first && others.length === 0 ? first.index + first[0].length : undefined;
}

/** The closing quote of the string whose text begins at `start`. */
function closingQuote(text: string, start: number): number | undefined {
  for (let at = start; at < text.length; at++) {
    const character = text[at];
    if (character === '"') return at;
    if (character === '\\') at++;
  }
  return undefined;
}

/** What stands between the quotes of one JSON string, from its bytes as Latin-1; `undefined`: it is not one. */
function stringText(inside: string): string | undefined {
  if (PLAIN.test(inside)) return inside;
  try {
    const text: unknown = JSON.parse(`"${Buffer.from(inside, 'latin1').toString('utf8')}"`);
    return typeof text === 'string' ? text : undefined;
  } catch {
    return undefined;
  }
}
