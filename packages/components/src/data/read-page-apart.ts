import type { DocumentService } from '../files/document-service.ts';
import { type Page, type PageOptions, readPage } from './read-page.ts';

/** Characters of a page or feed that takes a few milliseconds. */
export const MAX_CHARS_HERE = 8_192;

/**
 * Converts an HTML page as `readPage` does; a larger one in a process of its own where the run has such a service, because
 * parsing holds its process for up to a few seconds.
 *
 * @throws as `readPage`; the reason of the signal
 */
export function readPageApart(
  { documents }: { readonly documents?: Pick<DocumentService, 'page'> },
  html: string,
  url: string,
  options: PageOptions,
  signal: AbortSignal,
): Promise<Page> {
  if (html.length <= MAX_CHARS_HERE || documents?.page === undefined) return readPage(html, url, options);
  return documents.page(html, url, options, signal);
}
