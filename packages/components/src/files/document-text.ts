import { readPageApart } from '../data/read-page-apart.ts';
import { ComponentError, type CroftComponent, requireWorkspace, type Services } from '../services.ts';
import { joinTexts, message, type Row } from '../values.ts';
import { type ReadableFormat, requireDocuments } from './document-service.ts';
import { pathOf } from './read-file.ts';

const PLAIN = /\.(txt|text|md|markdown|rst|csv|tsv|json|jsonl|ya?ml|xml|log|toml|ini|srt|vtt)$/i;
const HTML = /\.x?html?$/i;
const OFFICE = /\.(pdf|docx|xlsx|pptx)$/i;
const MAX_BYTES = 50 * 1024 * 1024;

/** The text of documents. */
export const documentText: CroftComponent = {
  descriptor: {
    type: 'DocumentText',
    label: 'Document text',
    description:
      'Reads the text of documents of the workspace: plain text, Markdown, HTML, PDF, Word, Excel and PowerPoint.',
    category: 'files',
    icon: 'file-text',
    keywords: ['extract', 'html', 'markdown', 'pdf', 'word', 'docx', 'excel', 'xlsx', 'powerpoint', 'pptx'],
    effects: ['workspace-read'],
    fields: [
      {
        name: 'file',
        label: 'Documents',
        kind: 'file',
        accepts: ['File', 'Message', 'Table'],
        list: true,
        required: true,
        toolParameter: true,
        help: 'Paths inside the workspace, or rows with a path.',
      },
      {
        name: 'silent_errors',
        label: 'Leave out documents that fail',
        kind: 'switch',
        default: false,
        advanced: true,
      },
    ],
    outputs: [
      { name: 'text', label: 'Text', types: ['Message'] },
      { name: 'documents', label: 'Documents', types: ['Table'], help: 'text, path, title' },
    ],
  },
  async *run({ inputs, services, signal }) {
    const given = Array.isArray(inputs['file']) ? (inputs['file'] as readonly unknown[]) : [inputs['file']];
    const paths = given.map(pathOf);
    const documents: Row[] = [];
    for (const [at, path] of paths.entries()) {
      yield { kind: 'progress', done: at, total: paths.length, text: path };
      try {
        documents.push(await readDocument(path, services, signal));
      } catch (error) {
        if (inputs['silent_errors'] !== true || signal.aborted) throw error;
        yield { kind: 'log', text: `${path}: ${error instanceof Error ? error.message : String(error)}` };
      }
    }
    return { text: message(joinTexts(documents, '\n\n', ({ text }) => String(text))), documents };
  },
};

async function readDocument(path: string, services: Services, signal: AbortSignal): Promise<Row> {
  const workspace = requireWorkspace(services);
  const office = OFFICE.exec(path)?.[1]?.toLowerCase() as ReadableFormat | undefined;
  if (office !== undefined) {
    const load = async () => (await workspace.readBytes(path, { maxBytes: MAX_BYTES, signal })).bytes;
    return { ...(await readOffice(path, office, load, services, signal)), path };
  }
  if (!PLAIN.test(path) && !HTML.test(path))
    throw new ComponentError(
      `'${path}' has a format that cannot be read as text.`,
      'Use a text, Markdown, HTML, PDF, .docx, .xlsx or .pptx file, or convert the document first.',
    );
  const { text } = await workspace.readWhole(path, { signal });
  if (!HTML.test(path)) return { text, path, title: '' };
  const page = await readPageApart(services, text, 'file:///', { format: 'Markdown', onlyArticle: true }, signal);
  return { text: page.text, path, title: page.title };
}

/** The reason of a failure does not know the name of the document. */
async function readOffice(
  path: string,
  format: ReadableFormat,
  load: () => Promise<Uint8Array>,
  services: Services,
  signal: AbortSignal,
): Promise<{ text: string; title: string }> {
  const documents = requireDocuments(services);
  try {
    return await documents.read(format, load, signal);
  } catch (error) {
    if (!(error instanceof ComponentError) || signal.aborted) throw error;
    throw new ComponentError(`'${path}' cannot be read. ${error.message}`, error.fix);
  }
}
