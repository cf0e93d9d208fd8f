import type { Registry } from '@croft/flow';
import type { Step } from './chain.ts';
import { BEGIN } from './approval.ts';
import { type KnownRows, NAME, refers, unquoted, withColumns } from './column-names.ts';
import type { RequestClause } from './request-parts.ts';
import { countOf, COUNT, limitIn, sortsRows } from './row-values.ts';

const PLACES: Readonly<Record<string, number>> = { first: 1, second: 2, third: 3, last: -1 };
const PLACE = /\b(first|second|third|last)\s+(?:row|record|item|element|entry)\b/i;

const HIGH = 'highest|largest|biggest|greatest|top';
const END = `(?<end>${HIGH}|lowest|smallest)`;
const ROWS = '(?:row|record|entry)';
const COLUMN = `(?:the\\s+)?(?:column\\s+)?(?<column>${NAME})`;
const OF_FILE = '(?:\\s+(?:of|in|from)\\s+(?:the\\s+(?:file|table)\\s+)?[\\w./-]+\\.\\w+)?[.!?\\s]*$';
const START = `${BEGIN}(?:(?:keep|take|show|give|get|list|find|select|print|return)s?\\s+)?(?:(?:me|only|just|the)\\s+)*`;
/** `the 3 highest rows by price`, `the top 3 rows by price`, `the 3 rows with the highest price`. */
const RANKED = [
  new RegExp(`${START}(?<count>${COUNT})\\s+${END}\\s+(?:rows|records|entries)\\s+by\\s+${COLUMN}${OF_FILE}`, 'i'),
  new RegExp(`${START}${END}\\s+(?<count>${COUNT})\\s+(?:rows|records|entries)\\s+by\\s+${COLUMN}${OF_FILE}`, 'i'),
  new RegExp(
    `${START}(?<count>${COUNT})\\s+(?:rows|records|entries)\\s+with\\s+the\\s+${END}\\s+${COLUMN}${OF_FILE}`,
    'i',
  ),
  new RegExp(`${START}${ROWS}\\s+with\\s+the\\s+${END}\\s+${COLUMN}${OF_FILE}`, 'i'),
];

/** The step for a clause that keeps the rows with the highest or lowest values of a column, and says nothing else. */
export function rankedRows({ text }: RequestClause, rows: KnownRows, registry: Registry): Step | undefined {
  const descriptor = registry.get('SortRows')?.descriptor;
  const found = RANKED.map((each) => each.exec(text)).find((each) => each !== null);
  const { count, end, column } = found?.groups ?? {};
  if (descriptor === undefined || end === undefined || column === undefined || refers(column)) return undefined;
  const ascending = !new RegExp(`^(?:${HIGH})$`, 'i').test(end);
  const values = { column_name: unquoted(column), ascending, limit: count === undefined ? 1 : countOf(count) };
  const config = withColumns(values, text, rows);
  return config && { descriptor, config, read: text };
}

/**
 * The steps for a clause that chooses rows by their place, such as `take the first two`. A step that sorts keeps several rows
 * by its limit, so they need no other step. No component keeps several rows that were not sorted.
 *
 * @param found the steps of the clauses before. The clause is noted at the step that sorts
 * @returns `undefined` for other clauses
 */
export function chosenRows({ text }: RequestClause, found: Step[], registry: Registry): readonly Step[] | undefined {
  const limit = limitIn(text);
  if (limit !== undefined && !sortsRows(text)) {
    const at = found.findIndex(({ descriptor }) => descriptor.type === 'SortRows');
    const sort = found[at];
    if (sort?.config['limit'] === limit) found[at] = { ...sort, read: text };
    return [];
  }
  const place = PLACES[PLACE.exec(text)?.[1]?.toLowerCase() ?? ''];
  const item = registry.get('ListItem')?.descriptor;
  return place === undefined || item === undefined
    ? undefined
    : [{ descriptor: item, config: { index: place }, read: text }];
}

/** The request for the values of the clause at `at`. The first rows of an earlier clause are not the first ones in its order. */
export const requestFrom = (clauses: readonly RequestClause[], at: number): string =>
  clauses
    .filter(({ text }, index) => index >= at || !/\bfirst\b/i.test(text))
    .map(({ text }) => text)
    .join(' ');
