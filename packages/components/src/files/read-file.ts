import { type Workspace, WorkspaceError } from '@croft/workspace';
import { ComponentError, type CroftComponent, requireWorkspace, type Services } from '../services.ts';
import { fileValue } from './file-value.ts';
import { isRow, message, toText } from '../values.ts';

const MAX_CHARACTERS = 5_000_000;
/** Entries of a directory that are read for a failure, directories first, and files that it names. */
const MAX_LISTED = 1_000;
const MAX_OFFERED = 5;

/** Text files of the workspace. */
export const readFile: CroftComponent = {
  descriptor: {
    type: 'File',
    label: 'Read file',
    description: 'Reads a text file of the workspace.',
    category: 'files',
    icon: 'file-input',
    keywords: ['open', 'load', 'take'],
    aliases: ['ReadFile'],
    effects: ['workspace-read'],
    fields: [
      {
        name: 'path',
        label: 'File',
        kind: 'file',
        accepts: ['Message', 'File'],
        required: true,
        toolParameter: true,
        help: 'A path inside the workspace.',
      },
    ],
    outputs: [
      { name: 'message', label: 'Text', types: ['Message'] },
      { name: 'file', label: 'File', types: ['File'] },
    ],
  },
  async run({ inputs, services, signal }) {
    const path = pathOf(inputs['path']);
    const { text, version } = await readWhole(path, services, signal);
    if (text.length > MAX_CHARACTERS)
      throw new ComponentError(
        `${path} has ${text.length} characters; a flow reads at most ${MAX_CHARACTERS}.`,
        'Split the file, or read a part of it.',
      );
    return { message: message(text), file: fileValue(path, version) };
  },
};

/**
 * Reads a text file.
 *
 * @throws ComponentError that names the files of the directory, where the file does not exist
 */
export async function readWhole(
  path: string,
  services: Services,
  signal: AbortSignal,
): Promise<{ readonly text: string; readonly version: string }> {
  const workspace = requireWorkspace(services);
  try {
    return await workspace.readWhole(path, { signal });
  } catch (error) {
    if (!(error instanceof WorkspaceError) || error.code !== 'not_found') throw error;
    throw new ComponentError(error.message, filesBeside(path, workspace));
  }
}

function filesBeside(path: string, workspace: Workspace): string {
  const directory = path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '.';
  try {
    const { entries, total } = workspace.list(directory, { limit: MAX_LISTED });
    const files = entries.filter(({ type }) => type === 'file').slice(0, MAX_OFFERED);
    const names = files.map(({ name }) => (directory === '.' ? name : `${directory}/${name}`)).join(', ');
    if (names === '') return 'Add the file, or choose one of another directory. This directory has no files.';
    return `Choose a file that exists: ${names}${total > files.length ? ', or another one' : ''}.`;
  } catch (error) {
    if (error instanceof WorkspaceError) return `Choose a file that exists: there is no directory '${directory}'.`;
    throw error;
  }
}

/** The path in a text, or of a file value. */
export function pathOf(value: unknown): string {
  if (isRow(value) && typeof value['path'] === 'string') return value['path'];
  return toText(value).trim();
}
