import { nextTurn } from '@croft/flow';
import { ComponentError, type CroftComponent, requireWorkspace } from '../services.ts';
import { type Row, toText } from '../values.ts';

const MAX_FILES = 1_000;
const MAX_CHARACTERS = 20_000_000;

/** The text files of a directory. */
export const directory: CroftComponent = {
  descriptor: {
    type: 'Directory',
    label: 'Directory',
    description: 'Reads the text files of a directory of the workspace as rows.',
    category: 'files',
    icon: 'folder-open',
    keywords: ['folder', 'load'],
    effects: ['workspace-read'],
    fields: [
      {
        name: 'path',
        label: 'Directory',
        kind: 'text',
        accepts: ['Message'],
        default: '.',
        variables: false,
        toolParameter: true,
      },
      {
        name: 'types',
        label: 'File types',
        kind: 'text',
        default: 'txt, md, csv, json, yaml, html',
        variables: false,
        help: 'Endings separated by commas.',
      },
      { name: 'recursive', label: 'Directories below too', kind: 'switch', default: true },
      { name: 'silent_errors', label: 'Leave out files that fail', kind: 'switch', default: false, advanced: true },
    ],
    outputs: [{ name: 'dataframe', label: 'Files', types: ['Table'], help: 'text, file_path' }],
  },
  async *run({ inputs, services, signal }) {
    const workspace = requireWorkspace(services);
    const endings = new Set(
      toText(inputs['types'])
        .split(/[\s,]+/)
        .map((each) => each.replace(/^\./, '').toLowerCase()),
    );
    const found: string[] = [];
    const pending = [toText(inputs['path'] ?? '').trim() || '.'];
    for (let dir = pending.shift(); dir !== undefined; dir = pending.shift()) {
      // Requests of others and a cancellation come between two directories of a large tree.
      await nextTurn();
      signal.throwIfAborted();
      for (const { name, type } of workspace.list(dir).entries) {
        const path = dir === '.' ? name : `${dir}/${name}`;
        if (type === 'directory' && inputs['recursive'] === true) pending.push(path);
        else if (type === 'file' && endings.has(name.split('.').at(-1)?.toLowerCase() ?? '')) found.push(path);
      }
      if (found.length > MAX_FILES)
        throw new ComponentError(
          `The directory has more than ${MAX_FILES} files of these types.`,
          'Choose a directory below, or fewer types.',
        );
    }
    const rows: Row[] = [];
    let characters = 0;
    for (const path of found) {
      yield { kind: 'progress', done: rows.length, total: found.length, text: path };
      try {
        const { text } = await workspace.readWhole(path, { signal });
        characters += text.length;
        rows.push({ text, file_path: path });
      } catch (error) {
        if (inputs['silent_errors'] !== true || signal.aborted) throw error;
        yield { kind: 'log', text: `${path}: ${error instanceof Error ? error.message : String(error)}` };
      }
      if (characters > MAX_CHARACTERS)
        throw new ComponentError(
          `The files have more than ${MAX_CHARACTERS} characters together.`,
          'Choose a directory below, or fewer types.',
        );
    }
    return { dataframe: rows };
  },
};
