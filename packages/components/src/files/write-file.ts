import { whenReady } from '@croft/workspace';
import { type CroftComponent, requireWorkspace } from '../services.ts';
import { type Appended, appendOnce } from './append-once.ts';
import { fileValue } from './file-value.ts';
import { addedCsv, addedJsonLines, toCsv, toJsonLines, toMarkdownTable } from './format-records.ts';
import { addedYaml, toYaml } from './yaml-records.ts';
import { isRow, message, type Row, toText } from '../values.ts';

const TAB = '\t';

/** Writes a value as a file of the workspace. */
export const writeFile: CroftComponent = {
  descriptor: {
    type: 'SaveToFile',
    label: 'Write file',
    description: 'Writes a text, a record or rows as a file of the workspace.',
    category: 'files',
    icon: 'file-output',
    keywords: ['save', 'store', 'export', 'copy', 'backup', 'overwrite'],
    aliases: ['WriteFile'],
    effects: ['workspace-write'],
    fields: [
      {
        name: 'input',
        label: 'Value',
        kind: 'handle',
        accepts: ['Message', 'Data', 'Table'],
        required: true,
        toolParameter: true,
      },
      { name: 'file_name', label: 'File', kind: 'text', accepts: ['Message'], required: true, toolParameter: true },
      {
        name: 'local_format',
        label: 'Format',
        kind: 'select',
        options: ['auto', 'txt', 'markdown', 'json', 'csv'],
        default: 'auto',
        help: 'auto: records and rows by the ending of the file name, .json, .jsonl, .csv, .tsv or .yaml, and rows as a table in .md; else as text.',
      },
      {
        name: 'append_mode',
        label: 'Add to the end',
        kind: 'switch',
        default: false,
        help: 'Adds a text as it is, records as lines of JSON or items of a YAML list, and rows of CSV by the columns of the file.',
      },
    ],
    outputs: [
      { name: 'message', label: 'Report', types: ['Message'] },
      { name: 'file', label: 'File', types: ['File'] },
    ],
  },
  async run({ inputs, services, signal, stepKey }) {
    const workspace = requireWorkspace(services);
    const path = toText(inputs['file_name']).trim();
    const value = inputs['input'];
    const format = formatFor(path, value, String(inputs['local_format']));
    if (inputs['append_mode'] === true) {
      const added = addition(value, format, path, signal);
      const { text, version } = await appendOnce(services, workspace, { stepKey, path, content: added, signal });
      return reportOf(path, version, text);
    }
    const content = formatted(value, format);
    return reportOf(path, (await whenReady(() => workspace.write(path, content), signal)).version, content);
  },
};

const reportOf = (path: string, version: string, content: string) => ({
  message: message(`Saved ${Buffer.byteLength(content)} bytes to '${path}'`),
  file: fileValue(path, version),
});

/**
 * The chosen format, or the one that the file name says. A text is written as it is: the author of the flow gave it its
 * form.
 */
function formatFor(path: string, value: unknown, chosen: string): string {
  // Readers take tabs for what separates the values of such a file.
  if (chosen === 'csv' && /\.tsv$/i.test(path)) return 'tsv';
  if (chosen !== 'auto') return chosen;
  const ending = /\.(jsonl?|ndjson|csv|tsv|ya?ml|md)$/i.exec(path)?.[1]?.toLowerCase();
  if (ending === undefined || isText(value)) return 'txt';
  return { ndjson: 'jsonl', yml: 'yaml', md: 'markdown' }[ending] ?? ending;
}

/** The fields of a message of a chat. A record with other fields is a row. */
const OF_MESSAGE: ReadonlySet<string> = new Set(['text', 'sender', 'sender_name', 'session_id', 'timestamp']);

const isText = (value: unknown): boolean =>
  typeof value === 'string' ||
  (isRow(value) && typeof value['text'] === 'string' && Object.keys(value).every((key) => OF_MESSAGE.has(key)));

const isTable = (value: unknown): value is readonly Row[] =>
  Array.isArray(value) && value.length > 0 && value.every((each) => isRow(each) && !isText(each));

function formatted(value: unknown, format: string): string {
  if (format === 'csv') return toCsv(value);
  if (format === 'tsv') return toCsv(value, TAB);
  if (format === 'yaml') return toYaml(value);
  if (format === 'jsonl') return toJsonLines(value);
  if (format === 'markdown' && isTable(value)) return toMarkdownTable(value);
  if (format !== 'json') return toText(value);
  return `${JSON.stringify(isText(value) ? toText(value) : value, null, 2)}\n`;
}

type Add = (value: unknown, before: Buffer, path: string) => string | Promise<string>;

const ADDED: Readonly<Record<string, Add>> = {
  csv: addedCsv,
  tsv: (value, before, path) => addedCsv(value, before, path, TAB),
  json: addedJsonLines,
  jsonl: addedJsonLines,
  yaml: addedYaml,
};

/** The text to add to a file. Two JSON values in a file are not one: each record has its own line. */
function addition(value: unknown, format: string, path: string, signal: AbortSignal): Appended {
  const add = ADDED[format];
  if (add === undefined) return toText(value);
  return async (before) => {
    signal.throwIfAborted();
    return add(value, before, path);
  };
}
