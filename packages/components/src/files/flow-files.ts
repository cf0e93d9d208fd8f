import { ComponentError, type CroftComponent, requireWorkspace, type Services } from '../services.ts';
import { type FileValue, fileValue } from './file-value.ts';
import { pathOf } from './read-file.ts';

const MAX_FILES = 1_000;

/** Files of the workspace that a run works on. */
export const fileInput: CroftComponent = {
  descriptor: {
    type: 'FileInput',
    label: 'File input',
    description: 'Files of the workspace that a run of the flow works on. Each run may bring others.',
    category: 'input and output',
    icon: 'file-up',
    keywords: ['upload', 'attachment', 'document', 'files'],
    effects: ['workspace-read'],
    boundary: 'input',
    fields: [
      {
        name: 'input_value',
        label: 'Files',
        kind: 'file',
        list: true,
        // Empty until a run brings its files.
        default: [],
        help: 'Paths inside the workspace. A run may bring others.',
      },
    ],
    outputs: [
      { name: 'file', label: 'First file', types: ['File'] },
      { name: 'files', label: 'All files', types: ['Table'], help: 'path, version, type' },
    ],
  },
  async run({ inputs, services, signal }) {
    const given = [inputs['input_value']].flat().map(pathOf);
    const paths = given.filter((path) => path !== '');
    if (paths.length > MAX_FILES)
      throw new ComponentError(`${paths.length} files are more than ${MAX_FILES}.`, 'Bring fewer files.');
    const files: FileValue[] = [];
    for (const path of paths) {
      signal.throwIfAborted();
      files.push(fileAt(path, services));
    }
    const [first] = files;
    if (first === undefined)
      throw new ComponentError('The run brings no file.', 'Set input_value to the path of a file.');
    return { file: first, files };
  },
};

/** A file as a result of the flow. */
export const fileOutput: CroftComponent = {
  descriptor: {
    type: 'FileOutput',
    label: 'File output',
    description: 'Gives a file of the workspace as a result of the flow.',
    category: 'input and output',
    icon: 'file-down',
    keywords: ['download', 'result', 'document'],
    effects: ['workspace-read'],
    boundary: 'output',
    fields: [
      {
        name: 'file',
        label: 'File',
        kind: 'file',
        accepts: ['File', 'Message', 'Any'],
        required: true,
        help: 'A file of another component, or a path inside the workspace.',
      },
    ],
    outputs: [{ name: 'file', label: 'File', types: ['File'] }],
  },
  run: ({ inputs, services }) => ({ file: fileAt(pathOf(inputs['file']), services) }),
};

/** @throws ComponentError if the file is missing */
function fileAt(path: string, services: Services): FileValue {
  const { type, version } = requireWorkspace(services).info(path);
  if (type !== 'file') throw new ComponentError(`'${path}' is a directory, not a file.`, 'Give the path of a file.');
  return fileValue(path, version);
}
