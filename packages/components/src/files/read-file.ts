import { ComponentError, type CroftComponent, requireWorkspace } from '../services.ts';
import { fileValue } from './file-value.ts';
import { isRow, message, toText } from '../values.ts';

const MAX_CHARACTERS = 5_000_000;

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
    const { text, version } = await requireWorkspace(services).readWhole(path, { signal });
    if (text.length > MAX_CHARACTERS)
      throw new ComponentError(
        `${path} has ${text.length} characters; a flow reads at most ${MAX_CHARACTERS}.`,
        'Split the file, or read a part of it.',
      );
    return { message: message(text), file: fileValue(path, version) };
  },
};

/** The path in a text, or of a file value. */
export function pathOf(value: unknown): string {
  if (isRow(value) && typeof value['path'] === 'string') return value['path'];
  return toText(value).trim();
}
