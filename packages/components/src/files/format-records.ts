import { ComponentError } from '../services.ts';
import { csvHead } from '../user/sandbox/parse-data.ts';
import { toRows, toText } from '../values.ts';

/** Characters in which the header of a CSV file has to end. */
const MAX_HEAD = 65_536;

/** RFC 4180; the columns are all keys of all rows, in the order in which they appear. */
export function toCsv(value: unknown): string {
  const rows = toRows(value);
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return csvLines([columns, ...rows.map((row) => columns.map((column) => row[column]))], ',');
}

/** JSON Lines: each record on a line of its own. */
export const toJsonLines = (value: unknown): string =>
  toRows(value)
    .map((row) => `${JSON.stringify(row)}\n`)
    .join('');

/**
 * The text that adds rows to a CSV file with this content: by its columns and its delimiter, without a second header.
 *
 * @throws ComponentError where a row has a column that the file does not have
 */
export async function addedCsv(value: unknown, before: Buffer, path: string): Promise<string> {
  const rows = toRows(value);
  if (rows.length === 0) return '';
  const head = before.subarray(0, MAX_HEAD).toString('utf8');
  if (head.trim() === '') return toCsv(rows);
  const { columns, delimiter } = await csvHead(head);
  const unknown = rows.flatMap((row) => Object.keys(row)).find((name) => !columns.includes(name));
  if (unknown !== undefined)
    throw new ComponentError(
      `'${path}' has no column '${unknown.slice(0, 100)}', so the row was not added.`,
      `Its columns are: ${columns.join(', ').slice(0, 500)}. Leave the value out, or choose another file.`,
    );
  const lines = csvLines(
    rows.map((row) => columns.map((column) => row[column])),
    delimiter,
  );
  return before.at(-1) === NEW_LINE ? lines : `\r\n${lines}`;
}

const NEW_LINE = 10;

function csvLines(rows: readonly (readonly unknown[])[], delimiter: string): string {
  const cell = (each: unknown) => {
    const text = toText(each);
    return /["\r\n]/.test(text) || text.includes(delimiter) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return rows.map((cells) => `${cells.map(cell).join(delimiter)}\r\n`).join('');
}
