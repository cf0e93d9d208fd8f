import type { Json } from '@croft/flow';
import { wordsIn } from './request-parts.ts';
import { NUMBERS, stemsOf } from './words.ts';

/** The words and values of a flow. */
export interface Covered {
  /** Stems of what its components say about themselves, and of its short values. */
  readonly words: ReadonlySet<string>;
  readonly values: readonly Json[];
  /** Whether a message comes in. */
  readonly takesMessage: boolean;
}

/** Words that turn a clause into another one. A flow has to name them, or the clause is not carried out. */
const QUALIFIER =
  /\b(?:not|never|no|without|except|unless|until|or|if|whenever|last|counts?|counting|how many|twice|again|reversed?|backwards?|longest|shortest)\b/gi;
/** A preposition begins a detail, such as `in French`, `to Slack` or `about my files`. */
const DETAIL = /\s+(?=(?:about|in|into|to|with|without|except|by|as|on|onto|per|like|using|via|through|over)\s)/i;
/** A value that comes with each run. */
const TYPED = /\bI\s+(?:type|write|enter|send|say)\b/i;
const ASKS = /\b(?:questions?|asks?)\b.*$/i;
const NUMBER = /(?<![\w.])\d+(?:[.,]\d+)?(?![\w.]*\w)/g;
const MAX_SHORT = 60;
/** Characters of the private use area stand for quoted texts, addresses and paths, which are compared as values. */
const VALUE = /\uE000\d+\uE001/g;

/**
 * The parts of a clause that a flow with most of its words does not carry out: details of which it has no word, and what
 * holds a number or a word that turns its meaning, where the flow has none.
 *
 * @param masked the clause with placeholders for its values
 */
export function missingDetails(masked: string, { words, values, takesMessage }: Covered): readonly string[] {
  const shown = values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value)));
  const has = (text: string, among = shown) =>
    among.some((each) => new RegExp(`(?<![\\w.])${text}(?![\\w.])`, 'i').test(each));
  // Long texts, such as instructions for a model, have words of any kind.
  const short = shown.filter(({ length }) => length <= MAX_SHORT);
  const isKnown = (word: string) => has(word, short) || wordsIn(word).some((stem) => words.has(stem));
  const turns = (text: string) =>
    [...(text.match(NUMBER) ?? []), ...numbersIn(text)].some((number) => !has(number.replace(/[.,]/g, '\\$&'))) ||
    (text.match(QUALIFIER) ?? []).some((word) => !isKnown(word));
  const isUnknown = (text: string) => {
    const stems = takesMessage && TYPED.test(text) ? [] : stemsOf(text.replace(/^about\b/i, ''));
    return stems.length > 0 && !stems.some((stem) => words.has(stem));
  };
  const [first = '', ...details] = masked.split(DETAIL);
  const plain = (text: string) => text.replace(VALUE, ' ');
  if (turns(plain(first))) return [masked];
  const asked = takesMessage ? undefined : ASKS.exec(masked)?.[0];
  const missing = details.filter((detail) => turns(plain(detail)) || isUnknown(plain(detail)));
  // A flow that asks a model about rows says so, and takes no question of the user.
  const isOwn = asked?.startsWith('ask') === true && words.has('ask');
  return asked === undefined || isOwn ? missing : [asked, ...missing.filter((detail) => !asked.includes(detail))];
}

/** Numbers that are written as words, as digits. `one` is rarely a number. */
const numbersIn = (clause: string): readonly string[] =>
  (clause.toLowerCase().match(/\p{L}+/gu) ?? []).flatMap((word) =>
    word !== 'one' && Object.hasOwn(NUMBERS, word) ? [`${NUMBERS[word]}`] : [],
  );
