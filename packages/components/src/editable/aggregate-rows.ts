import {
  asNumber,
  compareKeys,
  Component,
  ComponentError,
  isRow,
  requireColumn,
  type Row,
  sortKey,
  toRows,
  toText,
  valueAt,
} from './component.ts';

/** Groups of rows with counts, sums and other summaries. */
export class AggregateRows extends Component {
  label = 'Aggregate rows';
  description = 'Groups rows by columns, and counts, sums or otherwise summarises each group.';
  icon = 'sigma';
  inputs = [
    { name: 'df', label: 'Rows', kind: 'handle', accepts: ['Table', 'Data'], list: true, required: true },
    {
      name: 'group_by',
      label: 'Group by',
      kind: 'text',
      default: '',
      variables: false,
      help: 'Columns separated by commas. Empty: one group with all rows.',
      accepts: [],
    },
    {
      name: 'aggregations',
      label: 'Summaries',
      kind: 'table',
      default: [],
      columns: [
        { name: 'column_name', label: 'Column', kind: 'text' },
        {
          name: 'operation',
          label: 'Summary',
          kind: 'select',
          options: ['count', 'count distinct', 'sum', 'average', 'min', 'max', 'first', 'last', 'list'],
        },
        { name: 'name', label: 'Name of the result', kind: 'text' },
      ],
      help: 'Empty: the number of rows as count. Values that are not numbers do not count in sums.',
    },
  ];
  outputs = [{ name: 'output', label: 'Groups', types: ['Table'] }];
  df: unknown;
  group_by: unknown;
  aggregations: unknown;

  run() {
    const keys = columnsIn(toText(this.group_by ?? ''));
    const wanted = summariesIn(this.aggregations);
    const groups = new Map<string, { readonly key: Row; readonly rows: Row[] }>();
    const all = toRows(this.df);
    for (const column of [...keys, ...wanted.flatMap((each) => each.column)]) requireColumn(all, column);
    for (const row of all) {
      const values = keys.map((key) => valueAt(row, key) ?? null);
      const name = JSON.stringify(values);
      const group = groups.get(name);
      if (group) group.rows.push(row);
      else groups.set(name, { key: Object.fromEntries(keys.map((key, at) => [key, values[at]])), rows: [row] });
    }
    if (keys.length === 0 && groups.size === 0) groups.set('', { key: {}, rows: [] });
    const output = [...groups.values()].map(({ key, rows }) => ({
      ...key,
      ...Object.fromEntries(wanted.map(({ name, summarise }) => [name, summarise(rows)])),
    }));
    return { output };
  }
}

/** Summaries of the values of a column, in the order of their rows. */
const OPERATIONS: Readonly<Record<string, (values: readonly unknown[]) => unknown>> = {
  count: (values) => values.length,
  'count distinct': (values) => new Set(values.map(toText)).size,
  sum: (values) => sum(numbers(values)),
  average: (values) => (numbers(values).length === 0 ? null : sum(numbers(values)) / numbers(values).length),
  min: (values) => extreme(values, -1),
  max: (values) => extreme(values, 1),
  first: (values) => values[0] ?? null,
  last: (values) => values.at(-1) ?? null,
  list: (values) => values,
};

/** The smallest value for the sign -1, the largest for 1; of equal ones the first. */
function extreme(values: readonly unknown[], sign: number): unknown {
  let best: unknown = null;
  let bestKey: ReturnType<typeof sortKey> | undefined;
  for (const value of values) {
    const key = sortKey(value);
    if (bestKey !== undefined && sign * compareKeys(key, bestKey) <= 0) continue;
    best = value;
    bestKey = key;
  }
  return best;
}

const numbers = (values: readonly unknown[]): readonly number[] =>
  values.flatMap((value) => {
    const number = asNumber(value);
    return number === undefined ? [] : [number];
  });
const sum = (values: readonly number[]): number => values.reduce((total, each) => total + each, 0);

const columnsIn = (text: string): readonly string[] =>
  text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');

interface Summary {
  readonly name: string;
  /** The column that it needs; empty where it counts rows. */
  readonly column: readonly string[];
  readonly summarise: (rows: readonly Row[]) => unknown;
}

function summariesIn(value: unknown): readonly Summary[] {
  const rows = Array.isArray(value) ? value.filter(isRow) : [];
  if (rows.length === 0) return [{ name: 'count', column: [], summarise: (each) => each.length }];
  return rows.map((row) => {
    const column = toText(row['column_name'] ?? '').trim();
    const operation = toText(row['operation'] ?? 'count').trim();
    const apply = Object.hasOwn(OPERATIONS, operation) ? OPERATIONS[operation] : undefined;
    if (apply === undefined)
      throw new ComponentError(
        `There is no summary '${operation.slice(0, 100)}'.`,
        `Use one of these: ${Object.keys(OPERATIONS).join(', ')}.`,
      );
    const name = toText(row['name'] ?? '').trim();
    // A count without a column counts rows; with one, it counts the rows that have a value.
    const valuesOf = (group: readonly Row[]) =>
      column === ''
        ? group
        : group.map((each) => valueAt(each, column)).filter((each) => each !== undefined && each !== null);
    return {
      name: name === '' ? [operation.replaceAll(' ', '_'), column].filter(Boolean).join('_') : name,
      column: column === '' ? [] : [column],
      summarise: (group) => apply(valuesOf(group)),
    };
  });
}
