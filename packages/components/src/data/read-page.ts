import { ComponentError } from '../component-error.ts';

export type PageFormat = 'Markdown' | 'Text' | 'HTML';

export interface PageOptions {
  readonly format: PageFormat;
  /** Leaves out menus and footers where the article can be found. Ignored for HTML. */
  readonly onlyArticle: boolean;
}

export interface Page {
  readonly text: string;
  readonly title: string;
  readonly description: string;
  readonly language: string;
  /** HTTP addresses of the links, without fragments, in order. */
  readonly links: readonly string[];
}

/** The part of the DOM that reading a page needs; the types of TypeScript for it are those of browsers. */
interface PageNode {
  readonly nodeType: number;
  readonly nodeName: string;
  readonly textContent: string | null;
  readonly childNodes: Iterable<PageNode>;
}
interface PageElement extends PageNode {
  readonly innerHTML: string;
  getAttribute(name: string): string | null;
  remove(): void;
}
export interface PageDocument {
  readonly documentElement: PageElement | null;
  readonly body: PageElement | null;
  querySelector(selector: string): PageElement | null;
  querySelectorAll(selector: string): Iterable<PageElement>;
}

const MAX_ELEMENTS = 20_000;
const MAX_DEPTH = 256;
/** Elements without a closing tag, or that HTML closes itself; they add no level here. */
const VOID = /^(area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr|p|li|dt|dd|tr|td|th|option)$/i;
const REMOVED = 'script, style, noscript, template, iframe, svg, title';

/** Converts an HTML page. Runs no script and loads nothing. */
export async function readPage(html: string, url: string, { format, onlyArticle }: PageOptions): Promise<Page> {
  const document = await parseDocument(/<body/i.test(html) ? withRoot(html) : inBody(html));
  const meta = (name: string) =>
    document.querySelector(`meta[name="${name}"], meta[property="og:${name}"]`)?.getAttribute('content')?.trim() ?? '';
  const about = {
    title: document.querySelector('title')?.textContent?.trim() ?? meta('title'),
    description: meta('description'),
    language: document.documentElement?.getAttribute('lang') ?? '',
    links: linksIn(document, url),
  };
  if (format === 'HTML') return { ...about, text: html };
  for (const element of document.querySelectorAll(REMOVED)) element.remove();
  const whole = document.querySelector('body')?.innerHTML ?? '';
  const content = (onlyArticle && (await articleIn(document))) || whole;
  const { body } = await parseDocument(inBody(content));
  if (body === null) return { ...about, text: '' };
  return { ...about, text: format === 'Markdown' ? await toMarkdown(body) : plainText(body) };
}

/**
 * Parses HTML into a document without scripts and styles that run.
 *
 * @throws ComponentError when it has more elements, or nests them deeper, than can be read in a few seconds
 */
export async function parseDocument(html: string): Promise<PageDocument> {
  requireReadable(html);
  const { parseHTML } = await import('linkedom');
  return (parseHTML(html) as unknown as { readonly document: PageDocument }).document;
}

/** The parser works in this process and cannot be interrupted; its time grows with the square of both numbers. */
function requireReadable(html: string): void {
  let depth = 0;
  let elements = 0;
  for (const [, closing, name = ''] of html.matchAll(/<(\/?)([a-z][a-z0-9]*)/gi)) {
    const opens = !VOID.test(name);
    if (closing) depth = Math.max(0, depth - (opens ? 1 : 0));
    else {
      elements++;
      if (opens) depth++;
    }
    if (elements > MAX_ELEMENTS || depth > MAX_DEPTH)
      throw new ComponentError(
        `The page has more than ${elements > MAX_ELEMENTS ? `${MAX_ELEMENTS} elements` : `${MAX_DEPTH} levels of elements`}.`,
        'Use another page, or a part of this one.',
      );
  }
}

const inBody = (html: string): string => `<html><body>${html}</body></html>`;

/** Adds the root element, which HTML may leave out and the parser does not add. */
const withRoot = (html: string): string =>
  /<html[\s>]/i.test(html) ? html : `<html>${html.replace(/<!doctype[^>]*>/i, '')}</html>`;

function linksIn(document: PageDocument, url: string): readonly string[] {
  const links = [...document.querySelectorAll('a[href]')].flatMap((each) => {
    const target = each.getAttribute('href') ?? '';
    if (!URL.canParse(target, url)) return [];
    const link = new URL(target, url);
    link.hash = '';
    return /^https?:$/.test(link.protocol) ? [link.href] : [];
  });
  return [...new Set(links)];
}

/** The main text of a page as HTML; undefined where Readability finds none. */
async function articleIn(document: PageDocument): Promise<string | undefined> {
  const { isProbablyReaderable, Readability } = await import('@mozilla/readability');
  const dom = document as unknown as Parameters<typeof isProbablyReaderable>[0];
  if (!isProbablyReaderable(dom)) return undefined;
  const article = new Readability(dom, { maxElemsToParse: MAX_ELEMENTS }).parse();
  return article?.content ?? undefined;
}

async function toMarkdown(body: PageElement): Promise<string> {
  const { default: Turndown } = await import('turndown');
  const converter = new Turndown({ headingStyle: 'atx', codeBlockStyle: 'fenced', bulletListMarker: '-' });
  // Turndown parses a text with a parser of its own; with a node, linkedom stays the only one.
  return converter.turndown(body as unknown as Parameters<typeof converter.turndown>[0]);
}

const BLOCKS = /^(P|DIV|LI|UL|OL|TR|TABLE|H[1-6]|BR|SECTION|ARTICLE|HEADER|FOOTER|PRE|BLOCKQUOTE)$/;

/** The text of an element, with a line break after each block. */
function plainText(element: PageElement): string {
  let text = '';
  const add = (node: PageNode): void => {
    if (node.nodeType === 3) text += node.textContent ?? '';
    for (const child of node.childNodes) add(child);
    if (BLOCKS.test(node.nodeName.toUpperCase())) text += '\n';
  };
  add(element);
  return text
    .replace(/[ \t]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}
