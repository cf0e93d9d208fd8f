import { expect, it } from 'vitest';
import { useWorkspace } from '../../../../tests/support/use-workspace.ts';
import { runAlone, declaredBy, textsOf } from '../testing.ts';
import type { DocumentService } from './document-service.ts';
import { writeDocument } from './write-document.ts';

const { workspace } = useWorkspace();
const asked: unknown[] = [];
const documents = {
  write: async (...given: unknown[]) => {
    asked.push(given.slice(0, 3));
    return Buffer.from('made');
  },
} as unknown as DocumentService;
const write = async (inputs: object, more = {}) =>
  (
    await runAlone(
      writeDocument,
      { text: '# Hi', file_name: 'a', format: 'md', ...inputs },
      { workspace, documents },
      more,
    )
  ).outputs;
const textOf = async (path: string) => (await workspace.readWhole(path, {})).text;

it('writes Markdown as it is', async () => {
  expect(await write({ file_name: ' docs/a ' })).toEqual({
    message: { text: "Saved 4 bytes to 'docs/a.md'" },
    file: expect.objectContaining({ path: 'docs/a.md', version: workspace.info('docs/a.md').version }) as object,
  });
  expect([await textOf('docs/a.md'), asked]).toEqual(['# Hi', []]);
});

it('writes other formats with the service, under the name of the file or a title', async () => {
  await write({ format: 'docx', file_name: 'docs/report' });
  await write({ format: 'html', file_name: 'docs/page.HTML', title: ' My page ' });
  expect(asked).toEqual([
    ['docx', '# Hi', 'report'],
    ['html', '# Hi', 'My page'],
  ]);
  expect(await textOf('docs/page.HTML')).toBe('made');
});

it.each([
  ['a', 'a.md'],
  ['a.docx', 'a.docx'],
  ['a.markdown', 'a.markdown'],
  ['a.htm', 'a.htm'],
  ['a.pptx', 'a.pptx'],
  ['a.txt', 'a.txt.md'],
  ['a.md.bak', 'a.md.bak.md'],
])('gives %s the name %s', async (file_name, path) => {
  expect((await write({ file_name }))['file']).toMatchObject({ path });
});

it('needs files, and for other formats the service', async () => {
  const run = (services: object, format: string) =>
    runAlone(writeDocument, { text: 'x', file_name: 'b', format }, services);
  await expect(run({}, 'md')).rejects.toThrow('This run has no files to work with.');
  await expect(run({ workspace }, 'docx')).rejects.toThrow('This run cannot read or write documents of this format.');
  expect((await run({ workspace }, 'md')).outputs['file']).toMatchObject({ path: 'b.md' });
});

it('does not write after the run was cancelled', async () => {
  await expect(write({ file_name: 'never' }, { signal: AbortSignal.abort(new Error('stop')) })).rejects.toThrow('stop');
  expect(() => workspace.info('never.md')).toThrow();
});

it('declares its fields with these defaults and limits', () => {
  expect(declaredBy(writeDocument)).toEqual([
    'WriteDocument: workspace-write',
    'text: multiline Message required toolParameter',
    'file_name: text Message default="document" toolParameter',
    'format: select default="docx" of md|html|docx|pptx',
    'title: text Message advanced default=""',
    'message: gives Message',
    'file: gives File',
  ]);
});

it('shows these texts to people and models', () => {
  expect(textsOf(writeDocument.descriptor)).toEqual([
    'Write document (file-pen): Writes Markdown as a document of the workspace: Markdown, HTML, Word or PowerPoint.',
    'files | word | docx | powerpoint | pptx | slides | report | html | export',
    'text: Markdown',
    'file_name: File | A path inside the workspace. The ending of the format is added where it has none.',
    'format: Format | In PowerPoint, each heading of level 1 or 2 starts a slide.',
    'title: Title | Of the document. Empty: the name of the file.',
    'message: Report',
    'file: File',
  ]);
});
