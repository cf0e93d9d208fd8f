import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { useWorkspace } from '../../../../tests/support/use-workspace.ts';
import { readPage } from '../data/read-page.ts';
import type { Services } from '../services.ts';
import { runNode, runSpec, textsOf, declaredBy } from '../testing.ts';
import type { DocumentService } from './document-service.ts';
import { documentText } from './document-text.ts';
import { FILES } from './testing-files.ts';

const { dir, workspace } = useWorkspace(FILES);
const services: Services = { workspace, now: () => new Date(0) };

describe('DocumentText', () => {
  const read = (file: unknown, output: string, more: object = {}) =>
    runNode({ type: 'DocumentText', output, config: { file, ...more }, services });

  it('reads HTML as Markdown with its title, and text as it is', async () => {
    expect((await read(['docs/b.html', 'docs/a.md'], 'documents')).value).toEqual([
      { text: '# Hello\n\nSome **text**', path: 'docs/b.html', title: 'Bee' },
      { text: '# A', path: 'docs/a.md', title: '' },
    ]);
    expect((await read('docs/a.md', 'text')).value).toEqual({ text: '# A' });
  });

  it('has a large HTML page read apart from the process of the run, and a small one not', async () => {
    writeFileSync(join(dir, 'large.html'), `<title>Large</title>${'<p>row</p>'.repeat(1_000)}`);
    const sizes: number[] = [];
    const page: DocumentService['page'] = (html, url, options) => {
      sizes.push(html.length);
      return readPage(html, url, options);
    };
    const documents = { ...services.documents, page } as DocumentService;
    const node = { type: 'DocumentText', output: 'documents', config: { file: ['docs/b.html', 'large.html'] } };
    expect((await runNode({ ...node, services: { ...services, documents } })).value).toMatchObject([
      { title: 'Bee' },
      { title: 'Large' },
    ]);
    expect(sizes).toEqual([10_020]);
    rmSync(join(dir, 'large.html'));
  });

  it('reads a file that another component gives', async () => {
    const flow = [
      'nodes:',
      '  F: File',
      '  D: DocumentText',
      '  O: ChatOutput',
      'edges:',
      '  F.file -> D.file',
      '  D.text -> O.input_value',
      'config:',
      '  F.path: docs/b.html',
    ];
    expect((await runSpec(flow, services)).text).toContain('# Hello');
  });

  it.each([
    ['docs/c.bin', 'cannot be read as text'],
    ['docs/none.md', 'none.md'],
    ['../secret.txt', '../secret.txt'],
  ])('explains why %s fails', async (path, message) => {
    const { failure } = await read(path, 'text');
    expect(failure?.message).toContain(message);
    expect(failure?.message).not.toContain(dir);
    expect((await read([path, 'docs/a.md'], 'text', { silent_errors: true })).value).toEqual({ text: '# A' });
  });

  it('reads nothing once the run is cancelled', async () => {
    const node = { type: 'DocumentText', output: 'text', config: { file: 'docs/a.md' }, services };
    expect((await runNode(node, { signal: AbortSignal.abort() })).status).toBe('cancelled');
  });
});

it('declares its effects and ports', () => {
  expect(declaredBy(documentText)).toEqual([
    'DocumentText: workspace-read',
    'file: file File Message Table list required toolParameter',
    'silent_errors: switch advanced default=false',
    'text: gives Message',
    'documents: gives Table',
  ]);
});

it('shows these texts to people and models', () => {
  expect(textsOf(documentText.descriptor)).toEqual([
    'Document text (file-text): Reads the text of documents of the workspace: plain text, Markdown, HTML, PDF, Word, Excel and PowerPoint.',
    'files | extract | html | markdown | pdf | word | docx | excel | xlsx | powerpoint | pptx',
    'file: Documents | Paths inside the workspace, or rows with a path.',
    'silent_errors: Leave out documents that fail',
    'text: Text',
    'documents: Documents | text, path, title',
  ]);
});
