import { ComponentError } from '../services.ts';
import { csvHead } from '../user/sandbox/parse-data.ts';
import { type Row, toRows, toText } from '../values.ts';
import { endsWithLine, storedText } from './stored-text.ts';

/** Bytes in which the header of a CSV file has to end. */
const MAX_HEAD = 65_536;
const CRLF = '\r\n';

/**
 * RFC 4180; the columns are all keys of all rows, in the order in which they appear. Rows name the columns: without rows the
 * text is empty.
 */
export function toCsv(value: unknown, delimiter = ','): string {
  const rows = toRows(value);
  const columns = columnsOf(rows);
  if (columns.length === 0) return '';
  return csvLines([columns, ...rows.map((row) => columns.map((column) => row[column]))], delimiter, CRLF);
}

/** A table of Markdown, as GitHub reads it; the columns are all keys of all rows. A line break in a value becomes a space. */
export function toMarkdownTable(rows: readonly Row[]): string {
  const columns = columnsOf(rows);
  const line = (cells: readonly unknown[]) => `| ${cells.map(markdownCell).join(' | ')} |\n`;
  return [columns, columns.map(() => '---'), ...rows.map((row) => columns.map((column) => row[column]))]
    .map(line)
    .join('');
}

const markdownCell = (value: unknown): string =>
  toText(value)
    .replace(/[\\|]/g, '\\$&')
    .replace(/[\r\n]+/g, ' ');

const columnsOf = (rows: readonly Row[]): readonly string[] => [...new Set(rows.flatMap((row) => Object.keys(row)))];

/** JSON Lines: each record on a line of its own. */
export const toJsonLines = (value: unknown): string =>
  toRows(value)
    .map((row) => `${JSON.stringify(row)}\n`)
    .join('');

/**
 * The text that adds records to a file of JSON lines with this content, which may lack the end of its last line.
 *
 * @throws ComponentError where the file is one JSON value, which lines after it would break
 */
export function addedJsonLines(value: unknown, before: Buffer, path: string): string {
  const lines = toJsonLines(value);
  if (before.length === 0 || lines === '') return lines;
  if (isOneValue(before) || isUnendedValue(before, path))
    throw new ComponentError(
      `'${path}' is one JSON value, so no line was added.`,
      'Add the records to another file, such as one that ends in .jsonl.',
    );
  return endsWithLine(before) ? lines : `\n${lines}`;
}

/** Whether the content is a list, or an object over several lines. */
function isOneValue(content: Buffer): boolean {
  const [line = '', next] = storedText(content, MAX_HEAD).trimStart().split('\n', 2);
  // The first line is longer than the head: a record.
  if (next === undefined && content.length > MAX_HEAD && !line.startsWith('[')) return false;
  const first = parsed(line);
  if (first !== undefined && !Array.isArray(first)) return false;
  const whole = parsed(storedText(content));
  return typeof whole === 'object' && whole !== null;
}

/** Whether a `.json` file is one value without an end of its line. Croft ends each line that it writes. */
const isUnendedValue = (content: Buffer, path: string): boolean =>
  /\.json$/i.test(path) && !endsWithLine(content) && parsed(storedText(content)) !== undefined;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/**
 * The text that adds rows to a CSV file with this content: by its columns, delimiter and line ends, without a second header.
 *
 * @param ofNewFile the delimiter of a file without content
 * @throws ComponentError where a row has a column that the file does not have
 */
export async function addedCsv(value: unknown, before: Buffer, path: string, ofNewFile = ','): Promise<string> {
  const rows = toRows(value);
  if (rows.length === 0) return '';
  const head = storedText(before, MAX_HEAD);
  if (head.trim() === '') return toCsv(rows, ofNewFile);
  const { columns, delimiter, lineEnd } = await csvHead(head, path);
  const unknown = rows.flatMap((row) => Object.keys(row)).find((name) => !columns.includes(name));
  if (unknown !== undefined)
    throw new ComponentError(
      `'${path}' has no column '${unknown.slice(0, 100)}', so the row was not added.`,
      `Its columns are: ${columns.join(', ').slice(0, 500)}. Leave the value out, or choose another file.`,
    );
  const lines = csvLines(
    rows.map((row) => columns.map((column) => row[column])),
    delimiter,
    lineEnd,
  );
  return endsWithLine(before, lineEnd) ? lines : `${lineEnd}${lines}`;
}

function csvLines(rows: readonly (readonly unknown[])[], delimiter: string, lineEnd: string): string {
  const cell = (each: unknown) => {
    const text = toText(each);
    return /["\r\n]/.test(text) || text.includes(delimiter) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  // Readers skip a line without characters, which would lose the row.
  return rows.map((cells) => `${cells.map(cell).join(delimiter) || '""'}${lineEnd}`).join('');
}
