import { checkArchive, damaged } from './check-archive.ts';
import { DocumentProblem, type ReadFormat } from './document-job.ts';
import { htmlToMarkdown } from './html-to-markdown.ts';

/** The text of a Word, Excel or PowerPoint file as Markdown. */
export async function readOffice(bytes: Buffer, format: Exclude<ReadFormat, 'pdf'>, maxCharacters: number) {
  checkArchive(bytes);
  const text = await READERS[format](bytes).catch((error: unknown) => {
    // The libraries report wrong content with errors of many kinds.
    throw error instanceof DocumentProblem ? error : damaged();
  });
  if (text.length > maxCharacters)
    throw new DocumentProblem(`It has more than ${maxCharacters} characters.`, 'Split the document.');
  return { text, title: '' };
}

const READERS = { docx: readWord, xlsx: readExcel, pptx: readSlides } as const;

async function readWord(bytes: Buffer): Promise<string> {
  const { default: mammoth } = await import('mammoth');
  const { value } = await mammoth.convertToHtml(
    { buffer: bytes },
    { convertImage: mammoth.images.imgElement(async () => ({ src: '' })), externalFileAccess: false },
  );
  return htmlToMarkdown(value);
}

/** Each sheet under its name, its rows as CSV. */
async function readExcel(bytes: Buffer): Promise<string> {
  const { default: readSheets } = await import('read-excel-file/node');
  const sheets = await readSheets(bytes);
  return sheets
    .map(({ sheet, data }) => `## ${sheet}\n\n${data.map((row) => row.map(cellText).join(',')).join('\n')}`)
    .join('\n\n');
}

function cellText(value: unknown): string {
  const text = value instanceof Date ? value.toISOString().replace(/T00:00:00\.000Z$/, '') : toText(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const toText = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';

/** The paragraphs of each slide. */
async function readSlides(bytes: Buffer): Promise<string> {
  const { default: JSZip } = await import('jszip');
  const archive = await JSZip.loadAsync(bytes);
  const numbered = Object.keys(archive.files).flatMap((name) => {
    const [, number] = /^ppt\/slides\/slide(\d+)\.xml$/.exec(name) ?? [];
    return number === undefined ? [] : [{ name, number: Number(number) }];
  });
  const slides: string[] = [];
  for (const { name } of numbered.sort((a, b) => a.number - b.number)) {
    const xml = (await archive.file(name)?.async('string')) ?? '';
    const lines = xml
      .split('</a:p>')
      .map((paragraph) =>
        [...paragraph.matchAll(/<a:t>([^<]*)<\/a:t>/g)].map(([, text = '']) => decoded(text)).join(''),
      );
    slides.push(lines.filter((line) => line.trim() !== '').join('\n'));
  }
  if (slides.length === 0) throw damaged();
  return slides.join('\n\n');
}

const decoded = (text: string): string =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&apos;', "'")
    .replaceAll('&amp;', '&');
