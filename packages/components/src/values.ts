import { textOf } from '@croft/flow';
import { includesText } from '@croft/workspace/find-text';
import { ComponentError } from './component-error.ts';

/** A text with what a chat needs to know of it. */
export interface Message {
  readonly text: string;
  readonly sender?: string;
  readonly sender_name?: string;
}

/** One record. */
export type Row = Readonly<Record<string, unknown>>;

export const message = (text: string): Message => ({ text });

/** Whether a value is a plain record. */
export function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** As many as one output of a component may have. */
const MAX_CHARACTERS = 32 * 1024 * 1024;

/** The text of a message, or JSON of a value without a text; a list line by line. */
export function toText(value: unknown): string {
  return Array.isArray(value) ? joinTexts(value as readonly unknown[], '\n', toText) : textOf(value);
}

/**
 * The texts of values as one. Rows may share a long text, so a small list can make a text of any length.
 *
 * @throws ComponentError at the value with which the text has too many characters; reads none behind it
 */
export function joinTexts<Value>(
  values: readonly Value[],
  separator: string,
  textFor: (value: Value) => string,
): string {
  const texts: string[] = [];
  let left = MAX_CHARACTERS;
  for (const value of values) {
    const text = textFor(value);
    left -= text.length + separator.length;
    if (left < 0)
      throw new ComponentError(`The text has more than ${MAX_CHARACTERS} characters.`, 'Split the data first.');
    texts.push(text);
  }
  return texts.join(separator);
}

/** A value as rows: a table as it is, a record as one row, a text as one row with `text`. */
export function toRows(value: unknown): readonly Row[] {
  if (Array.isArray(value)) return value.flatMap((each: unknown) => toRows(each));
  if (isRow(value)) return [value];
  if (value === null || value === undefined) return [];
  return [{ text: toText(value) }];
}

/** A value as one record: several rows become `{rows}`. */
export function toData(value: unknown): Row {
  if (isRow(value)) return value;
  const rows = toRows(value);
  const [only] = rows;
  return rows.length === 1 && only !== undefined ? only : { rows };
}

/**
 * The value at `a.b.0` of a record, or that of the column with this whole name; undefined where the path leads nowhere.
 * Inherited properties do not count.
 */
export function valueAt(value: unknown, path: string): unknown {
  if (isRow(value) && Object.hasOwn(value, path)) return value[path];
  let current = value;
  for (const key of path.split('.')) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, key)) return undefined;
    current = (current as Record<string, unknown>)[key];
  }
  return current;
}

const MAX_NAMED = 20;

const hasValues = (row: Row) => Object.keys(row).length > 0;

/** The names of the values of rows, for a message; the first of them where there are many. */
export function namesIn(rows: readonly Row[]): string {
  const names = [
    ...new Set(
      rows
        .filter(hasValues)
        .slice(0, 100)
        .flatMap((row) => Object.keys(row)),
    ),
  ];
  const more = names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : '';
  return `${names.slice(0, MAX_NAMED).join(', ')}${more}`;
}

/**
 * Requires that a row has a value at a path. Without this check a misspelled column gives a wrong result. Rows without any
 * value do not show that a column is misspelled: they pass, as no rows do.
 *
 * @throws ComponentError where rows have values and none has one there
 */
export function requireColumn(rows: readonly Row[], path: string): void {
  if (!rows.some(hasValues) || rows.some((row) => valueAt(row, path) !== undefined)) return;
  throw new ComponentError(`No row has a column '${path.slice(0, 100)}'.`, `Use one of these: ${namesIn(rows)}.`);
}

/** Compares numbers as numbers and everything else as text, so that 9 comes before 10. */
export function compareValues(a: unknown, b: unknown): number {
  return compareKeys(sortKey(a), sortKey(b));
}

/** A value as {@link compareKeys} compares it. Make it once for each value: the text of a record takes time. */
export interface SortKey {
  readonly number: number | undefined;
  readonly text: string;
}

export const sortKey = (value: unknown): SortKey => ({ number: asNumber(value), text: toText(value) });

/** As {@link compareValues}. */
export function compareKeys(a: SortKey, b: SortKey): number {
  if (a.number !== undefined && b.number !== undefined) return a.number - b.number;
  return a.text < b.text ? -1 : a.text > b.text ? 1 : 0;
}

export function asNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (typeof value !== 'string' || value.trim() === '') return undefined;
  const number = Number(value);
  return Number.isFinite(number) ? number : undefined;
}

const ORDERS: Readonly<Record<string, (order: number) => boolean>> = {
  'greater than': (order) => order > 0,
  'less than': (order) => order < 0,
  'greater than or equal': (order) => order >= 0,
  'less than or equal': (order) => order <= 0,
};

const PLAIN_NUMBERS =
  'Write plain numbers, such as 1200 or 2.5, without units, currency signs and thousands separators. Dates and other texts need a whole date or a text to compare with.';

/**
 * Requires numbers at a path where a condition such as `greater than` compares them with a number. Empty values pass.
 *
 * @throws ComponentError with the count of the other values and one of them
 */
export function requireNumbers(rows: readonly Row[], path: string, operator: string, other: string): void {
  if (!Object.hasOwn(ORDERS, operator) || asNumber(other) === undefined) return;
  let count = 0;
  let example = '';
  for (const row of rows) {
    const text = toText(valueAt(row, path));
    if (text.trim() === '' || asNumber(text) !== undefined) continue;
    if (count === 0) example = text;
    count++;
  }
  if (count === 0) return;
  const values = count === 1 ? '1 value that is not a number' : `${count} values that are not numbers`;
  throw new ComponentError(
    `The column '${path.slice(0, 100)}' has ${values}, such as '${example.slice(0, 100)}'.`,
    PLAIN_NUMBERS,
  );
}

/** With a number, compares numbers only: an empty text does not match. */
function isOrdered(operator: string, value: string, other: string): boolean {
  const test = ORDERS[operator] as (order: number) => boolean;
  const limit = asNumber(other);
  if (limit === undefined) return test(compareValues(value, other));
  if (value.trim() === '') return false;
  const number = asNumber(value);
  if (number !== undefined) return test(number - limit);
  throw new ComponentError(`'${value.slice(0, 100)}' is not a number to compare with ${other.trim()}.`, PLAIN_NUMBERS);
}

let lastList = { text: '', values: new Set<string>() };

/** The values between the commas of a text. The last list is kept, because a filter compares each row with the same one. */
function listedIn(text: string): ReadonlySet<string> {
  if (lastList.text !== text)
    lastList = { text, values: new Set(text.split(',').flatMap((each) => each.trim() || [])) };
  return lastList.values;
}

/**
 * The comparisons of a filter and of a condition, by their names. Those by order throw a ComponentError for a text that is
 * compared with a number.
 */
export const OPERATORS: Readonly<Record<string, (value: string, other: string) => boolean>> = {
  equals: (value, other) => value === other,
  'not equals': (value, other) => value !== other,
  contains: (value, other) => includesText(value, other),
  'not contains': (value, other) => !includesText(value, other),
  'starts with': (value, other) => value.startsWith(other),
  'ends with': (value, other) => value.endsWith(other),
  'greater than': (value, other) => isOrdered('greater than', value, other),
  'less than': (value, other) => isOrdered('less than', value, other),
  'greater than or equal': (value, other) => isOrdered('greater than or equal', value, other),
  'less than or equal': (value, other) => isOrdered('less than or equal', value, other),
  'is one of': (value, other) => listedIn(other).has(value),
  'is not one of': (value, other) => !listedIn(other).has(value),
  'is empty': (value) => value.trim() === '',
  'is not empty': (value) => value.trim() !== '',
};
