import { DocumentProblem, type WriteFormat } from './document-job.ts';
import { readBlocks } from './markdown-blocks.ts';

const MAX_BLOCKS = 50_000;

/** A document of this format from Markdown. HTML in the Markdown stays text. Loads the libraries of this format only. */
export async function writeDocument(
  markdown: string,
  { format, title }: { readonly format: WriteFormat; readonly title: string },
): Promise<Uint8Array> {
  if (format === 'html') return Buffer.from((await import('./to-html.ts')).toHtml(markdown, title));
  const blocks = readBlocks(withoutControls(markdown));
  if (blocks.length > MAX_BLOCKS)
    throw new DocumentProblem(`The text has more than ${MAX_BLOCKS} paragraphs.`, 'Split it.');
  const name = withoutControls(title);
  return format === 'docx'
    ? (await import('./to-word.ts')).toWord(blocks, name)
    : (await import('./to-slides.ts')).toSlides(blocks, name);
}

/** XML 1.0 cannot hold control characters, not even escaped. */
const withoutControls = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to take out
  text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, ' ');
