import type { Descriptor, Json } from '@croft/flow';
import { NAME, OPERATIONS, refers, unquoted } from './column-names.ts';
import { NUMBERS } from './words.ts';

const NO_COLUMN = /^(?:all|the|a|an|each|every|of|for|per|by|in|from|to|with|and|or|value|values|row|rows|file|it)$/i;
const SORTED = new RegExp(`\\bsort\\w*\\b.*?\\bby\\s+(?:the\\s+)?(?:column\\s+)?${NAME}`, 'i');
/** The words for the order of rows, by whether the smallest comes first. */
export const ORDER_WORDS = {
  true: 'ascending lowest smallest least oldest increasing order',
  false: 'descending highest largest biggest most newest decreasing order',
} as const;
const anyOf = (words: string): RegExp =>
  new RegExp(`\\b(?:${words.replace(/ order$/, '').replaceAll(' ', '|')})\\b`, 'i');
const DESCENDING = anyOf(ORDER_WORDS.false);
const ASCENDING = anyOf(ORDER_WORDS.true);
/** A number of rows. */
export const COUNT = '\\d{1,6}|one|two|three|four|five|ten';
const FIRST = new RegExp(
  `\\b(?:first|top)\\s+(${COUNT})\\b|\\b(${COUNT})\\s+(?:first|highest|largest|biggest|newest|lowest|smallest|oldest)\\b`,
  'i',
);
const SUMMARY = new RegExp(
  `\\b(${Object.keys(OPERATIONS).join('|')})s?\\s+(?:up\\s+)?(?:of\\s+)?(?:the\\s+)?(?:column\\s+)?${NAME}`,
  'i',
);
/** Rows of each group. Words and lines are counted in texts. */
const COUNTED =
  /\b(?:count(?:s|ing)?|how many|number of)\s+(?:the\s+)?(?:number of\s+)?(?!words?\b|lines?\b|characters?\b|letters?\b)([A-Za-z_]\w*)\s+(?:per|by|for each|for every|in each)\s/i;
const GROUP = new RegExp(`\\b(?:per|by|for each|for every|in each)\\s+(?:the\\s+)?${NAME}`, 'i');

/** The number of rows to keep, as in `the first two` or `top 10`. */
export function limitIn(text: string): number | undefined {
  const limit = FIRST.exec(text)
    ?.slice(1)
    .find((each) => each !== undefined);
  return limit === undefined ? undefined : countOf(limit);
}

/** The number that a text of {@link COUNT} says. */
export const countOf = (text: string): number => NUMBERS[text.toLowerCase()] ?? Number(text);

/** Whether a clause says by which column rows are sorted. */
export const sortsRows = (text: string): boolean => columnIn(SORTED, text) !== undefined;

/** Columns, order and summary of a clause for the components that sort and group rows. `request` holds the clause. */
export function rowValuesFor({ type }: Descriptor, clause: string, request: string): Readonly<Record<string, Json>> {
  if (type === 'SortRows') {
    const column = columnIn(SORTED, clause);
    if (column === undefined) return {};
    const limit = limitIn(request);
    return {
      column_name: column,
      ...(DESCENDING.test(request) ? { ascending: false } : ASCENDING.test(request) && { ascending: true }),
      ...(limit !== undefined && { limit }),
    };
  }
  if (type !== 'AggregateRows') return {};
  const group = columnIn(GROUP, clause);
  const counted = columnIn(COUNTED, clause) ?? (/\brows\b/i.test(clause) && COUNTED.test(clause) ? 'count' : undefined);
  if (counted !== undefined && group !== undefined)
    return { group_by: group, aggregations: [{ column_name: '', operation: 'count', name: counted }] };
  const found = SUMMARY.exec(clause);
  const column = columnIn(SUMMARY, clause, 2);
  const operation = OPERATIONS[found?.[1]?.toLowerCase() ?? ''];
  if (column === undefined || operation === undefined) return {};
  return {
    ...(group !== undefined && { group_by: group }),
    aggregations: [{ column_name: column, operation, name: `${operation} of ${column}` }],
  };
}

function columnIn(pattern: RegExp, clause: string, group = 1): string | undefined {
  const column = pattern.exec(clause)?.[group];
  return column === undefined || NO_COLUMN.test(column) || refers(column) ? undefined : unquoted(column);
}
