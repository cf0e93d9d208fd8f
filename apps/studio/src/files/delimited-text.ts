import { delimiterOf } from '@croft/flow';

/** The first rows of a text, for a table. */
export interface FirstRows {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Whether the text has more rows. */
  readonly hasMore: boolean;
  /** Of the columns that the rows have, how many are left out. */
  readonly moreColumns: number;
}

/** How much of a text a table shows. */
export interface TableLimits {
  readonly rows: number;
  readonly columns: number;
  /** With the names of the columns. */
  readonly cells: number;
}

/** Whether a file has rows of values, by its extension. */
export const isDelimited = (name: string): boolean => /\.(csv|tsv)$/i.test(name);

/**
 * Reads the first rows of a CSV or TSV text (RFC 4180) of a file with this name. The first line names the columns. Below one column, a
 * line is one value, as `ReadData` reads it. A quote in the wrong place is a part of its value.
 */
export function firstRows(text: string, name: string, limits: TableLimits): FirstRows {
  const body = text.replace(/^\ufeff/, '');
  const lines = readLines(body, delimiterOf(text, name), limits);
  const width = lines.reduce((most, line) => Math.max(most, line.count), 0);
  const columns = Math.min(width, limits.columns);
  const maxRows = Math.min(limits.rows, Math.floor(limits.cells / Math.max(columns, 1)) - 1);
  const [head = [], ...rows] = lines.map((line) => line.values);
  return {
    columns: [...head, ...Array<string>(columns - head.length).fill('')],
    rows: rows.slice(0, maxRows),
    hasMore: rows.length > maxRows,
    moreColumns: width - columns,
  };
}

/** The values of a line that are shown, and the number of all. */
interface Line {
  readonly values: string[];
  count: number;
}

/** Lines without a value are left out. */
function readLines(text: string, delimiter: string, limits: TableLimits): Line[] {
  let value = valueBefore(delimiter);
  const lines: Line[] = [];
  let line: Line = { values: [], count: 0 };
  const add = (each: string) => {
    line.count += 1;
    if (line.count <= limits.columns) line.values.push(each);
  };
  while (value.lastIndex < text.length && lines.length < limits.rows + 2) {
    const [, raw = '', end] = value.exec(text) ?? [];
    add(raw.startsWith('"') && raw.length > 1 && raw.endsWith('"') ? raw.slice(1, -1).replaceAll('""', '"') : raw);
    if (end === delimiter) continue;
    if (line.count > 1 || line.values[0] !== '') lines.push(line);
    if (lines.length === 1 && lines[0]?.count === 1) value = valueBefore('', value.lastIndex);
    line = { values: [], count: 0 };
  }
  if (line.count > 0) {
    add('');
    lines.push(line);
  }
  return lines;
}

/** Matches a value and the delimiter or the line end after it. Without a delimiter, a value is a line. */
function valueBefore(delimiter: string, from = 0): RegExp {
  const end = delimiter === '' ? '' : `${delimiter}|`;
  const value = new RegExp(`("[^"]*(?:""[^"]*)*"|[^${delimiter}\\r\\n]*)(${end}\\r\\n?|\\n|$)`, 'y');
  value.lastIndex = from;
  return value;
}
