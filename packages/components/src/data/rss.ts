import type { CroftComponent } from '../services.ts';
import { toText } from '../values.ts';
import { readFeed } from './read-feed.ts';

/** The entries of a feed. */
export const rssReader: CroftComponent = {
  descriptor: {
    type: 'RSSReader',
    label: 'RSS feed',
    description: 'Reads the entries of an RSS or Atom feed.',
    category: 'data',
    icon: 'rss',
    keywords: ['atom', 'news', 'feed'],
    aliases: ['RSSReaderSimple', 'RSS'],
    effects: ['network-read'],
    fields: [
      {
        name: 'rss_url',
        label: 'Address',
        kind: 'text',
        accepts: ['Message'],
        required: true,
        variables: false,
        toolParameter: true,
      },
      { name: 'max_results', label: 'Entries at most', kind: 'integer', default: 20, min: 1, max: 1_000 },
      { name: 'timeout', label: 'Timeout in seconds', kind: 'integer', default: 30, min: 1, max: 600, advanced: true },
    ],
    outputs: [{ name: 'dataframe', label: 'Entries', types: ['Table'], help: 'title, link, published, summary' }],
  },
  async run({ inputs, services, signal }) {
    const rows = await readFeed(services, {
      url: toText(inputs['rss_url']).trim(),
      maxResults: Number(inputs['max_results']),
      timeoutMs: Number(inputs['timeout']) * 1_000,
      signal,
    });
    return { dataframe: rows };
  },
};
