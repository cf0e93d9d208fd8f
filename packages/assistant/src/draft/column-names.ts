import type { FlowDocument, Json } from '@croft/flow';
import type { Step } from './chain.ts';
import type { RequestClause } from './request-parts.ts';
import { escaped } from './words.ts';

/** A quoted text in a clause. */
export const QUOTED = '["\'`“][^"\'`“”]+["\'`”]';
/** A name in a clause: one word, or a quoted text. */
export const NAME = `(${QUOTED}|[A-Za-z_]\\w*(?:\\.\\w+)*)`;

/** A name without its quotes. */
export const unquoted = (name: string): string => name.replace(/^["'`“](.+)["'`”]$/, '$1');

/** Summaries of rows, by the words for them. */
export const OPERATIONS: Readonly<Record<string, string>> = {
  total: 'sum',
  sum: 'sum',
  average: 'average',
  mean: 'average',
  minimum: 'min',
  maximum: 'max',
};
const SUMMARIES: Readonly<Record<string, string>> = { ...OPERATIONS, count: 'count', min: 'min', max: 'max' };
/** Pronouns and nouns for the rows themselves. */
const REFERS =
  /^(?:it|its|this|that|these|those|they|them|their|he|she|him|her|which|who|ones?|all|each|any|the|rows?|records?|entries)$/i;

/** Whether an unquoted word refers to rows or to what was said before, and names no column. */
export const refers = (word: string): boolean => REFERS.test(word);

/** The words for the summaries of a table of values. */
export const summaryWords = (value: Json): readonly string[] =>
  summariesIn(value).flatMap(({ operation }) => Object.keys(SUMMARIES).filter((word) => SUMMARIES[word] === operation));

/** The names that a flow gives to columns. */
export const columnsIn = ({ nodes }: Pick<FlowDocument, 'nodes'>): ReadonlySet<string> =>
  new Set(
    nodes.flatMap(({ values }) => [
      ...[values['column_name'], values['group_by']].flatMap((each) => (typeof each === 'string' ? listed(each) : [])),
      ...summariesIn(values['aggregations'] ?? null).map(({ name }) => name),
    ]),
  );

/** The steps before a clause, all clauses, and the columns that a flow on the canvas names. */
export interface KnownRows {
  readonly before: readonly Step[];
  readonly clauses: readonly RequestClause[];
  readonly columns: ReadonlySet<string>;
}

/**
 * The values of a step with the columns that its rows have. After a summary, `the total`, or the column that was summed, is the
 * column with that summary. Undefined where a word is not a column of summarised rows, and for words such as `the sum` where
 * nothing shows that they name a column: neither quotes, nor another part of the request, nor the flow.
 */
export function withColumns(config: Step['config'], clause: string, known: KnownRows): Step['config'] | undefined {
  const { column_name: column, aggregations } = config;
  const [summary] = summariesIn(aggregations ?? null);
  if (typeof column === 'string') {
    const name = columnFor(column, clause, known);
    return name === undefined ? undefined : { ...config, column_name: name };
  }
  if (summary === undefined || summary.column === '') return config;
  return columnFor(summary.column, clause, known) === summary.column ? config : undefined;
}

function columnFor(word: string, clause: string, { before, clauses, columns }: KnownRows): string | undefined {
  const plain = escaped(word);
  const has = (pattern: string, text: string) => new RegExp(pattern, 'i').test(text);
  if (has(`["'\`“]${plain}["'\`”]`, clause)) return word;
  const rows = summarisedBy(before);
  if (rows !== undefined) {
    if (rows.columns.includes(word)) return word;
    const meant = rows.summaries.filter(
      ({ column, operation }) => column === word || SUMMARIES[word.toLowerCase()] === operation,
    );
    // A dot leads into a record.
    return meant.length === 1 && meant[0]?.name.includes('.') === false ? meant[0].name : undefined;
  }
  const isSummary = Object.hasOwn(SUMMARIES, word.toLowerCase()) && has(`\\bthe\\s+${plain}\\b`, clause);
  const isNamed = `\\b(?:by|where|whose|column|field)\\s+${plain}\\b|\\b${plain}\\s+(?:column|field)\\b|["'\`“]${plain}["'\`”]`;
  return !isSummary || columns.has(word) || clauses.some(({ text }) => has(isNamed, text)) ? word : undefined;
}

/** The summaries whose rows the steps give, with all of their columns; undefined where the rows are other ones. */
function summarisedBy(steps: readonly Step[]) {
  const at = steps.findLastIndex(({ config }) => config['aggregations'] !== undefined);
  const step = steps[at];
  const isSame = ({ config }: Step) => config['column_name'] !== undefined;
  if (step === undefined || !steps.slice(at + 1).every(isSame)) return undefined;
  const summaries = summariesIn(step.config['aggregations'] ?? null);
  const groups = step.config['group_by'];
  return {
    summaries,
    columns: [...(typeof groups === 'string' ? listed(groups) : []), ...summaries.map(({ name }) => name)],
  };
}

const listed = (names: string): readonly string[] => names.split(',').map((each) => each.trim());

function summariesIn(
  value: Json,
): readonly { readonly column: string; readonly operation: string; readonly name: string }[] {
  const rows = Array.isArray(value) ? (value as readonly Json[]) : [];
  return rows.flatMap((row) => {
    if (typeof row !== 'object' || row === null || Array.isArray(row)) return [];
    const { column_name: column, operation, name } = row as Readonly<Record<string, Json>>;
    return typeof operation === 'string' && typeof name === 'string'
      ? [{ column: typeof column === 'string' ? column : '', operation, name }]
      : [];
  });
}
