import { pathOf } from '../files/read-file.ts';
import { ComponentError, type CroftComponent, requireWorkspace } from '../services.ts';
import { toData, toRows, toText } from '../values.ts';

const FORMATS = ['auto', 'csv', 'json', 'yaml'] as const;
type Format = (typeof FORMATS)[number];
const MAX_CHARACTERS = 20_000_000;

/** Structured text: CSV, JSON or YAML. */
export const readData: CroftComponent = {
  descriptor: {
    type: 'ReadData',
    label: 'CSV, JSON, YAML',
    description: 'Reads records from CSV, JSON, JSON lines or YAML: from a file of the workspace or from a text.',
    category: 'data',
    icon: 'table',
    keywords: ['csv', 'tsv', 'json', 'jsonl', 'yaml', 'parse', 'open', 'load', 'take'],
    aliases: ['CSVtoData', 'JSONtoData', 'LoadCSV', 'LoadJSON'],
    effects: ['workspace-read'],
    fields: [
      { name: 'source', label: 'Source', kind: 'select', options: ['File', 'Text'], default: 'File' },
      {
        name: 'path',
        label: 'File',
        kind: 'file',
        accepts: ['File', 'Message'],
        required: true,
        toolParameter: true,
        showWhen: { field: 'source', is: ['File'] },
      },
      {
        name: 'text',
        label: 'Text',
        kind: 'multiline',
        accepts: ['Message'],
        required: true,
        variables: false,
        showWhen: { field: 'source', is: ['Text'] },
      },
      {
        name: 'format',
        label: 'Format',
        kind: 'select',
        options: [...FORMATS],
        default: 'auto',
        help: 'auto: by the name of the file, else by the text.',
      },
      {
        name: 'delimiter',
        label: 'Delimiter of CSV',
        kind: 'text',
        default: '',
        variables: false,
        advanced: true,
        help: 'Empty: comma, semicolon or tab, whichever the first line has most.',
      },
    ],
    outputs: [
      { name: 'dataframe', label: 'Rows', types: ['Table'] },
      { name: 'data', label: 'Data', types: ['Data'] },
    ],
  },
  async run({ inputs, services, signal }) {
    const isFile = inputs['source'] === 'File';
    const path = isFile ? pathOf(inputs['path']) : '';
    const text = isFile ? (await requireWorkspace(services).readWhole(path, { signal })).text : toText(inputs['text']);
    if (text.length > MAX_CHARACTERS)
      throw new ComponentError(`The text has more than ${MAX_CHARACTERS} characters.`, 'Split the file.');
    const chosen = inputs['format'] as Format;
    const format = chosen === 'auto' ? guessFormat(path, text) : chosen;
    try {
      const value = await parseAs(format, text, toText(inputs['delimiter'] ?? ''));
      return { dataframe: toRows(value), data: toData(value) };
    } catch (error) {
      throw new ComponentError(
        `${path === '' ? 'The text' : `'${path}'`} is not valid ${format.toUpperCase()}: ${firstLine(error)}`,
        'Correct the data, or choose another format.',
      );
    }
  },
};

const firstLine = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split('\n', 1)[0] as string;

function guessFormat(path: string, text: string): Exclude<Format, 'auto'> {
  const extension = /\.([a-z]+)$/i.exec(path)?.[1]?.toLowerCase();
  if (extension === 'csv' || extension === 'tsv') return 'csv';
  if (extension === 'json' || extension === 'jsonl' || extension === 'ndjson') return 'json';
  if (extension === 'yaml' || extension === 'yml') return 'yaml';
  const start = text.trimStart();
  if (start.startsWith('{') || start.startsWith('[')) return 'json';
  return /^(---|[\w-]+:(\s|$))/.test(start) || start.startsWith('- ') ? 'yaml' : 'csv';
}

async function parseAs(format: Exclude<Format, 'auto'>, text: string, delimiter: string): Promise<unknown> {
  if (format === 'json') return parseJson(text);
  if (format === 'yaml') {
    const { parse } = await import('yaml');
    // The library refuses documents whose aliases expand to more than 100 nodes each.
    return parse(text, { maxAliasCount: 100 }) as unknown;
  }
  const { parse } = await import('csv-parse/sync');
  return parse(text, {
    columns: (header: string[]) => header.map((name, at) => (name.trim() === '' ? `column_${at + 1}` : name.trim())),
    delimiter: delimiter === '' ? guessDelimiter(text) : delimiter === '\\t' ? '\t' : delimiter,
    bom: true,
    skip_empty_lines: true,
    relax_column_count: true,
  });
}

/** One JSON value, or one value per line. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    const lines = text.split('\n').filter((line) => line.trim() !== '');
    if (lines.length < 2 || !/^\s*[[{].*[\]}]\s*$/.test(lines[0] as string)) throw error;
    return lines.map((line) => JSON.parse(line) as unknown);
  }
}

function guessDelimiter(text: string): string {
  const line = text.split('\n', 1)[0] ?? '';
  const counts = [',', ';', '\t'].map((each) => [each, line.split(each).length] as const);
  return counts.reduce((best, each) => (each[1] > best[1] ? each : best))[0];
}
