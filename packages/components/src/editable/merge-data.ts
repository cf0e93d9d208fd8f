import { Component, ComponentError, type Row, toRows, toText, valueAt } from './component.ts';

/** Several tables or records as one. */
export class MergeData extends Component {
  label = 'Merge data';
  description = 'Appends tables, merges records into one, or joins two tables by a column.';
  icon = 'merge';
  inputs = [
    {
      name: 'data_inputs',
      label: 'Tables or records',
      kind: 'handle',
      accepts: ['Table', 'Data'],
      list: true,
      required: true,
      help: 'In the order of their connections.',
    },
    {
      name: 'operation',
      label: 'Operation',
      kind: 'select',
      options: ['Concatenate', 'Merge', 'Join'],
      default: 'Concatenate',
      help: 'Concatenate: all rows. Merge: one record; later values win. Join: rows with those of the second table.',
    },
    {
      name: 'join_with',
      label: 'Second table',
      kind: 'handle',
      accepts: ['Table', 'Data'],
      required: true,
      showWhen: { field: 'operation', is: ['Join'] },
    },
    {
      name: 'join_on',
      label: 'Key column',
      kind: 'text',
      required: true,
      variables: false,
      showWhen: { field: 'operation', is: ['Join'] },
      accepts: [],
    },
    {
      name: 'how',
      label: 'Rows to keep',
      kind: 'select',
      options: ['inner', 'left', 'outer'],
      default: 'inner',
      help: 'inner: rows with a counterpart. left: all of the first table. outer: all of both.',
      showWhen: { field: 'operation', is: ['Join'] },
    },
  ];
  outputs = [{ name: 'merged_data', label: 'Result', types: ['Table'] }];
  data_inputs: unknown;
  operation: unknown;
  join_with: unknown;
  join_on: unknown;
  how: unknown;

  run() {
    const rows = toRows(this.data_inputs);
    if (this.operation === 'Concatenate') return { merged_data: rows };
    if (this.operation === 'Merge') {
      const merged: Record<string, unknown> = {};
      for (const row of rows) Object.assign(merged, row);
      return { merged_data: [merged] };
    }
    return { merged_data: join(rows, toRows(this.join_with), toText(this.join_on), String(this.how)) };
  }
}

/** Values of all rows together: 100,000 rows with 20 columns. Each row has at least the two keys. */
const MAX_CELLS = 2_000_000;

/** A hash join. Columns of the right table with the name of a left one get the suffix `_right`. */
function join(left: readonly Row[], right: readonly Row[], key: string, how: string): readonly Row[] {
  const byKey = new Map<string, Row[]>();
  for (const row of right) {
    const value = valueAt(row, key);
    if (value === undefined || value === null) continue;
    const found = byKey.get(toText(value));
    if (found) found.push(row);
    else byKey.set(toText(value), [row]);
  }
  const matchesOf = (row: Row): readonly Row[] => {
    const value = valueAt(row, key);
    return value === undefined || value === null ? [] : (byKey.get(toText(value)) ?? []);
  };
  requireFewCells(left, right, matchesOf);
  const used = new Set<Row>();
  const joined: Row[] = [];
  for (const row of left) {
    const matches = matchesOf(row);
    for (const match of matches) {
      used.add(match);
      joined.push(combined(row, match, key));
    }
    if (matches.length === 0 && how !== 'inner') joined.push(row);
  }
  return how === 'outer' ? [...joined, ...right.filter((row) => !used.has(row))] : joined;
}

/** Counts the values of a join before any row is made. */
function requireFewCells(left: readonly Row[], right: readonly Row[], matchesOf: (row: Row) => readonly Row[]): void {
  const columnsOf = new Map(right.map((row) => [row, Object.keys(row).length]));
  let cells = 0;
  for (const row of left) {
    const matches = matchesOf(row);
    cells += matches.length * Object.keys(row).length;
    for (const match of matches) cells += columnsOf.get(match) ?? 0;
    if (cells > MAX_CELLS)
      throw new ComponentError(
        `The join has more than ${MAX_CELLS} values.`,
        'Join by a column with distinct values, or remove columns first.',
      );
  }
}

function combined(left: Row, right: Row, key: string): Row {
  // One by one onto a copy of the row takes ten times as long where there are many columns.
  const entries = Object.entries(left);
  for (const [name, value] of Object.entries(right))
    if (name !== key) entries.push([Object.hasOwn(left, name) ? `${name}_right` : name, value]);
  return Object.fromEntries(entries);
}
