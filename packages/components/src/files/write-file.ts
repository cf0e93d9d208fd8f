import { whenReady } from '@croft/workspace';
import { type CroftComponent, requireWorkspace } from '../services.ts';
import { appendOnce } from './append-once.ts';
import { fileValue } from './file-value.ts';
import { isRow, message, toRows, toText } from '../values.ts';

/** Writes a value as a file of the workspace. */
export const writeFile: CroftComponent = {
  descriptor: {
    type: 'SaveToFile',
    label: 'Write file',
    description: 'Writes a text, a record or rows as a file of the workspace.',
    category: 'files',
    icon: 'file-output',
    keywords: ['save', 'store', 'export', 'copy', 'backup'],
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
        help: 'auto: records and rows by the ending of the file name, .json or .csv; else as text.',
      },
      { name: 'append_mode', label: 'Add to the end', kind: 'switch', default: false },
    ],
    outputs: [
      { name: 'message', label: 'Report', types: ['Message'] },
      { name: 'file', label: 'File', types: ['File'] },
    ],
  },
  async run({ inputs, services, stepKey }) {
    const workspace = requireWorkspace(services);
    const path = toText(inputs['file_name']).trim();
    const isAddition = inputs['append_mode'] === true;
    const format = formatFor(path, inputs['input'], String(inputs['local_format']), isAddition);
    const content = formatted(inputs['input'], format);
    const version = isAddition
      ? await appendOnce(services, workspace, stepKey, path, content)
      : (await whenReady(() => workspace.write(path, content))).version;
    return {
      message: message(`Saved ${Buffer.byteLength(content)} bytes to '${path}'`),
      file: fileValue(path, version),
    };
  },
};

/**
 * The chosen format, or the one that the file name says. A text is written as it is: the author of the flow gave it its
 * form. An addition to a `.json` file has a line for each record, because two JSON values are not one.
 */
function formatFor(path: string, value: unknown, chosen: string, isAddition: boolean): string {
  if (chosen !== 'auto') return chosen;
  const ending = /\.(json|csv)$/i.exec(path)?.[1]?.toLowerCase();
  return ending === undefined || isText(value) || (isAddition && ending === 'json') ? 'txt' : ending;
}

const isText = (value: unknown): boolean =>
  typeof value === 'string' ||
  (isRow(value) && typeof value['text'] === 'string' && (Object.keys(value).length === 1 || 'sender' in value));

function formatted(value: unknown, format: string): string {
  if (format === 'csv') return toCsv(value);
  if (format !== 'json') return toText(value);
  return `${JSON.stringify(isText(value) ? toText(value) : value, null, 2)}\n`;
}

/** RFC 4180; the columns are all keys of all rows, in the order in which they appear. */
function toCsv(value: unknown): string {
  const rows = toRows(value);
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const cell = (each: unknown) => {
    const text = toText(each);
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return [columns.map(cell), ...rows.map((row) => columns.map((column) => cell(row[column])))]
    .map((cells) => cells.join(','))
    .join('\r\n')
    .concat('\r\n');
}
