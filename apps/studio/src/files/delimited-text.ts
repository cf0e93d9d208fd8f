/** The first rows of a text, for a table. */
export interface FirstRows {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly hasMore: boolean;
}

/** Whether a file has rows of values, by its extension. */
export const isDelimited = (name: string): boolean => /\.(csv|tsv)$/i.test(name);

/**
 * Reads the first rows of a CSV or TSV text (RFC 4180). The first line names the columns, and its most frequent character of comma,
 * semicolon and tab separates the values. A quote in the wrong place is a part of its value.
 */
export function firstRows(text: string, maxRows: number): FirstRows {
  const body = text.replace(/^\ufeff/, '');
  const lines = readLines(body, delimiterOf(/^[^\r\n]*/.exec(body)?.[0] ?? ''), maxRows + 2);
  const [head = [], ...rows] = lines;
  const shown = rows.slice(0, maxRows);
  const width = Math.max(...lines.map((line) => line.length), 0);
  return {
    columns: [...head, ...Array<string>(width - head.length).fill('')],
    rows: shown,
    hasMore: rows.length > maxRows,
  };
}

function delimiterOf(line: string): string {
  const countOf = (each: string) => line.split(each).length;
  return [';', '\t'].reduce((best, each) => (countOf(each) > countOf(best) ? each : best), ',');
}

/** Lines without a value are left out. */
function readLines(text: string, delimiter: string, maxLines: number): string[][] {
  const value = new RegExp(`("[^"]*(?:""[^"]*)*"|[^${delimiter}\\r\\n]*)(${delimiter}|\\r\\n?|\\n|$)`, 'y');
  const lines: string[][] = [];
  let line: string[] = [];
  while (value.lastIndex < text.length && lines.length < maxLines) {
    const [, raw = '', end] = value.exec(text) ?? [];
    line.push(
      raw.startsWith('"') && raw.length > 1 && raw.endsWith('"') ? raw.slice(1, -1).replaceAll('""', '"') : raw,
    );
    if (end === delimiter) continue;
    if (line.length > 1 || line[0] !== '') lines.push(line);
    line = [];
  }
  if (line.length > 0) lines.push([...line, '']);
  return lines;
}
