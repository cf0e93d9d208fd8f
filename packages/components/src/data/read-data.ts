import { WorkspaceError } from '@croft/workspace';
import { pathOf, readWhole } from '../files/read-file.ts';
import { ComponentError, type CroftComponent, requireWorkspace, type Services } from '../services.ts';
import { type DataText, parseData } from '../user/sandbox/parse-data.ts';
import { searchInThread } from '../user/search-in-thread.ts';
import { toData, toRows, toText } from '../values.ts';

const FORMATS = ['auto', 'csv', 'json', 'yaml'] as const;
type Format = (typeof FORMATS)[number];
const MAX_CHARACTERS = 20_000_000;
/** Of CSV and YAML that take a few milliseconds. Longer texts are parsed in a thread. */
const MAX_CHARACTERS_HERE = 8_192;
/** Of CSV: the characters of the longest line, for each line. The parser copies the names of all columns for a row with fewer values. */
const MAX_CELLS_HERE = 100_000;
const MAX_PARSE_MS = 10_000;

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
        name: 'allow_missing',
        label: 'No rows without the file',
        kind: 'switch',
        default: false,
        advanced: true,
        help: 'Gives no rows while the file does not exist, such as before a flow writes it for the first time.',
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
        help: 'Empty: comma, semicolon or tab, whichever the first line has most outside of quotes. A .tsv file has tabs.',
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
    if (isFile && inputs['allow_missing'] === true && !exists(path, services)) return { dataframe: [], data: {} };
    const text = isFile ? (await readWhole(path, services, signal)).text : toText(inputs['text']);
    if (text.length > MAX_CHARACTERS)
      throw new ComponentError(`The text has more than ${MAX_CHARACTERS} characters.`, 'Split the file.');
    const chosen = inputs['format'] as Format;
    const format = chosen === 'auto' ? guessFormat(path, text) : chosen;
    try {
      const value = await parseAs(
        format,
        { text, name: path, delimiter: toText(inputs['delimiter'] ?? '') },
        { user: services.user, signal },
      );
      return { dataframe: toRows(value), data: toData(value) };
    } catch (error) {
      if (error instanceof ComponentError || signal.aborted) throw error;
      throw new ComponentError(
        `${path === '' ? 'The text' : `'${path}'`} is not valid ${format.toUpperCase()}: ${firstLine(error)}`,
        'Correct the data, or choose another format.',
      );
    }
  },
};

function exists(path: string, services: Services): boolean {
  try {
    requireWorkspace(services).info(path);
    return true;
  } catch (error) {
    if (error instanceof WorkspaceError && error.code === 'not_found') return false;
    throw error;
  }
}

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

/** @throws ComponentError where the text needs too much time or memory; what the parser throws */
async function parseAs(
  format: Exclude<Format, 'auto'>,
  { text, name, delimiter }: { readonly text: string; readonly name: string; readonly delimiter: string },
  caller: { readonly user: string | undefined; readonly signal: AbortSignal },
): Promise<unknown> {
  if (format === 'json') return parseJson(text);
  const language = format === 'yaml' ? 'YAML' : 'CSV';
  const data: DataText = { language, text, delimiter, name };
  if (isQuick(text)) return parseData(data);
  const parsed = await searchInThread(data, { ...caller, limitMs: MAX_PARSE_MS });
  if (parsed === undefined)
    throw new ComponentError(
      `Reading ${text.length} characters of ${language} takes more than ${MAX_PARSE_MS / 1_000} seconds or too much memory.`,
      'Split the data, or save it as JSON.',
    );
  if (!parsed.ok) throw new Error(parsed.message);
  return JSON.parse(parsed.found) as unknown;
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

/** Whether a text may be parsed in this thread, which other callers wait for. */
function isQuick(text: string): boolean {
  if (text.length > MAX_CHARACTERS_HERE) return false;
  const lines = text.split(/\r\n|\n|\r/);
  return lines.length * Math.max(...lines.map(({ length }) => length)) <= MAX_CELLS_HERE;
}
