import { createRequire } from 'node:module';
import { dirname, join, sep } from 'node:path';
import { DocumentProblem } from './document-job.ts';

interface PdfLimits {
  readonly maxPages: number;
  readonly maxCharacters: number;
}

const PAGES = 'Split the document, or read a part of it.';

/** The text of a PDF file, its pages separated by empty lines. Runs no script and loads no font of the document. */
export async function readPdf(bytes: Uint8Array, { maxPages, maxCharacters }: PdfLimits) {
  // Drawing needs these classes of browsers, and reading does not. Without them the library would need a native one.
  for (const name of ['DOMMatrix', 'ImageData', 'Path2D']) Object.assign(globalThis, { [name]: class {} });
  const pdf = await import('pdfjs-dist/legacy/build/pdf.mjs');
  const packageDir = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'));
  const loading = pdf.getDocument({
    data: new Uint8Array(bytes),
    // Character maps of Asian fonts.
    cMapUrl: join(packageDir, 'cmaps') + sep,
    isEvalSupported: false,
    disableFontFace: true,
    useSystemFonts: false,
    useWasm: false,
    verbosity: pdf.VerbosityLevel.ERRORS,
  });
  try {
    const document = await loading.promise.catch((error: unknown) => {
      throw problemOf(error);
    });
    if (document.numPages > maxPages)
      throw new DocumentProblem(`It has ${document.numPages} pages; a flow reads at most ${maxPages}.`, PAGES);
    const pages: string[] = [];
    let characters = 0;
    for (let number = 1; number <= document.numPages; number++) {
      const page = await document.getPage(number);
      const { items } = await page.getTextContent();
      const text = items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join('');
      pages.push(text.trim());
      characters += text.length;
      if (characters > maxCharacters) throw new DocumentProblem(`It has more than ${maxCharacters} characters.`, PAGES);
      page.cleanup();
    }
    const { info } = await document.getMetadata();
    const title = (info as { Title?: unknown }).Title;
    const text = pages.filter((page) => page !== '').join('\n\n');
    if (text === '')
      throw new DocumentProblem(
        'It has no text. It may consist of images.',
        'Use a document with text, or make the text readable with OCR first.',
      );
    return { text, title: typeof title === 'string' ? title.slice(0, 1_000) : '' };
  } finally {
    await loading.destroy();
  }
}

function problemOf(error: unknown): unknown {
  const { name } = error as { name?: unknown };
  if (name === 'PasswordException')
    return new DocumentProblem('It is protected by a password.', 'Save it without a password.');
  if (name === 'InvalidPDFException' || name === 'FormatError')
    return new DocumentProblem('It is not a PDF file, or is damaged.', 'Open it in another program and save it again.');
  return error;
}
