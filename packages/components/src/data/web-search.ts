import { credentialFor } from '../network/bound-credential.ts';
import { decodeBody } from '../network/read-bounded.ts';
import { request } from '../network/request.ts';
import { ComponentError, type CroftComponent } from '../services.ts';
import { isRow, message, type Row, toText } from '../values.ts';
import { readFeed } from './read-feed.ts';

const BRAVE = 'https://api.search.brave.com';

/** Results of a search engine, or entries of a feed. */
export const webSearch: CroftComponent = {
  descriptor: {
    type: 'UnifiedWebSearch',
    label: 'Web search',
    description: 'Searches the web or the news with SearXNG or Brave Search, or reads an RSS feed.',
    category: 'data',
    icon: 'search',
    keywords: ['searxng', 'brave', 'google', 'news'],
    aliases: ['WebSearch', 'NewsSearch', 'SearXNG'],
    effects: ['network-read'],
    fields: [
      { name: 'search_mode', label: 'Search in', kind: 'select', options: ['Web', 'News', 'RSS'], default: 'Web' },
      {
        name: 'query',
        label: 'Query',
        kind: 'text',
        accepts: ['Message'],
        required: true,
        toolParameter: true,
        help: 'Words to search for. With RSS: the address of the feed.',
      },
      {
        name: 'provider',
        label: 'Search engine',
        kind: 'select',
        options: ['SearXNG', 'Brave'],
        default: 'SearXNG',
        showWhen: { field: 'search_mode', is: ['Web', 'News'] },
      },
      {
        name: 'base_url',
        label: 'Address of the search engine',
        kind: 'text',
        variables: false,
        default: '',
        placeholder: 'https://searx.example.org',
        help: 'Needed for SearXNG, whose JSON format must be switched on. Empty for Brave.',
        showWhen: { field: 'search_mode', is: ['Web', 'News'] },
      },
      {
        name: 'credential',
        label: 'Credential',
        kind: 'text',
        variables: false,
        default: '',
        help: 'The name of the credential with the key; Brave needs one.',
        showWhen: { field: 'provider', is: ['Brave'] },
      },
      { name: 'hl', label: 'Language', kind: 'text', variables: false, default: '', advanced: true },
      { name: 'max_results', label: 'Results at most', kind: 'integer', default: 5, min: 1, max: 50 },
      {
        name: 'max_content_length',
        label: 'Characters of a snippet',
        kind: 'integer',
        default: 2_000,
        min: 0,
        max: 100_000,
        advanced: true,
      },
      { name: 'timeout', label: 'Timeout in seconds', kind: 'integer', default: 15, min: 1, max: 600, advanced: true },
    ],
    outputs: [
      {
        name: 'results',
        label: 'Results',
        types: ['Table'],
        help: 'title, link, snippet; news: published and summary',
      },
      { name: 'message', label: 'Text', types: ['Message'] },
    ],
  },
  async run({ inputs, services, signal }) {
    const query = toText(inputs['query']).trim();
    const maxResults = Number(inputs['max_results']);
    const timeoutMs = Number(inputs['timeout']) * 1_000;
    if (inputs['search_mode'] === 'RSS')
      return withText(await readFeed(services, { url: query, maxResults, timeoutMs, signal }));
    const isNews = inputs['search_mode'] === 'News';
    const { url, headers } = requestFor({ ...inputs, query }, isNews, (name, address) =>
      credentialFor(services, name, address),
    );
    const response = await request(services, url, { headers, timeoutMs, signal });
    const body = decodeBody(response.body, response.headers.get('content-type'));
    if (response.status !== 200)
      throw new ComponentError(
        `The search engine answered with status ${response.status}.`,
        response.status === 403
          ? 'Switch the JSON format of SearXNG on (search.formats in settings.yml), or check the key.'
          : 'Check the address and the key, or try again later.',
      );
    const rows = resultsIn(body).slice(0, maxResults);
    const most = Number(inputs['max_content_length']);
    return withText(rows.map((row) => (isNews ? newsRow(row, most) : webRow(row, most))));
  },
};

type FindCredential = (name: string, url: string) => string;

function requestFor(
  inputs: Readonly<Record<string, unknown>> & { readonly query: string },
  isNews: boolean,
  find: FindCredential,
): { readonly url: string; readonly headers: Readonly<Record<string, string>> } {
  const base = toText(inputs['base_url'] ?? '')
    .trim()
    .replace(/\/+$/, '');
  const language = toText(inputs['hl'] ?? '').trim();
  const headers = { accept: 'application/json' };
  if (inputs['provider'] === 'Brave') {
    const params = new URLSearchParams({ q: inputs.query, ...(language !== '' && { search_lang: language }) });
    const url = `${base === '' ? BRAVE : base}/res/v1/${isNews ? 'news' : 'web'}/search?${params}`;
    return { url, headers: { ...headers, 'x-subscription-token': find(toText(inputs['credential'] ?? ''), url) } };
  }
  if (base === '')
    throw new ComponentError('The address of SearXNG is missing.', 'Set base_url, such as https://searx.example.org.');
  const params = new URLSearchParams({
    q: inputs.query,
    format: 'json',
    categories: isNews ? 'news' : 'general',
    ...(language !== '' && { language }),
  });
  return { url: `${base}/search?${params}`, headers };
}

/** SearXNG has `results`; Brave has `web.results`, and `results` for news. */
function resultsIn(body: string): readonly Row[] {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    value = undefined;
  }
  const web = isRow(value) && isRow(value['web']) ? value['web'] : value;
  const results = isRow(web) ? web['results'] : undefined;
  if (Array.isArray(results)) return results.filter(isRow);
  throw new ComponentError(
    'The answer of the search engine is not a list of results.',
    'Check that the address belongs to SearXNG or Brave Search.',
  );
}

const textIn = (row: Row, ...names: readonly string[]): string => {
  const name = names.find((each) => typeof row[each] === 'string' && row[each] !== '');
  return name === undefined ? '' : String(row[name]).replace(/<\/?strong>/g, '');
};

const webRow = (row: Row, most: number): Row => ({
  title: textIn(row, 'title'),
  link: textIn(row, 'url'),
  snippet: textIn(row, 'content', 'description').slice(0, most),
});

const newsRow = (row: Row, most: number): Row => ({
  title: textIn(row, 'title'),
  link: textIn(row, 'url'),
  published: textIn(row, 'publishedDate', 'page_age', 'age'),
  summary: textIn(row, 'content', 'description').slice(0, most),
});

const withText = (rows: readonly Row[]) => ({
  results: rows,
  message: message(
    rows
      .map((row) => `${String(row['title'])}\n${String(row['link'])}\n${String(row['snippet'] ?? row['summary'])}`)
      .join('\n\n'),
  ),
});
