import { delimiterOf } from '@croft/flow';

/** A text with records, and its format. */
export interface DataText {
  readonly language: 'CSV' | 'YAML';
  readonly text: string;
  /** Of CSV. Empty: as `delimiterOf` finds it. */
  readonly delimiter: string;
  /** Of the file that has the text. */
  readonly name?: string;
}

/**
 * Parses CSV or YAML. In CSV, values without a name in the header have columns of their own. A megabyte of YAML takes seconds and
 * hundreds of megabytes: call it in the sandbox's thread, or with small texts.
 *
 * @throws the parser's error
 */
export async function parseData({ language, text, delimiter, name = '' }: DataText): Promise<unknown> {
  if (language === 'YAML') {
    const { parse } = await import('yaml');
    // The library refuses documents whose aliases expand to more than 100 nodes each.
    return parse(text, { maxAliasCount: 100 }) as unknown;
  }
  return parseCsv(text, delimiter, name);
}

/** A character that separates no values. */
const NONE = '\0';

async function parseCsv(text: string, chosen: string, name: string): Promise<CsvRecord[]> {
  const { CsvError, parse } = await import('csv-parse/sync');
  let delimiter = chosen === '' ? delimiterOf(text, name) : chosen === '\\t' ? '\t' : chosen;
  let header: readonly string[] = [];
  let columns: string[] = [];
  for (let width = 0; ; ) {
    try {
      const records: CsvRecord[] = parse(text, {
        columns: (first: readonly string[]) => {
          header = first;
          columns = columnsOf([...first, ...Array<string>(Math.max(0, width - first.length)).fill('')]);
          return columns;
        },
        delimiter,
        // Else the parser takes the first one for all lines, and a line that another program added has a value that ends in CR.
        record_delimiter: lineEndOf(text) === '\r' ? ['\r'] : ['\r\n', '\n'],
        bom: true,
        skip_empty_lines: true,
        // With longer rows too, the parser drops their values without a column.
        relax_column_count_less: true,
      });
      if (width > 0) dropEmptyEnds(records, new Set(columns.slice(header.length)));
      return records;
    } catch (error) {
      if (!(error instanceof CsvError) || error.code !== 'CSV_RECORD_INCONSISTENT_COLUMNS') throw error;
      const { length } = error['record'] as readonly string[];
      // Nothing in a header of one column says that the lines below it have several values: each is one.
      if (chosen === '' && header.length === 1 && delimiter !== NONE) delimiter = NONE;
      // At least twice as many: rows that are each longer than the one before would parse the text again and again.
      else width = Math.max(length, 2 * width);
    }
  }
}

type CsvRecord = Record<string, string>;

/** Removes empty values at the ends of rows, where the header has no columns for them: many programs end a row with a delimiter. */
function dropEmptyEnds(records: readonly CsvRecord[], unnamed: ReadonlySet<string>): void {
  for (const record of records)
    for (const column of Object.keys(record).reverse()) {
      if (!unnamed.has(column) || record[column] !== '') break;
      delete record[column];
    }
}

/** The names of the columns, each once: a second `a` is `a_2`, or has the next number that no column has. */
function columnsOf(header: readonly string[]): string[] {
  const names = header.map((name) => name.trim());
  const taken = new Set(names);
  /** The last number of each name: to begin at 2 for each of many equal names takes seconds. */
  const numbers = new Map<string, number>();
  return names.map((name, at) => {
    const base = name === '' ? `column_${at + 1}` : name;
    let unique = base;
    let number = numbers.get(name) ?? 1;
    if (name === '' || numbers.has(name)) while (taken.has(unique)) unique = `${base}_${++number}`;
    if (name !== '') numbers.set(name, number);
    taken.add(unique);
    return unique;
  });
}

/** How the first line ends; undefined where there is only one. */
const lineEndOf = (text: string): string | undefined => /\r\n|\n|\r/.exec(text)?.[0];

/** The columns, the delimiter and the line ends of a CSV file with this name, from its first lines. */
export async function csvHead(
  text: string,
  name: string,
): Promise<{ readonly columns: readonly string[]; readonly delimiter: string; readonly lineEnd: string }> {
  const delimiter = delimiterOf(text, name);
  const { parse } = await import('csv-parse/sync');
  const [first = []] = parse(text, { delimiter, bom: true, skip_empty_lines: true, relax_column_count: true, to: 1 });
  return { columns: columnsOf(first), delimiter, lineEnd: lineEndOf(text) ?? '\r\n' };
}
