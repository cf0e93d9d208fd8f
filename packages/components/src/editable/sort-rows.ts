import { compareKeys, Component, requireColumn, sortKey, toRows, valueAt } from './component.ts';

/** Rows in order, and only the first of them. */
export class SortRows extends Component {
  label = 'Sort rows';
  description = 'Sorts rows by a column, and keeps the first ones.';
  icon = 'arrow-down-narrow-wide';
  inputs = [
    { name: 'df', label: 'Rows', kind: 'handle', accepts: ['Table', 'Data'], list: true, required: true },
    {
      name: 'column_name',
      label: 'Column',
      kind: 'text',
      default: '',
      variables: false,
      required: true,
      help: 'A name, or a path such as address.city.',
      accepts: [],
    },
    { name: 'ascending', label: 'Smallest first', kind: 'switch', default: true },
    { name: 'limit', label: 'Rows to keep', kind: 'integer', default: 0, min: 0, help: '0 keeps all.' },
  ];
  outputs = [{ name: 'output', label: 'Rows', types: ['Table'] }];
  df: unknown;
  column_name: unknown;
  ascending: unknown;
  limit: unknown;

  run() {
    const path = String(this.column_name);
    const sign = this.ascending === true ? 1 : -1;
    const rows = toRows(this.df);
    requireColumn(rows, path);
    const keyed = rows.map((row) => ({ row, key: sortKey(valueAt(row, path)) }));
    const sorted = keyed.sort((a, b) => sign * compareKeys(a.key, b.key)).map(({ row }) => row);
    const limit = Number(this.limit);
    return { output: limit > 0 ? sorted.slice(0, limit) : sorted };
  }
}
