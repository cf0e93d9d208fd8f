import { whenReady } from '@croft/workspace';
import { type CroftComponent, requireWorkspace } from '../services.ts';
import { type Appended, appendOnce } from './append-once.ts';
import { fileValue } from './file-value.ts';
import { addedCsv, addedJsonLines, toCsv, toJsonLines, toMarkdownTable } from './format-records.ts';
import { isRow, message, type Row, toText } from '../values.ts';

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
        help: 'auto: records and rows by the ending of the file name, .json, .jsonl or .csv, and rows as a table in .md; else as text.',
      },
      {
        name: 'append_mode',
        label: 'Add to the end',
        kind: 'switch',
        default: false,
        help: 'Adds a text as it is, records as lines of JSON, and rows of CSV by the columns of the file.',
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
      const { text, version } = await appendOnce(services, workspace, stepKey, path, added);
      return reportOf(path, version, text);
    }
    const content = formatted(value, format);
    return reportOf(path, (await whenReady(() => workspace.write(path, content))).version, content);
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
  if (chosen !== 'auto') return chosen;
  const ending = /\.(json|jsonl|ndjson|csv|md)$/i.exec(path)?.[1]?.toLowerCase();
  if (ending === undefined || isText(value)) return 'txt';
  return { ndjson: 'jsonl', md: 'markdown' }[ending] ?? ending;
}

const isText = (value: unknown): boolean =>
  typeof value === 'string' ||
  (isRow(value) && typeof value['text'] === 'string' && (Object.keys(value).length === 1 || 'sender' in value));

const isTable = (value: unknown): value is readonly Row[] =>
  Array.isArray(value) && value.length > 0 && value.every((each) => isRow(each) && !isText(each));

function formatted(value: unknown, format: string): string {
  if (format === 'csv') return toCsv(value);
  if (format === 'jsonl') return toJsonLines(value);
  if (format === 'markdown' && isTable(value)) return toMarkdownTable(value);
  if (format !== 'json') return toText(value);
  return `${JSON.stringify(isText(value) ? toText(value) : value, null, 2)}\n`;
}

/** The text to add to a file. Two JSON values in a file are not one: each record has its own line. */
function addition(value: unknown, format: string, path: string, signal: AbortSignal): Appended {
  if (format !== 'csv' && !format.startsWith('json')) return toText(value);
  return async (before) => {
    signal.throwIfAborted();
    return format === 'csv' ? addedCsv(value, before, path) : addedJsonLines(value, before, path);
  };
}
