import { jsonBeginning, jsonOf, MAX_TEXT_CHARS } from './json-text.ts';

/** `{name}` or `{name.path.0}`. `{{` and `}}` are literal braces, and so is everything else in braces. */
const VARIABLE = /\{\{|\}\}|\{([A-Za-z_]\w*)((?:\.\w+)*)\}/g;

/** The names of the variables in a text, each once, in order. */
export function variablesIn(text: string): readonly string[] {
  const names = new Set<string>();
  for (const [, name] of text.matchAll(VARIABLE)) if (name !== undefined) names.add(name);
  return [...names];
}

/** A text in pieces: variables, with their braces, and what is between them. The pieces together are the text. */
export function variableParts(text: string): readonly { readonly text: string; readonly isVariable: boolean }[] {
  const parts: { text: string; isVariable: boolean }[] = [];
  let end = 0;
  for (const { 0: match, 1: name, index } of text.matchAll(VARIABLE)) {
    if (name === undefined) continue;
    if (index > end) parts.push({ text: text.slice(end, index), isVariable: false });
    parts.push({ text: match, isVariable: true });
    end = index + match.length;
  }
  if (end < text.length) parts.push({ text: text.slice(end), isVariable: false });
  return parts;
}

/**
 * Puts values in the place of variables. A path that leads nowhere gives an empty text; a variable without a value stays
 * as it is written, so that other braces survive.
 *
 * @throws Error where the result would have more characters than one output of a node may have, before it is made
 */
export function fillVariables(text: string, valueOf: (name: string) => unknown): string {
  let size = text.length;
  return text.replace(VARIABLE, (match, name: string | undefined, path: string | undefined) => {
    if (match === '{{') return '{';
    if (match === '}}') return '}';
    const value = valueOf(name as string);
    if (value === undefined) return match;
    const filled = textOf(at(value, (path ?? '').split('.').slice(1)));
    size += filled.length - match.length;
    if (size > MAX_TEXT_CHARS)
      throw new Error(`The text has more than ${MAX_TEXT_CHARS} characters. Use fewer variables or shorter values.`);
    return filled;
  });
}

function at(value: unknown, path: readonly string[]): unknown {
  let current = value;
  for (const key of path) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, key)) return undefined;
    current = (current as Record<string, unknown>)[key];
  }
  return current;
}

/**
 * A value as text: a message's text, or JSON for what has no text.
 *
 * @throws Error where the JSON would have more characters than one output of a node may have, before it is made
 */
export const textOf = (value: unknown): string => textWith(value, jsonOf);

/** As {@link textOf}, but of a value whose JSON is longer than `most` only the beginning. */
export const textBeginning = (value: unknown, most: number): string =>
  textWith(value, (each) => jsonBeginning(each, most));

function textWith(value: unknown, toJson: (value: object) => string): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  if (typeof value === 'object' && typeof (value as { text?: unknown }).text === 'string')
    return (value as { text: string }).text;
  return typeof value === 'object' ? toJson(value) : String(value as number | boolean | bigint | symbol);
}

/** More columns are left out. */
const MAX_COLUMNS = 20;

/** Records as a table of texts for a person: a column for each of their names. `moreColumns`: how many are left out. */
export function tableOf(records: readonly Readonly<Record<string, unknown>>[]): {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly moreColumns: number;
} {
  const names = [...new Set(records.flatMap((record) => Object.keys(record)))];
  const columns = names.slice(0, MAX_COLUMNS);
  const rows = records.map((record) => columns.map((column) => cellOf(record[column])));
  return { columns, rows, moreColumns: names.length - columns.length };
}

function cellOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : `${value as string}`;
}
