import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { constants, deflateSync } from 'node:zlib';
import JSZip from 'jszip';
import { describe, expect, it } from 'vitest';
import { useWorkspace } from '../../../../../tests/support/use-workspace.ts';
import { runNode, runSpec } from '../../../../../packages/components/src/testing.ts';
import { DOCUMENT_LIMITS } from './document-process.ts';
import { createDocuments } from './documents.ts';
import { readOffice } from './read-office.ts';

const { dir, workspace } = useWorkspace();
// A busy machine needs longer than the usual time to fill the memory of a document.
const LIMITS = { ...DOCUMENT_LIMITS, timeoutMs: 110_000 };
const services = (limits = LIMITS) => ({ workspace, documents: createDocuments({ limits }) });
const live = new AbortController().signal;

interface PdfMore {
  readonly filter?: string;
  readonly stream?: Buffer;
}

/** A PDF with one text on each page; `stream` replaces the content of each page. */
function pdfOf(pages: readonly string[], { filter = '', stream }: PdfMore = {}): Buffer {
  const objects: (string | Buffer)[] = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${pages.map((_, at) => `${4 + at * 2} 0 R`).join(' ')}] /Count ${pages.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ];
  for (const [at, text] of pages.entries()) {
    const body = stream ?? Buffer.from(`BT /F1 24 Tf 72 720 Td (${text}) Tj ET`);
    objects.push(
      `<< /Type /Page /Parent 2 0 R /Resources << /Font << /F1 3 0 R >> >> /Contents ${5 + at * 2} 0 R >>`,
      Buffer.concat([
        Buffer.from(`<< /Length ${body.length} ${filter} >>\nstream\n`),
        body,
        Buffer.from('\nendstream'),
      ]),
    );
  }
  const parts = [Buffer.from('%PDF-1.4\n')];
  const offsets: number[] = [];
  let at = 9;
  for (const [index, object] of objects.entries()) {
    offsets.push(at);
    const part = Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), Buffer.from(object), Buffer.from('\nendobj\n')]);
    parts.push(part);
    at += part.length;
  }
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  const tail = `xref\n0 ${size}\n0000000000 65535 f \n${table}trailer << /Size ${size} /Root 1 0 R >>\nstartxref\n${at}\n%%EOF\n`;
  return Buffer.concat([...parts, Buffer.from(tail)]);
}

/** An Office file with these parts. */
async function archiveOf(parts: Readonly<Record<string, string | Uint8Array>>): Promise<Buffer> {
  const archive = new JSZip();
  for (const [name, content] of Object.entries(parts)) archive.file(name, content);
  return archive.generateAsync({ type: 'nodebuffer', compression: 'DEFLATE' });
}

const XML = '<?xml version="1.0" encoding="UTF-8"?>';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006/relationships';
const relation = (kind: string, target: string) =>
  `${XML}<Relationships xmlns="${PACKAGE}"><Relationship Id="rId1" Type="${RELATIONS}/${kind}" Target="${target}"/></Relationships>`;

const wordOf = (body: string) =>
  archiveOf({
    '[Content_Types].xml': `${XML}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`,
    '_rels/.rels': relation('officeDocument', 'word/document.xml'),
    'word/document.xml': `${XML}<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${body}</w:body></w:document>`,
  });

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const excelOf = (rows: string, entities = '') =>
  archiveOf({
    '[Content_Types].xml': `${XML}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>`,
    '_rels/.rels': relation('officeDocument', 'xl/workbook.xml'),
    'xl/workbook.xml': `${XML}<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets><sheet name="Orders" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relation('worksheet', 'worksheets/sheet1.xml'),
    'xl/worksheets/sheet1.xml': `${XML}${entities}<worksheet xmlns="${MAIN}"><sheetData>${rows}</sheetData></worksheet>`,
  });
const cell = (at: string, text: string) => `<c r="${at}" t="inlineStr"><is><t>${text}</t></is></c>`;
const ROWS = `<row r="1">${cell('A1', 'region')}${cell('B1', 'total, net')}</row><row r="2">${cell('A2', 'North')}<c r="B2"><v>12.5</v></c></row>`;

const read = async (name: string, bytes: Uint8Array, signal?: AbortSignal, limits = LIMITS) => {
  writeFileSync(join(dir, name), bytes);
  const node = { type: 'DocumentText', output: 'documents', config: { file: name }, services: services(limits) };
  return runNode(node, signal && { signal });
};

describe('the text of a document', () => {
  it('is read from PDF, Word, Excel and PowerPoint files', async () => {
    expect((await read('a.pdf', pdfOf(['First page', 'Second page']))).value).toEqual([
      { text: 'First page\n\nSecond page', title: '', path: 'a.pdf' },
    ]);
    const paragraph = '<w:p><w:r><w:rPr><w:b/></w:rPr><w:t>bold</w:t></w:r><w:r><w:t> &amp; plain</w:t></w:r></w:p>';
    expect((await read('b.docx', await wordOf(paragraph))).value).toMatchObject([{ text: '**bold** & plain' }]);
    expect((await read('c.xlsx', await excelOf(ROWS))).value).toMatchObject([
      { text: '## Orders\n\nregion,"total, net"\nNorth,12.5' },
    ]);
  });

  it('of a large HTML page is read like that of a small one, and a page that nests too deep is refused', async () => {
    const page = (body: string) => Buffer.from(`<html><head><title>Rows</title></head><body>${body}</body></html>`);
    const large = '<p>A <b>bold</b> row</p>'.repeat(500);
    const [row] = (await read('e.html', page(large))).value as { text: string; title: string }[];
    expect(row).toMatchObject({
      title: 'Rows',
      text: Array.from({ length: 500 }, () => 'A **bold** row').join('\n\n'),
    });
    const deep = await read('e.html', page('<div>'.repeat(4_000)));
    expect(deep.failure?.message).toContain('more than 256 levels');
  });

  it('of a large feed is read like that of a small one, in a process of its own', async () => {
    const documents = createDocuments({ limits: LIMITS });
    const item = '<item><title>A</title><description><![CDATA[<p>x</p>]]></description></item>';
    const feed = (text: string) => documents.feed?.(text, { url: 'http://a/', maxResults: 300 }, live);
    const row = { title: 'A', link: '', published: '', summary: 'x' };
    expect(await feed(`<rss>${item.repeat(400)}</rss>`)).toEqual(Array.from({ length: 300 }, () => row));
    await expect(feed(' '.repeat(10_000))).rejects.toThrow("'http://a/' is not an RSS or Atom feed.");
  });

  it('is split, searched and used by other components', async () => {
    writeFileSync(join(dir, 'handbook.pdf'), pdfOf(['Invoices are due within thirty days.', 'Sheep graze.']));
    const spec = `nodes:
  D: DocumentText
  S: SplitText
  P: ParserComponent
  O: ChatOutput
edges:
  D.documents -> S.data_inputs
  S.dataframe -> P.input_data
  P.parsed_text -> O.input_value
config:
  D.file: handbook.pdf
  S.chunk_size: 40
  S.chunk_overlap: 0
  P.pattern: "<{text}>"
`;
    expect((await runSpec(spec, services())).text).toBe('<Invoices are due within thirty days.>\n<Sheep graze.>');
  });

  it('needs the service, and says so', async () => {
    writeFileSync(join(dir, 'd.pdf'), pdfOf(['x']));
    const node = { type: 'DocumentText', output: 'text', config: { file: 'd.pdf' }, services: { workspace } };
    expect((await runNode(node)).failure?.message).toContain('cannot read or write documents of this format');
  });
});

/** Small files that would take the memory or the time of the process that reads them. */
const HOSTILE: readonly (readonly [string, string, () => Buffer | Promise<Buffer>, RegExp])[] = [
  ['a truncated PDF', 'h.pdf', () => pdfOf(['x'.repeat(200), 'y']).subarray(0, 300), /damaged/],
  ['a PDF with 6,000 pages', 'h.pdf', () => pdfOf(Array.from({ length: 6_000 }, () => 'x')), /6000 pages/],
  [
    'a PDF whose pages are their own parent',
    'h.pdf',
    () => own('/Kids [4 0 R]', '/Kids [2 0 R]'),
    /cannot be read|damaged/,
  ],
  [
    'a Word file with 200,000 elements inside of each other',
    'h.docx',
    () => wordOf('<w:p>'.repeat(200_000)),
    /damaged|memory/,
  ],
  ['a Word file that lies about its size', 'h.docx', lyingBomb, /damaged|memory/],
];

const own = (from: string, to: string) => Buffer.from(pdfOf(['x']).toString('latin1').replace(from, to), 'latin1');
const laughs = Array.from({ length: 9 }, (_, at) => `<!ENTITY lol${at + 1} "${`&lol${at};`.repeat(10)}">`)
  .join('')
  .replace(/^(.*)$/s, '<!DOCTYPE worksheet [<!ENTITY lol0 "ha">$1]>');

function pdfBomb(): Buffer {
  // Compressed blocks that do not refer to earlier ones can be repeated. The checksum at the end is missing.
  const mebibyte = deflateSync(Buffer.alloc(1024 * 1024, ' '), { finishFlush: constants.Z_FULL_FLUSH });
  const header = mebibyte.subarray(0, 2);
  const stream = deflateSync(Buffer.concat([header, ...Array.from({ length: 1024 }, () => mebibyte.subarray(2))]));
  return pdfOf(['x'], { filter: '/Filter [/FlateDecode /FlateDecode]', stream });
}

/** An archive whose text unpacks to 20 MiB, and which says one byte for it. */
async function lyingBomb(): Promise<Buffer> {
  return sayingSize(await wordOf(' '.repeat(20 * 1024 * 1024)), 1);
}

/** The archive with another unpacked size of its text in its directory. */
function sayingSize(archive: Buffer, size: number): Buffer {
  const name = archive.lastIndexOf('word/document.xml');
  archive.writeUInt32LE(size, name - 46 + 24);
  return archive;
}

describe('a hostile document', () => {
  const expectRefused = async (name: string, bytes: Buffer, message: RegExp, limits = LIMITS) => {
    expect(bytes.length).toBeLessThan(8 * 1024 * 1024);
    const before = process.memoryUsage().rss;
    const { status, failure } = await read(name, bytes, undefined, limits);
    expect([status, failure?.message], failure?.message).toEqual(['failed', expect.stringMatching(message)]);
    expect(failure?.message).toContain(`'${name}' cannot be read.`);
    expect(failure?.message).not.toContain(dir);
    // The other process had the memory for the document.
    expect(process.memoryUsage().rss - before).toBeLessThan(300 * 1024 * 1024);
  };

  it.each(HOSTILE)('ends with a message: %s', async (_, name, make, message) =>
    expectRefused(name, await make(), message),
  );

  it('ends with a message where its page unpacks to 1 GiB, and the process goes on', async () => {
    // Less memory than usual is filled sooner, and is enough for another document.
    const limits = { ...LIMITS, heapMiB: 64 };
    const fine = async () =>
      expect((await read('ok.pdf', pdfOf(['fine']), undefined, limits)).value).toMatchObject([{ text: 'fine' }]);
    await expectRefused('h.pdf', pdfBomb(), /more memory or time/, limits);
    await fine();
    await expectRefused('h.pdf', Buffer.from('hello'), /damaged/, limits);
    await fine();
  });

  it('does not make its entities grow', async () => {
    const { value } = await read('entities.xlsx', await excelOf(`<row r="1">${cell('A1', '&lol9;')}</row>`, laughs));
    expect(JSON.stringify(value).length).toBeLessThan(1_000);
  });

  it('ends at its time', async () => {
    const limits = { timeoutMs: 1, heapMiB: 256, maxAnswerBytes: 1024 };
    const reading = createDocuments({ limits }).read('pdf', async () => pdfOf(['x']), live);
    await expect(reading).rejects.toThrow('It takes longer than 0.001 s.');
  });

  it('loads a document only when its turn has come, and lets users take turns', async () => {
    const abort = new AbortController();
    const [eve, bob] = [createDocuments({ user: 'eve' }), createDocuments({ user: 'bob' })];
    let loaded = 0;
    const bomb = async () => {
      loaded++;
      return pdfBomb();
    };
    const flood = Array.from({ length: 10 }, () => eve.read('pdf', bomb, abort.signal).catch(() => undefined));
    const { text } = await bob.read('pdf', async () => pdfOf(['Hello']), live);
    expect(text).toContain('Hello');
    expect(loaded).toBeLessThan(10);
    abort.abort(new Error('cancelled'));
    await Promise.all(flood);
  });

  it('ends when the run is cancelled', async () => {
    const abort = new AbortController();
    const reading = createDocuments().read('pdf', async () => pdfBomb(), abort.signal);
    abort.abort(new Error('cancelled'));
    await expect(reading).rejects.toThrow('cancelled');
    expect((await read('late.pdf', pdfOf(['x']), AbortSignal.abort())).status).toBe('cancelled');
  });
});

const MARKDOWN = `# Report

Some **bold**, *italic* and \`code\` with [a link](https://example.org/) and [another](javascript:alert(1)).

- first
  - inside
- [x] done

1. one
2. two

| Region | Total |
| --- | --- |
| North & South | 160 |

\`\`\`
x < 1
\`\`\`

## Next

<script>alert(1)</script>
`;

describe('a written document', () => {
  const write = (format: string, config: object = {}, signal?: AbortSignal) =>
    runNode(
      {
        type: 'WriteDocument',
        output: 'message',
        config: { text: MARKDOWN, file_name: 'report', format, ...config },
        services: services(),
      },
      signal && { signal },
    );
  const content = async (path: string) => (await workspace.readBytes(path)).bytes;

  it('is Markdown as it is', async () => {
    expect((await write('md')).value).toEqual({ text: `Saved ${Buffer.byteLength(MARKDOWN)} bytes to 'report.md'` });
    expect((await content('report.md')).toString()).toBe(MARKDOWN);
  });

  it('is a page that runs nothing and loads nothing', async () => {
    await write('html', { file_name: 'docs/page.html', title: 'A <title>' });
    const page = (await content('docs/page.html')).toString();
    expect(page).toContain('<title>A &lt;title&gt;</title>');
    expect(page).toContain("default-src 'none'");
    expect(page).toContain('<td>North &amp; South</td>');
    expect(page).toContain('<a href="https://example.org/">a link</a>');
    expect(page).not.toMatch(/<script|javascript:/);
  });

  it('is a Word file that reads back', async () => {
    await write('docx');
    const { text } = await readOffice(await content('report.docx'), 'docx', 10_000);
    expect(text).toContain('# Report');
    expect(text).toContain('Some **bold**, *italic* and code with [a link](https://example.org/) and another.');
    expect(text).toContain('- first\n  - inside\n- ☑ done');
    expect(text).toContain('1. one\n2. two');
    expect(text).toContain('| North & South | 160 |');
    expect(text).toContain('## Next');
    expect(text).toContain('<script>alert(1)</script>');
  });

  it('is a presentation with a slide for each heading', async () => {
    await write('pptx');
    const { text } = await readOffice(await content('report.pptx'), 'pptx', 10_000);
    const slides = text.split('\n\n');
    expect(slides).toHaveLength(2);
    expect(slides[0]).toMatch(/^Report\nSome bold, italic/);
    expect(slides[1]).toBe('Next\n<script>alert(1)</script>');
    const parts = Object.keys((await JSZip.loadAsync(await content('report.pptx'))).files);
    expect(parts).toEqual(
      expect.arrayContaining(['[Content_Types].xml', 'ppt/slides/slide2.xml', 'ppt/theme/theme1.xml']),
    );
  });

  it('is not written outside of the workspace, without the service, or when the run is cancelled', async () => {
    expect((await write('docx', { file_name: '../escaped' })).status).toBe('failed');
    const node = {
      type: 'WriteDocument',
      output: 'file',
      config: { text: 'x', file_name: 'n' },
      services: { workspace },
    };
    expect((await runNode(node)).failure?.message).toContain('cannot read or write');
    expect((await write('docx', { file_name: 'late' }, AbortSignal.abort())).status).toBe('cancelled');
    expect(workspace.list('.').entries.map(({ name }) => name)).not.toContain('late.docx');
  });

  it('keeps texts that XML cannot hold out of the file', async () => {
    await write('docx', { text: 'a\u0000b\u0007c', file_name: 'control' });
    const { text } = await readOffice(await content('control.docx'), 'docx', 10_000);
    expect(text).toBe('a b c');
  });
});
