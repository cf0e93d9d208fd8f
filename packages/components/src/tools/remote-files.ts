import type { Field, NodeCall, Outputs } from '@croft/flow';
import { type AnyTool, callTool } from '@croft/tools';
import { ComponentError, type CroftComponent, type Services } from '../services.ts';
import { isRow, message, type Row, toText } from '../values.ts';
import { asFlowTool } from './as-flow-tool.ts';

const READ = 'Read file';
const LIST = 'List files';
const SEARCH = 'Search text';
/** The tools for an agent. A machine may announce others, which write files or run commands. */
const READERS: ReadonlySet<string> = new Set(['get-file-tree', 'list-files', 'read-file', 'search-files']);
/** Lines that the machine sends at once. */
const MAX_LINES = 500;
/** A machine sends files of at most 512 KB. */
const MAX_CHARS = 512 * 1024;
/** Enough for a file of empty lines. */
const MAX_PAGES = Math.ceil(MAX_CHARS / (MAX_LINES - 1));
const shownFor = (...actions: readonly string[]): NonNullable<Field['showWhen']> => ({
  field: 'action',
  is: [...actions],
});

/** Files of the machine that the user connected with `croft connect`. */
export const remoteFiles: CroftComponent = {
  descriptor: {
    type: 'RemoteFiles',
    label: 'Remote files',
    description: 'Reads, lists and searches files of the machine that you connected to the server. Never writes.',
    category: 'files',
    icon: 'monitor',
    keywords: ['gateway', 'machine', 'computer', 'connect', 'agent'],
    tool: true,
    // Beyond the workspace: the assistant asks before such a run.
    effects: ['network-read'],
    fields: [
      { name: 'action', label: 'Action', kind: 'select', options: [READ, LIST, SEARCH], default: READ },
      {
        name: 'path',
        label: 'Path',
        kind: 'text',
        accepts: ['Message'],
        default: '.',
        variables: false,
        help: 'In the directory that the machine shares.',
      },
      {
        name: 'query',
        label: 'Regular expression',
        kind: 'text',
        accepts: ['Message'],
        required: true,
        variables: false,
        showWhen: shownFor(SEARCH),
      },
      {
        name: 'pattern',
        label: 'Names',
        kind: 'text',
        default: '',
        variables: false,
        placeholder: '**/*.md',
        showWhen: shownFor(LIST, SEARCH),
      },
    ],
    outputs: [
      { name: 'message', label: 'Text', types: ['Message'] },
      { name: 'dataframe', label: 'Rows', types: ['Table'], help: 'files, or lines that match' },
    ],
  },
  async run({ inputs, services, signal }) {
    const path = toText(inputs['path'] ?? '').trim() || '.';
    const pattern = toText(inputs['pattern'] ?? '').trim();
    const tools = await machineTools(services);
    const call = async (name: string, input: Row) => {
      const { ok, data } = await callTool({ tools }, { name, input }, { signal });
      signal.throwIfAborted();
      if (!ok || typeof data['error'] === 'string')
        throw new ComponentError(
          toText(data['error'] ?? 'The machine did not answer.'),
          'Check the path and the machine.',
        );
      return data;
    };
    switch (inputs['action']) {
      case LIST:
        return rowsOf(await call('list-files', { dirPath: path, ...(pattern !== '' && { pattern }) }), 'files');
      case SEARCH: {
        const query = toText(inputs['query']);
        const filePattern = pattern !== '' && { filePattern: pattern };
        return rowsOf(await call('search-files', { dirPath: path, query, ...filePattern }), 'matches');
      }
      default: {
        const text = await readWhole(path, (startLine) =>
          call('read-file', { filePath: path, startLine, maxLines: MAX_LINES }),
        );
        return { message: message(text), dataframe: [{ path, text, truncated: false }] };
      }
    }
  },
  async tools({ services }: NodeCall<Services>) {
    const tools = (await machineTools(services)).filter(({ name }) => READERS.has(name));
    return tools.map((tool) => asFlowTool(tool, tools));
  },
};

/** The text of a file, page by page. */
async function readWhole(path: string, page: (startLine: number) => Promise<Row>): Promise<string> {
  const lines: string[] = [];
  for (let pages = 0, chars = 0; pages < MAX_PAGES && chars <= MAX_CHARS; pages++) {
    const { content, truncated, totalLines } = await page(lines.length + 1);
    const text = toText(content ?? '');
    // A text without lines is the reason why the machine does not send the file.
    if (totalLines === 0 && text !== '')
      throw new ComponentError(
        `The machine does not send '${path}': ${text.replace(/^\[|\]$/g, '')}.`,
        'Choose a text file of at most 512 KB.',
      );
    const sent = text.split('\n');
    // The machine may have cut the last line: the next page begins with it.
    if (truncated === true) sent.pop();
    for (const line of sent) lines.push(line);
    if (truncated !== true) return lines.join('\n');
    if (sent.length === 0) break;
    chars += text.length;
  }
  throw new ComponentError(`The machine sends only a part of '${path}'.`, 'Choose a file with shorter lines.');
}

async function machineTools({ machineTools: load }: Services): Promise<readonly AnyTool[]> {
  if (load === undefined)
    throw new ComponentError(
      'This run has no connected machine.',
      'Run the flow on a server, and connect a machine with croft connect.',
    );
  const tools = await load();
  if (tools.length > 0) return tools;
  throw new ComponentError('No machine is connected.', 'Connect one with croft connect, and switch its access on.');
}

function rowsOf(data: Row, name: string): Outputs {
  const rows = Array.isArray(data[name]) ? (data[name] as readonly unknown[]).filter(isRow) : [];
  return { message: message(rows.map((row) => JSON.stringify(row)).join('\n')), dataframe: rows };
}
