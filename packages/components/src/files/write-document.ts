import { whenReady } from '@croft/workspace';
import { type CroftComponent, requireWorkspace } from '../services.ts';
import { message, toText } from '../values.ts';
import { requireDocuments } from './document-service.ts';
import { fileNameField } from './file-name-field.ts';
import { fileValue } from './file-value.ts';

const FORMATS = ['md', 'html', 'docx', 'pptx'] as const;
const WITH_ENDING = /\.(md|markdown|html?|docx|pptx)$/i;

/** Writes Markdown as a document of the workspace. */
export const writeDocument: CroftComponent = {
  descriptor: {
    type: 'WriteDocument',
    label: 'Write document',
    description: 'Writes Markdown as a document of the workspace: Markdown, HTML, Word or PowerPoint.',
    category: 'files',
    icon: 'file-pen',
    keywords: ['word', 'docx', 'powerpoint', 'pptx', 'slides', 'report', 'html', 'export'],
    effects: ['workspace-write'],
    fields: [
      {
        name: 'text',
        label: 'Markdown',
        kind: 'multiline',
        accepts: ['Message'],
        required: true,
        toolParameter: true,
      },
      fileNameField('document'),
      {
        name: 'format',
        label: 'Format',
        kind: 'select',
        options: [...FORMATS],
        default: 'docx',
        help: 'In PowerPoint, each heading of level 1 or 2 starts a slide.',
      },
      {
        name: 'title',
        label: 'Title',
        kind: 'text',
        accepts: ['Message'],
        default: '',
        help: 'Of the document. Empty: the name of the file.',
        advanced: true,
      },
    ],
    outputs: [
      { name: 'message', label: 'Report', types: ['Message'] },
      { name: 'file', label: 'File', types: ['File'] },
    ],
  },
  async run({ inputs, services, signal }) {
    const workspace = requireWorkspace(services);
    const format = inputs['format'] as (typeof FORMATS)[number];
    const name = toText(inputs['file_name']).trim();
    const path = WITH_ENDING.test(name) ? name : `${name}.${format}`;
    const markdown = toText(inputs['text']);
    const title = toText(inputs['title'] ?? '').trim() || (path.split('/').at(-1) ?? '').replace(WITH_ENDING, '');
    const content =
      format === 'md' ? markdown : await requireDocuments(services).write(format, markdown, title, signal);
    signal.throwIfAborted();
    const { version, bytesWritten } = await whenReady(() => workspace.write(path, content), signal);
    return { message: message(`Saved ${bytesWritten} bytes to '${path}'`), file: fileValue(path, version) };
  },
};
