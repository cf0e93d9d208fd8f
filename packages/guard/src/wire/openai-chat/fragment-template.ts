import { isObject } from '../wire-json.ts';

/** The key of the arguments, and the opening quote of their text. */
const ARGUMENTS = /"arguments"\s*:\s*"/g;
/** OpenAI pads every chunk with random letters and digits, so that lengths reveal nothing. */
const PADDING = /"obfuscation"\s*:\s*"(?=[A-Za-z0-9]*")/g;
const LETTERS = /^[A-Za-z0-9]*$/;
/** Matches text that needs no decoding in a JSON string. */
const PLAIN = /^[ !#-[\]-~]*$/;

/**
 * Recognises the next fragment of a call by its bytes: everything except the text of `arguments` (and the padding)
 * equals a frame that was parsed. Replacing one JSON string by another changes nothing else about a text, so the result
 * of parsing that frame is valid for this one. Makes a call of a thousand fragments cheap.
 */
export class FragmentTemplate {
  readonly #before: Buffer;
  readonly #after: Buffer;
  /** The text between the arguments and the padding; empty if there is no padding. */
  readonly #padded: string;

  private constructor(before: string, after: string, padded: string) {
    this.#before = Buffer.from(before, 'latin1');
    this.#after = Buffer.from(after, 'latin1');
    this.#padded = padded;
  }

  /**
   * Creates a template from a parsed frame (as Latin-1) with one fragment, `entry`. `undefined` if the fragment has
   * more than an index and arguments, because a similar frame could then mean another call.
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

  /** The arguments' text in a frame that matches the template; `undefined` for any other frame. */
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

/** The end of the only match of `pattern`; `undefined` if there is none or more than one. */
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

/**
 * The text of one JSON string, from the bytes between its quotes as Latin-1; `undefined` if they are not one string.
 */
function stringText(inside: string): string | undefined {
  if (PLAIN.test(inside)) return inside;
  try {
    const text: unknown = JSON.parse(`"${Buffer.from(inside, 'latin1').toString('utf8')}"`);
    return typeof text === 'string' ? text : undefined;
  } catch {
    return undefined;
  }
}
