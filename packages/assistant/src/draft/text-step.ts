import type { Json } from '@croft/flow';
import { type RequestClause, type RequestParts, wordsIn } from './request-parts.ts';
import { escaped, NUMBERS, stemsOf } from './words.ts';

/** A quoted text, or one word. */
const VALUE = `(\uE000\\d+\uE001|'?[\\p{L}\\p{N}_][\\p{L}\\p{N}_.-]*'?)`;
const ENDS = '(?=[\\s,;.!?]*$|\\s+(?:in|of|from|within|inside|to|into)\\b)';
const NAMED = '(?:the\\s+)?(?:(?:word|text|string|phrase|term)\\s+)?';
const HAS = [
  'contain(?:s|ing)?',
  'includ(?:es?|ing)',
  'mention(?:s|ing)?',
  'ha(?:s|ve|ving)',
  'hold(?:s|ing)?',
  'match(?:es|ing)?',
  'say(?:s|ing)?',
  '(?:start|begin)(?:s|ing|ning)?\\s+with',
  'end(?:s|ing)?\\s+(?:with|in)',
  'with',
].join('|');
const NOT = "(?:(?:do|does)\\s+not|(?:do|does)n['’]t|not)\\s+";
const CONDITION = new RegExp(
  `\\b(?:(?:that|which)\\s+)?(?:(${NOT})?(${HAS})(\\s+no)?|(without|lacking))\\s+${NAMED}${VALUE}${ENDS}`,
  'iu',
);
const EMPTY =
  /\b(?:(non|not)[-\s]+)?(?:empty|blank)\s+(?=lines?\b)|(?<=\blines?)\s+(?:that\s+|which\s+)?(?:are|is)\s+(not\s+)?(?:empty|blank)\b/i;
export const DROPS =
  /\b(?:drop|remov|delet|discard|exclud|skip|omit|ignor|hid)\w*\b|\b(?:filter|leav|tak|cut|throw)\w*\s+out\b|\bget(?:s|ting)?\s+rid\s+of\b/i;
export const EXCEPT = /\b(?:except(?:\s+for)?|all\s+but|but\s+not|other\s+than)\b/i;
const ANY_CASE = /\b(?:ignoring|regardless\s+of|whatever\s+the)\s+(?:the\s+)?case\b|\bcase[-\s]insensitive(?:ly)?\b/i;
const CASES: readonly (readonly [RegExp, string])[] = [
  [/\btitle[-\s]?cas\w*|\bcapitali[sz]\w*\s+(?:each|every|all)\s+words?\b/i, 'Title case'],
  [/\bupper[-\s]?cas\w*|\b(?:all|in)\s+caps\b|\bcapitals?(?:\s+letters?)?\b/i, 'Upper case'],
  [/\blower[-\s]?cas\w*|\bsmall\s+letters?\b/i, 'Lower case'],
];
const TRIMS = /\b(?:trim|strip)\w*\b|\bremov\w*(?=.*\b(?:leading|trailing|surrounding)\b.*\b(?:spac|blank)\w*)/i;
const REPLACES = new RegExp(
  `\\b(?:replac|substitut|swap|chang|turn)\\w*\\s+(?:(?:every|each|all)\\s+)?${NAMED}${VALUE}\\s+(?:with|by|to|into|for)\\s+${NAMED}${VALUE}${ENDS}`,
  'iu',
);
const COUNT = `(\\d{1,6}|${Object.keys(NUMBERS).join('|')})`;
const PART = new RegExp(`\\b(first|top|last|bottom|final)\\s+(?:${COUNT}\\s+)?(line|character)(s?)\\b`, 'i');

/** Words beside those of a step that do not change it. */
const AROUND = new Set(
  stemsOf(
    'keep show list print give get take extract find return select display filter convert change put write transform render format output letters words characters lines everything whole entire content text message result all those leading trailing surrounding white space whitespace blank ends both',
  ),
);
const TURNS = /\b(?:not|no|never|or|how|unless|until|if|twice|again)\b|n['’]t\b|\d/i;

/**
 * The values of the component for texts that carry out a whole clause, such as `keep only the lines that contain TODO`.
 * Undefined where a word of the clause is left that may change what it asks for.
 *
 * @param known stems that the other components of the flow carry out
 */
export function textStepFor(
  { masked }: Pick<RequestClause, 'masked'>,
  parts: Pick<RequestParts, 'unmask' | 'paths' | 'urls' | 'targets'>,
  known: ReadonlySet<string>,
): Readonly<Record<string, Json>> | undefined {
  const files = new Set([...parts.paths, ...parts.urls, ...parts.targets]);
  const rest = new Rest(masked.replace(/[.!?]+$/, ''), (value) => valueOf(value, parts, files));
  const values = stepIn(rest);
  if (values === undefined) return undefined;
  const isFile = (placeholder: string) => files.has(parts.unmask(placeholder));
  const left = rest.text.replace(/\uE000\d+\uE001/g, (placeholder) => (isFile(placeholder) ? ' ' : ' 0 '));
  if (TURNS.test(left) || wordsIn(left).some((word) => !known.has(word) && !AROUND.has(word))) return undefined;
  return values;
}

/** The part of a clause that was not read yet. */
class Rest {
  text: string;
  readonly valueOf: (value: string) => string | undefined;

  constructor(text: string, read: Rest['valueOf']) {
    this.text = text;
    this.valueOf = read;
  }

  /** Takes a pattern out of the text. */
  take(pattern: RegExp): RegExpExecArray | undefined {
    const found = pattern.exec(this.text);
    if (found === null) return undefined;
    this.text = `${this.text.slice(0, found.index)} ${this.text.slice(found.index + found[0].length)}`;
    return found;
  }
}

function stepIn(rest: Rest): Readonly<Record<string, Json>> | undefined {
  if (PART.test(rest.text)) return partOf(rest);
  const other = replacementIn(rest) ?? (/\blines?\b/i.test(rest.text) ? linesIn(rest) : undefined);
  if (other !== undefined) return other;
  for (const [pattern, operation] of CASES) if (rest.take(pattern)) return { operation };
  const ends = /\bleading\b/i.test(rest.text) ? 'left' : /\btrailing\b/i.test(rest.text) ? 'right' : undefined;
  return rest.take(TRIMS) && { operation: 'Trim', ...(ends !== undefined && { strip_mode: ends }) };
}

function partOf(rest: Rest): Readonly<Record<string, Json>> | undefined {
  const [, end = '', number, what = '', plural] = rest.take(PART) ?? [];
  if (number === undefined && plural === 's') return undefined;
  const count = number === undefined ? 1 : (NUMBERS[number.toLowerCase()] ?? Number(number));
  return { operation: `${/first|top/i.test(end) ? 'First' : 'Last'} ${what.toLowerCase()}s`, count };
}

/** Lines that have a text are kept or dropped. Each of these turns the other around: dropping, `without`, `except`. */
function linesIn(rest: Rest): Readonly<Record<string, Json>> | undefined {
  const ignoresCase = rest.take(ANY_CASE) !== undefined;
  const empty = rest.take(EMPTY);
  const found = empty ?? rest.take(CONDITION);
  if (found === undefined) return undefined;
  const turns = [
    rest.take(DROPS),
    rest.take(EXCEPT),
    empty ? (found[1] ?? found[2]) : found[1],
    empty ? undefined : (found[3] ?? found[4]),
  ];
  const operation = turns.filter((each) => each !== undefined).length % 2 === 0 ? 'Keep lines' : 'Drop lines';
  if (empty) return { operation, search_pattern: '^\\s*$', use_regex: true };
  const [, , has = '', , , given = ''] = found;
  const value = rest.valueOf(given);
  if (value === undefined) return undefined;
  const anchored = anchoredBy(has, value);
  return {
    operation,
    search_pattern: anchored ?? value,
    ...(anchored !== undefined && { use_regex: true }),
    ...(ignoresCase && { ignore_case: true }),
  };
}

function anchoredBy(has: string, value: string): string | undefined {
  return /^(?:start|begin)/i.test(has) ? `^${escaped(value)}` : /^end/i.test(has) ? `${escaped(value)}$` : undefined;
}

function replacementIn(rest: Rest): Readonly<Record<string, Json>> | undefined {
  const [all, given = '', other = ''] = rest.take(REPLACES) ?? [];
  const [search, replacement] = [rest.valueOf(given), rest.valueOf(other)];
  if (all === undefined || search === undefined || replacement === undefined) return undefined;
  // `turn it into a list` has no text to find: only quoted ones are, after words with other meanings.
  if (/^\W*(?:chang|turn)/i.test(all) && !given.startsWith('\uE000')) return undefined;
  return { operation: 'Replace', search_pattern: search, replacement_text: replacement };
}

/** A text to find. A plural in small letters, such as `numbers`, is rather a kind of text than the text itself. */
function valueOf(
  given: string,
  { unmask }: Pick<RequestParts, 'unmask'>,
  files: ReadonlySet<string>,
): string | undefined {
  const isQuoted = given.startsWith('\uE000');
  const value = unmask(given).replace(/^(["'`“])([\s\S]*)["'`”]$/, '$2');
  if (isQuoted) return value === '' || files.has(value) ? undefined : value;
  return stemsOf(value).length === 0 || /^[a-z]+(?<![su])s$/.test(value) ? undefined : value;
}
