import type { Descriptor } from '@croft/flow';
import { QUOTED, refers, unquoted } from './column-names.ts';
import { type ListedValues, listedValues, ROWS_WHERE } from './listed-values.ts';
import { DROPS, EXCEPT } from './text-step.ts';
import { escaped, NUMBERS } from './words.ts';

/**
 * The values of a component for a condition in a clause, such as `amount is greater than 15`. A clause that drops rows gets
 * the opposite condition. Without an opposite condition in the component, the result is empty.
 */
export function conditionFor({ fields }: Descriptor, clause: string): Readonly<Record<string, string>> {
  const at = fields.findIndex(({ kind, options }) => kind === 'select' && (options?.length ?? 0) > 1);
  const choice = fields[at];
  const column = fields.slice(0, at).find(({ kind, required }) => kind === 'text' && required === true);
  const value = fields.slice(at + 1).find(({ kind }) => kind === 'text');
  if (choice === undefined || column === undefined || value === undefined) return {};
  const options = (choice.options ?? [])
    .filter((option) => !LISTS.test(option))
    .sort((one, other) => other.length - one.length);
  const isDropped = drops(clause);
  const chosen = (option: string) => (isDropped ? oppositeOf(option, options) : option);
  const listed = listedValues(clause);
  const lists = choice.options?.filter((option) => LISTS.test(option) && /\bnot\b/i.test(option) === isDropped);
  const oneOf = (listed?.values.length ?? 0) > 1 ? lists?.[0] : chosen(equalsIn(options));
  if (listed !== undefined && oneOf !== undefined && oneOf !== '')
    return { [column.name]: listed.column, [choice.name]: oneOf, [value.name]: valueIn(listed) };
  for (const option of options) {
    const found = new RegExp(
      `(?<![\\w.'’])(${QUOTED}|[\\w.]+)\\s+(?:(?:is|are)\\s+)?(?:${wordsFor(option)})\\s+(?!or\\b)${VALUE}`,
      'i',
    ).exec(clause);
    // `is not greater than` is another condition.
    if (found?.[1] === undefined || found[2] === undefined || /^(?:not|never)$/i.test(found[1])) continue;
    const kept = chosen(option);
    const isOneOf = OR.test(clause.slice(found.index + found[0].length));
    if (kept === undefined || isOneOf || refers(found[1])) return {};
    return { [column.name]: unquoted(found[1]), [choice.name]: kept, [value.name]: numberOf(unquoted(found[2])) };
  }
  const [, equal, name] = OF_VALUE.exec(clause) ?? [];
  const option = chosen(equalsIn(options));
  if (equal === undefined || name === undefined || option === undefined || option === '') return {};
  return { [column.name]: name, [choice.name]: option, [value.name]: equal };
}

/**
 * Whether a clause says only which rows it keeps or drops, by the column and the value that {@link conditionFor} read: no other
 * word can change its meaning.
 */
export const isWholeCondition = (clause: string, read: Readonly<Record<string, string>>): boolean => {
  const [column = '', option = '', value = ''] = Object.values(read);
  const listed = listedValues(clause);
  if (listed !== undefined) return listed.column === column && valueIn(listed) === value;
  const others = [OPPOSITES[option] ?? option, option.replace(/\bnot\s+/i, '')];
  const options = [option, ...others].map(wordsFor).join('|');
  const values = [value, ...Object.keys(NUMBERS).filter((word) => numberOf(word) === value)].map(escaped).join('|');
  return new RegExp(
    `${ROWS_WHERE}["'\`“]?${escaped(column)}["'\`”]?\\s+(?:(?:is|are)\\s+)?(?:${options})\\s+["'\`“]?(?:${values})["'\`”]?[.!]*$`,
    'i',
  ).test(clause);
};

/** A number that is written as a word, in digits. */
const numberOf = (value: string): string => {
  const number = NUMBERS[value.toLowerCase()];
  return number === undefined ? value : `${number}`;
};

/** A value in a clause: a quoted text, or a word or number. */
const VALUE = `(${QUOTED}|[\\w.-]*[\\w-])`;

const valueIn = ({ values }: ListedValues): string => numberOf(values.join(', '));

/** A condition for several values. */
const LISTS = /\bone of$/i;
/** Another value or condition follows. */
const OR = /^["'`”]?\s*,?\s+or\b/i;

const equalsIn = (options: readonly string[]): string => options.find((each) => /^equals?$/i.test(each)) ?? '';

const drops = (clause: string): boolean => DROPS.test(clause) !== EXCEPT.test(clause);

/** Other words for a condition, and the word that follows it in a sentence. */
const wordsFor = (option: string): string => {
  const others: Readonly<Record<string, string>> = {
    'greater than or equal': '|at\\s+least',
    'less than or equal': '|at\\s+most',
    'greater than': '|more\\s+than|above|over',
    'less than': '|fewer\\s+than|below|under',
  };
  return `${escaped(option)}(?:\\s+to)?${others[option] ?? ''}`;
};

/** Conditions of which exactly one holds for any value. */
const OPPOSITES: Readonly<Record<string, string>> = {
  'less than': 'greater than or equal',
  'greater than or equal': 'less than',
  'greater than': 'less than or equal',
  'less than or equal': 'greater than',
};

/** `not equals` for `equals`, and the other way around. */
function oppositeOf(option: string, options: readonly string[]): string | undefined {
  const opposite = OPPOSITES[option];
  if (opposite !== undefined) return options.find((each) => each === opposite);
  const other = option.replace(/\bnot\s+/i, '');
  return options.find((each) =>
    other === option ? each.replace(/\bnot\s+/i, '') === option && each !== option : each === other,
  );
}

/** A value before the name of its column, such as `from the North region`. Values in capitals are names. */
const OF_VALUE = /\b(?:from|in|of|for|with)\s+the\s+["'`]?([A-Z][\w-]*)["'`]?\s+([a-z][\w.]*)/;
