import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createGuardedFetch } from '../network/guarded-fetch.ts';
import type { Services } from '../services.ts';
import { type LocalServer, runAlone, startServer, declaredBy, textsOf } from '../testing.ts';
import { webSearch } from './web-search.ts';

let server: LocalServer;
let services: Partial<Services>;
let reply: { status: number; body: string };
let asked: { url: string; key: unknown; accept: unknown }[] = [];
beforeAll(async () => {
  server = await startServer(({ url = '', headers }, response) => {
    asked.push({ url, key: headers['x-subscription-token'], accept: headers.accept });
    response.writeHead(reply.status).end(reply.body);
  });
  const credential = (name: string) => (name === 'KEY' ? { value: 'k', hosts: [server.url] } : undefined);
  services = { fetch: createGuardedFetch({ allow: [`127.0.0.1:${server.port}`] }), credential };
});
afterAll(() => server.close());
beforeEach(() => {
  asked = [];
});

const RESULTS = [
  { title: 'A', url: 'u1', content: 'one two', publishedDate: 'd1' },
  { title: '', url: 'u2', content: '', description: 'a <strong>b</strong>', age: 'd2' },
  { title: 7 },
];
function search(more: object, answer: unknown = { results: RESULTS }, status = 200) {
  reply = { status, body: typeof answer === 'string' ? answer : JSON.stringify(answer) };
  const inputs = {
    search_mode: 'Web',
    query: ' a b ',
    provider: 'SearXNG',
    base_url: `${server.url}//`,
    max_results: 9,
    max_content_length: 100,
    timeout: 5,
  };
  return runAlone(webSearch, { ...inputs, ...more }, services).then(({ outputs }) => outputs);
}

describe('SearXNG', () => {
  it('is asked for JSON, in a language', async () => {
    await search({});
    await search({ hl: 'de', search_mode: 'News' });
    expect(asked).toEqual([
      { url: '/search?q=a+b&format=json&categories=general', key: undefined, accept: 'application/json' },
      { url: '/search?q=a+b&format=json&categories=news&language=de', key: undefined, accept: 'application/json' },
    ]);
  });

  it('gives results with a snippet, and news with a date', async () => {
    expect((await search({ max_content_length: 3 }))['results']).toEqual([
      { title: 'A', link: 'u1', snippet: 'one' },
      { title: '', link: 'u2', snippet: 'a b' },
      { title: '', link: '', snippet: '' },
    ]);
    const { results, message } = await search({ search_mode: 'News', max_results: 2 });
    expect(results).toEqual([
      { title: 'A', link: 'u1', published: 'd1', summary: 'one two' },
      { title: '', link: 'u2', published: 'd2', summary: 'a b' },
    ]);
    expect(message).toEqual({ text: 'A\nu1\none two\n\n\nu2\na b' });
  });

  it('needs an address', async () => {
    await expect(search({ base_url: ' ' })).rejects.toMatchObject({
      message: 'The address of SearXNG is missing.',
      fix: 'Set base_url, such as https://searx.example.org.',
    });
  });
});

describe('Brave Search', () => {
  it('is asked with a key that is bound to it', async () => {
    const brave = { provider: 'Brave', credential: 'KEY', hl: 'en' };
    const { results } = await search(brave, { web: { results: RESULTS.slice(0, 1) } });
    expect(results).toEqual([{ title: 'A', link: 'u1', snippet: 'one two' }]);
    await search({ ...brave, search_mode: 'News', hl: '' });
    expect(asked).toEqual([
      { url: '/res/v1/web/search?q=a+b&search_lang=en', key: 'k', accept: 'application/json' },
      { url: '/res/v1/news/search?q=a+b', key: 'k', accept: 'application/json' },
    ]);
    await expect(search({ ...brave, base_url: '' })).rejects.toThrow("is not sent to 'https://api.search.brave.com'");
  });
});

it('reads a feed in the mode RSS', async () => {
  const feed = '<rss><channel><item><title>T</title><link>l</link><description>s</description></item></channel></rss>';
  const { results, message } = await search({ search_mode: 'RSS', query: ` ${server.url}/feed ` }, feed);
  expect([asked[0]?.url, results, message]).toEqual([
    '/feed',
    [{ title: 'T', link: 'l', published: '', summary: 's' }],
    { text: 'T\nl\ns' },
  ]);
});

describe('a search that fails', () => {
  it.each([
    [403, 'Switch the JSON format of SearXNG on (search.formats in settings.yml), or check the key.'],
    [500, 'Check the address and the key, or try again later.'],
    [204, 'Check the address and the key, or try again later.'],
  ])('with status %d says what to do', async (status, fix) => {
    await expect(search({}, '', status)).rejects.toMatchObject({
      message: `The search engine answered with status ${status}.`,
      fix,
    });
  });

  it.each(['<html>', '[]', '{}', '{"results":7}', '{"web":{}}'])('does not get results from %s', async (body) => {
    await expect(search({}, body)).rejects.toThrow('The answer of the search engine is not a list of results.');
  });

  it('takes only results that are records', async () => {
    expect((await search({}, { results: ['x', null, RESULTS[0]] }))['results']).toHaveLength(1);
  });
});

it('declares its fields with these defaults and limits', () => {
  expect(declaredBy(webSearch)).toEqual([
    'UnifiedWebSearch: network-read',
    'search_mode: select default="Web" of Web|News|RSS',
    'query: text Message required toolParameter',
    'provider: select default="SearXNG" of SearXNG|Brave if search_mode Web|News',
    'base_url: text default="" variables=false if search_mode Web|News',
    'credential: text default="" variables=false if provider Brave',
    'hl: text advanced default="" variables=false',
    'max_results: integer default=5 max=50 min=1',
    'max_content_length: integer advanced default=2000 max=100000 min=0',
    'timeout: integer advanced default=15 max=600 min=1',
    'results: gives Table',
    'message: gives Message',
  ]);
});

it('shows these texts to people and models', () => {
  expect(textsOf(webSearch.descriptor)).toEqual([
    'Web search (search): Searches the web or the news with SearXNG or Brave Search, or reads an RSS feed.',
    'data | searxng | brave | google | news | WebSearch | NewsSearch | SearXNG',
    'search_mode: Search in',
    'query: Query | Words to search for. With RSS: the address of the feed.',
    'provider: Search engine',
    'base_url: Address of the search engine | Needed for SearXNG, whose JSON format must be switched on. Empty for Brave. | https://searx.example.org',
    'credential: Credential | The name of the credential with the key; Brave needs one.',
    'hl: Language',
    'max_results: Results at most',
    'max_content_length: Characters of a snippet',
    'timeout: Timeout in seconds',
    'results: Results | title, link, snippet; news: published and summary',
    'message: Text',
  ]);
});
