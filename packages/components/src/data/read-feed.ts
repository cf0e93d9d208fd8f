import { decodeBody } from '../network/read-bounded.ts';
import { request } from '../network/request.ts';
import { ComponentError, type Services } from '../services.ts';
import type { Row } from '../values.ts';
import { parseFeed } from './parse-feed.ts';
import { MAX_CHARS_HERE } from './read-page-apart.ts';

export interface FeedRequest {
  readonly url: string;
  readonly maxResults: number;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/**
 * Reads an RSS 2.0, RSS 1.0 or Atom feed as `parseFeed` does; a large one in a process of its own where the run has such a
 * service, because parsing holds its process.
 *
 * @throws NetworkError; ComponentError where the answer is not a feed; the reason of the signal
 */
export async function readFeed(services: Services, { url, maxResults, ...rest }: FeedRequest): Promise<readonly Row[]> {
  const headers = { accept: 'application/rss+xml, application/atom+xml, application/xml, text/xml' };
  const response = await request(services, url, { ...rest, headers, followRedirects: true });
  if (response.status >= 400)
    throw new ComponentError(`The feed answered with status ${response.status}.`, 'Check the address of the feed.');
  const text = decodeBody(response.body, response.headers.get('content-type'));
  const { documents } = services;
  if (text.length <= MAX_CHARS_HERE || documents?.feed === undefined) return parseFeed(text, { url, maxResults });
  return documents.feed(text, { url, maxResults }, rest.signal);
}
