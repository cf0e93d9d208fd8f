/** A text with records, and its format. */
export interface DataText {
  readonly language: 'CSV' | 'YAML';
  readonly text: string;
  /** Of CSV. Empty: comma, semicolon or tab, whichever the first line has most. */
  readonly delimiter: string;
}

/**
 * Parses CSV or YAML. A megabyte of YAML takes seconds and hundreds of megabytes: call it in the sandbox's thread, or with
 * small texts.
 *
 * @throws the parser's error
 */
export async function parseData({ language, text, delimiter }: DataText): Promise<unknown> {
  if (language === 'YAML') {
    const { parse } = await import('yaml');
    // The library refuses documents whose aliases expand to more than 100 nodes each.
    return parse(text, { maxAliasCount: 100 }) as unknown;
  }
  const { parse } = await import('csv-parse/sync');
  return parse(text, {
    columns: columnsOf,
    delimiter: delimiter === '' ? guessDelimiter(text) : delimiter === '\\t' ? '\t' : delimiter,
    // Else the parser takes the first one for all lines, and a line that another program added has a value that ends in CR.
    record_delimiter: lineEndOf(text) === '\r' ? ['\r'] : ['\r\n', '\n'],
    bom: true,
    skip_empty_lines: true,
    relax_column_count: true,
  });
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

function guessDelimiter(text: string): string {
  const line = text.split('\n', 1)[0] ?? '';
  const counts = [',', ';', '\t'].map((each) => [each, line.split(each).length] as const);
  return counts.reduce((best, each) => (each[1] > best[1] ? each : best))[0];
}

/** The columns, the delimiter and the line ends of a CSV file, from its first lines. */
export async function csvHead(
  text: string,
): Promise<{ readonly columns: readonly string[]; readonly delimiter: string; readonly lineEnd: string }> {
  const delimiter = guessDelimiter(text);
  const { parse } = await import('csv-parse/sync');
  const [first = []] = parse(text, { delimiter, bom: true, skip_empty_lines: true, relax_column_count: true, to: 1 });
  return { columns: columnsOf(first), delimiter, lineEnd: lineEndOf(text) ?? '\r\n' };
}
