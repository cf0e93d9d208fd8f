import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DocumentProblem } from './document-job.ts';
import { readPdf } from './read-pdf.ts';

const LIMITS = { maxPages: 3, maxCharacters: 1_000 };
const BROWSER = ['DOMMatrix', 'ImageData', 'Path2D'] as const;
let before: unknown[];
beforeEach(() => void (before = BROWSER.map((name) => (globalThis as Record<string, unknown>)[name])));
afterEach(() => {
  for (const [at, name] of BROWSER.entries()) Object.assign(globalThis, { [name]: before[at] });
});

/** A PDF file with these texts, one on each page. */
function pdfOf(texts: readonly string[], info = '', trailer = ''): Buffer {
  const pages = texts.map((_, at) => 4 + at * 2);
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Count ${texts.length}/Kids[${pages.map((id) => `${id} 0 R`).join(' ')}]>>`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    ...texts.flatMap((text, at) => {
      const content = `BT /F1 12 Tf 50 700 Td (${text}) Tj ET`;
      return [
        `<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Resources<</Font<</F1 3 0 R>>>>/Contents ${5 + at * 2} 0 R>>`,
        `<</Length ${content.length}>>stream\n${content}\nendstream`,
      ];
    }),
    `<<${info}>>`,
  ];
  let file = '%PDF-1.4\n';
  const offsets = objects.map((object, at) => {
    const offset = file.length;
    file += `${at + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const start = file.length;
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}`;
  file += `trailer<</Size ${objects.length + 1}/Root 1 0 R/Info ${objects.length} 0 R${trailer}>>\nstartxref\n${start}\n%%EOF`;
  return Buffer.from(file, 'latin1');
}
const failureOf = (bytes: Uint8Array, limits = LIMITS) => readPdf(bytes, limits).catch((error: unknown) => error);

describe('a PDF file', () => {
  it('is read page by page, without those that have no text', async () => {
    expect(await readPdf(pdfOf(['One', '', 'Three'], '/Title(Report)'), LIMITS)).toEqual({
      text: 'One\n\nThree',
      title: 'Report',
    });
    expect((await readPdf(pdfOf(['One']), LIMITS)).title).toBe('');
  });

  it('has a title of at most 1,000 characters', async () => {
    expect((await readPdf(pdfOf(['One'], `/Title(${'t'.repeat(1_001)})`), LIMITS)).title).toHaveLength(1_000);
  });

  it('is refused with too many pages or characters', async () => {
    const fix = 'Split the document, or read a part of it.';
    const pages = await failureOf(pdfOf(['1', '2', '3', '4']));
    expect(pages).toBeInstanceOf(DocumentProblem);
    expect(pages).toMatchObject({ message: 'It has 4 pages; a flow reads at most 3.', fix });
    expect(await failureOf(pdfOf(['abc', 'de']), { maxPages: 3, maxCharacters: 4 })).toMatchObject({
      message: 'It has more than 4 characters.',
      fix,
    });
    expect(await readPdf(pdfOf(['abc', 'd']), { maxPages: 2, maxCharacters: 4 })).toMatchObject({ text: 'abc\n\nd' });
  });

  it('is refused without text', async () => {
    expect(await failureOf(pdfOf(['', '']))).toMatchObject({
      message: 'It has no text. It may consist of images.',
      fix: 'Use a document with text, or make the text readable with OCR first.',
    });
  });

  it('is refused where it is damaged or protected', async () => {
    for (const bytes of [Buffer.from('no PDF'), Buffer.alloc(0), pdfOf(['x'.repeat(200), 'y']).subarray(0, 300)])
      expect(await failureOf(bytes)).toMatchObject({
        message: 'It is not a PDF file, or is damaged.',
        fix: 'Open it in another program and save it again.',
      });
    const key = '00'.repeat(32);
    const encrypted = pdfOf(
      ['One'],
      '',
      `/ID[<${key}><${key}>]/Encrypt<</Filter/Standard/V 1/R 2/O<${key}>/U<${key}>/P -4>>`,
    );
    expect(await failureOf(encrypted)).toMatchObject({
      message: 'It is protected by a password.',
      fix: 'Save it without a password.',
    });
  });
});
