import { ComponentError } from '../component-error.ts';
import type { Row } from '../values.ts';
import { parseDocument } from './read-page.ts';

export interface FeedOptions {
  /** The address of the feed, for a failure. */
  readonly url: string;
  readonly maxResults: number;
}

/**
 * The first entries of an RSS 2.0, RSS 1.0 or Atom feed: rows with title, link, published and summary, in the order of the
 * feed. A feed of megabytes takes seconds to minutes.
 *
 * @throws ComponentError where the text is not a feed
 */
export async function parseFeed(text: string, { url, maxResults }: FeedOptions): Promise<readonly Row[]> {
  const document = parseXml(await import('linkedom'), text);
  const root = document.querySelector('rss, feed, RDF');
  if (root === null)
    throw new ComponentError(`'${url}' is not an RSS or Atom feed.`, 'Use the address of the feed, not of the page.');
  const entries = [...document.querySelectorAll('item, entry')].slice(0, maxResults);
  return Promise.all(entries.map(rowOf));
}

interface XmlElement {
  readonly localName: string;
  readonly textContent: string | null;
  readonly children: Iterable<XmlElement>;
  getAttribute(name: string): string | null;
}

interface XmlDocument {
  querySelector(selector: string): XmlElement | null;
  querySelectorAll(selector: string): Iterable<XmlElement>;
}

function parseXml({ DOMParser }: typeof import('linkedom'), text: string): XmlDocument {
  return new DOMParser().parseFromString(text.trim(), 'text/xml') as unknown as XmlDocument;
}

async function rowOf(entry: XmlElement): Promise<Row> {
  const children = [...entry.children];
  const first = (...names: readonly string[]) => children.find(({ localName }) => names.includes(localName));
  const textIn = (...names: readonly string[]) => withoutCdata(first(...names)?.textContent ?? '').trim();
  const links = children.filter(({ localName }) => localName === 'link');
  const link = links.find((each) => (each.getAttribute('rel') ?? 'alternate') === 'alternate') ?? links[0];
  return {
    title: textIn('title'),
    link: link?.getAttribute('href') ?? textIn('link'),
    published: textIn('pubDate', 'published', 'date', 'dc:date', 'updated'),
    summary: await withoutTags(textIn('description', 'summary', 'content')),
  };
}

const withoutCdata = (text: string): string => text.replace(/^\s*<!\[CDATA\[([\s\S]*)\]\]>\s*$/, '$1');

/** The text of an HTML fragment. */
async function withoutTags(html: string): Promise<string> {
  if (!/[<&]/.test(html)) return html;
  const { body } = await parseDocument(`<html><body>${html}</body></html>`);
  return (body?.textContent ?? '').replace(/\s+/g, ' ').trim();
}
