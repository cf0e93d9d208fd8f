import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { useWorkspace } from '../../../../tests/support/use-workspace.ts';
import { readPage } from '../data/read-page.ts';
import type { Services } from '../services.ts';
import { ComponentError } from '../services.ts';
import { callOf, drain, runAlone, runNode, runSpec, textsOf, declaredBy } from '../testing.ts';
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

const progress = (done: number, total: number, text: string) => ({ kind: 'progress', done, total, text });
const withReader = (read: DocumentService['read']): Services => ({
  ...services,
  documents: { read } as DocumentService,
});

it('has a document of an office format read with its format, and puts its path beside the text', async () => {
  writeFileSync(join(dir, 'r.DOCX'), 'bytes');
  const asked: unknown[] = [];
  const reading = withReader(async (format, load) => {
    asked.push(format, Buffer.from(await load()).toString());
    return { text: 'T', title: 'Title' };
  });
  expect(await runAlone(documentText, { file: { path: 'r.DOCX' } }, reading)).toEqual({
    outputs: { text: { text: 'T' }, documents: [{ text: 'T', title: 'Title', path: 'r.DOCX' }] },
    progress: [progress(0, 1, 'r.DOCX')],
  });
  expect(asked).toEqual(['docx', 'bytes']);
  rmSync(join(dir, 'r.DOCX'));
});

it('names the document in a failure, logs what it leaves out, and stops when the run is cancelled', async () => {
  const failing = withReader(async () => {
    throw new ComponentError('It is locked.', 'Remove the password.');
  });
  await expect(runAlone(documentText, { file: 'a.pdf' }, failing)).rejects.toMatchObject({
    message: "'a.pdf' cannot be read. It is locked.",
    fix: 'Remove the password.',
  });
  const broken = withReader(() => Promise.reject('broken'));
  await expect(runAlone(documentText, { file: 'a.pdf' }, broken)).rejects.toBe('broken');
  expect(await runAlone(documentText, { file: ['a.xlsx', 'docs/a.md'], silent_errors: true }, broken)).toEqual({
    outputs: { text: { text: '# A' }, documents: [{ text: '# A', path: 'docs/a.md', title: '' }] },
    progress: [progress(0, 2, 'a.xlsx'), { kind: 'log', text: 'a.xlsx: broken' }, progress(1, 2, 'docs/a.md')],
  });
  await expect(runAlone(documentText, { file: 'docs/c.bin' }, services)).rejects.toMatchObject({
    message: "'docs/c.bin' has a format that cannot be read as text.",
    fix: 'Use a text, Markdown, HTML, PDF, .docx, .xlsx or .pptx file, or convert the document first.',
  });
  const abort = new AbortController();
  const stopping = withReader(() => {
    abort.abort();
    return Promise.reject(new ComponentError('stopped', ''));
  });
  const call = callOf({ file: 'a.pdf', silent_errors: true }, stopping, { signal: abort.signal });
  await expect(drain(documentText.run(call) as AsyncGenerator)).rejects.toMatchObject({ message: 'stopped' });
});

it('puts an empty line between the texts of documents', async () => {
  const { outputs } = await runAlone(documentText, { file: ['docs/a.md', 'docs/deep/d.txt'] }, services);
  expect(outputs['text']).toEqual({ text: '# A\n\ndeep' });
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
