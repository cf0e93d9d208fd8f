import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createGuardedFetch } from '../network/guarded-fetch.ts';
import type { Services } from '../services.ts';
import { type LocalServer, runNode, startServer } from '../testing.ts';

const ARTICLE = `<!doctype html><html lang="en"><head><title>Crofting today</title>
<meta name="description" content="About small fields"></head><body>
<nav><a href="/next">Next page</a> <a href="/missing">Gone</a> <a href="http://other.example/">Elsewhere</a></nav>
<article><h1>Crofting today</h1>${'<p>A croft is a small <b>enclosed</b> field, often with a house, and with a wall around it that keeps the sheep out.</p>'.repeat(8)}</article>
<script>document.title = 'changed'</script><footer>Legal notice</footer></body></html>`;
const RSS = `<?xml version="1.0"?><rss version="2.0"><channel><title>News</title>
<item><title><![CDATA[First & best]]></title><link>https://example.com/1</link><pubDate>Mon, 02 Mar 2026 10:00:00 GMT</pubDate><description>&lt;p&gt;Hello &lt;b&gt;there&lt;/b&gt;&lt;/p&gt;</description></item>
<item><title>Second</title><link>https://example.com/2</link></item></channel></rss>`;
const ATOM = `<feed xmlns="http://www.w3.org/2005/Atom"><entry><title>One</title><link rel="self" href="https://a.example/self"/><link href="https://a.example/1"/><updated>2026-03-01T00:00:00Z</updated><summary>Short</summary></entry></feed>`;

let server: LocalServer;
let services: Partial<Services>;
let onSlow: (closed: Promise<void>) => void = () => undefined;
const received: { url: string; key: unknown }[] = [];

beforeAll(async () => {
  server = await startServer((request, response) => {
    const url = request.url ?? '';
    received.push({ url, key: request.headers['x-subscription-token'] });
    const html = (text: string) => response.setHeader('content-type', 'text/html; charset=utf-8').end(text);
    const json = (value: unknown) => response.setHeader('content-type', 'application/json').end(JSON.stringify(value));
    if (url === '/') html(ARTICLE);
    else if (url === '/next') html('<title>Second page</title><p>Short text</p>');
    else if (url === '/latin')
      response.setHeader('content-type', 'text/html; charset=iso-8859-1').end(Buffer.from('<p>caf\xe9</p>', 'latin1'));
    else if (url.startsWith('/long')) response.setHeader('content-type', 'text/plain').end('a'.repeat(9_000_000));
    else if (url === '/photo') response.setHeader('content-type', 'image/png').end('x');
    else if (url === '/rss') response.end(RSS);
    else if (url === '/atom') response.end(ATOM);
    else if (url === '/slow' || url.includes('q=slow'))
      onSlow(new Promise((resolve) => response.once('close', resolve)));
    else if (url.startsWith('/search') && url.includes('q=denied')) response.writeHead(403).end();
    else if (url.startsWith('/search'))
      json({
        results: [1, 2, 3].map((n) => ({
          title: `T${n}`,
          url: `https://e.org/${n}`,
          content: 'snippet '.repeat(3),
          publishedDate: '2026',
        })),
      });
    else if (url.startsWith('/res/v1/web'))
      json({ web: { results: [{ title: 'B', url: 'https://b.org', description: 'a <strong>b</strong>' }] } });
    else response.writeHead(404).end();
  });
  const credential = (name: string) => (name === 'BRAVE' ? { value: 'key-1', hosts: [server.url] } : undefined);
  services = { fetch: createGuardedFetch({ allow: [`127.0.0.1:${server.port}`] }), credential };
});
afterAll(() => server.close());

/** Cancels a run while the server holds its response back, and waits until the connection is closed. */
async function cancelDuring(type: string, output: string, config: Readonly<Record<string, unknown>>) {
  const abort = new AbortController();
  const left = new Promise<void>((resolve) => {
    onSlow = (closed) => {
      void closed.then(resolve);
      abort.abort();
    };
  });
  const { status } = await runNode({ type, output, config, services }, { signal: abort.signal });
  await left;
  return status;
}

describe('URLComponent', () => {
  const read = (config: Readonly<Record<string, unknown>>) =>
    runNode({ type: 'URLComponent', output: 'page_results', config, services });

  it('gives the article as Markdown, without menus and scripts', async () => {
    const { value } = await read({ urls: `${server.url}/` });
    const [page] = value as [{ text: string }];
    expect(page).toMatchObject({ title: 'Crofting today', description: 'About small fields', language: 'en' });
    expect(page.text).toContain('A croft is a small **enclosed** field');
    expect(page.text).not.toMatch(/Legal notice|Next page|document\.title/);
  });

  it('gives the whole page as text when asked', async () => {
    const { value } = await read({ urls: `${server.url}/`, only_article: false, format: 'Text' });
    expect((value as [{ text: string }])[0].text).toMatch(/Next page[\s\S]*Legal notice/);
  });

  it('follows links on the same host to the depth', async () => {
    const { value } = await read({ urls: `${server.url}/`, max_depth: 2, continue_on_failure: true });
    expect((value as { title: string }[]).map(({ title }) => title)).toEqual(['Crofting today', 'Second page']);
  });

  it('reads the charset of the response', async () => {
    expect((await read({ urls: `${server.url}/latin` })).value).toMatchObject([{ text: 'café' }]);
  });

  it.each([
    ['/missing', 'status 404'],
    ['/photo', 'image/png'],
  ])('fails for %s with advice', async (path, message) => {
    const { failure } = await read({ urls: `${server.url}${path}` });
    expect(failure?.message).toContain(message);
    expect(failure?.fix).toBeDefined();
  });

  it('refuses pages that are too long a text together', async () => {
    const urls = [1, 2, 3, 4].map((at) => `${server.url}/long?${at}`);
    expect((await read({ urls })).failure?.message).toContain('The text has more than 33554432 characters');
  });

  it('closes the connection when the run is cancelled', async () => {
    expect(await cancelDuring('URLComponent', 'page_results', { urls: `${server.url}/slow` })).toBe('cancelled');
  });
});

describe('RSSReader', () => {
  const read = (path: string) =>
    runNode({ type: 'RSSReader', output: 'dataframe', config: { rss_url: `${server.url}${path}` }, services });

  it('reads RSS, and HTML in it as text', async () => {
    expect((await read('/rss')).value).toEqual([
      {
        title: 'First & best',
        link: 'https://example.com/1',
        published: 'Mon, 02 Mar 2026 10:00:00 GMT',
        summary: 'Hello there',
      },
      { title: 'Second', link: 'https://example.com/2', published: '', summary: '' },
    ]);
  });

  it('reads Atom, with the link of the page', async () => {
    expect((await read('/atom')).value).toEqual([
      { title: 'One', link: 'https://a.example/1', published: '2026-03-01T00:00:00Z', summary: 'Short' },
    ]);
  });

  it('says so when the address is not a feed', async () => {
    expect((await read('/')).failure?.fix).toContain('address of the feed');
  });

  it('closes the connection when the run is cancelled', async () => {
    expect(await cancelDuring('RSSReader', 'dataframe', { rss_url: `${server.url}/slow` })).toBe('cancelled');
  });
});

describe('UnifiedWebSearch', () => {
  const search = (config: Readonly<Record<string, unknown>>) =>
    runNode({ type: 'UnifiedWebSearch', output: 'results', config, services });

  it('asks SearXNG, and cuts results and snippets', async () => {
    const { value } = await search({ query: 'a b', base_url: server.url, max_results: 2, max_content_length: 7 });
    expect(value).toEqual([1, 2].map((n) => ({ title: `T${n}`, link: `https://e.org/${n}`, snippet: 'snippet' })));
    expect(received.at(-1)?.url).toBe('/search?q=a+b&format=json&categories=general');
  });

  it('gives the date of news', async () => {
    const { value } = await search({ query: 'a', base_url: server.url, search_mode: 'News', max_results: 1 });
    expect(value).toMatchObject([{ published: '2026', summary: expect.stringContaining('snippet') as string }]);
  });

  it('sends the key of Brave Search to the bound host only', async () => {
    const config = { query: 'a', provider: 'Brave', credential: 'BRAVE' };
    const { value } = await search({ ...config, base_url: server.url });
    expect([value, received.at(-1)?.key]).toEqual([[{ title: 'B', link: 'https://b.org', snippet: 'a b' }], 'key-1']);
    expect((await search({ ...config, base_url: 'https://evil.example' })).failure?.message).toContain(
      'is not sent to',
    );
  });

  it('reads a feed in the RSS mode', async () => {
    const { value } = await search({ query: `${server.url}/rss`, search_mode: 'RSS', max_results: 1 });
    expect(value).toMatchObject([{ title: 'First & best' }]);
  });

  it.each<[Readonly<Record<string, unknown>>, string]>([
    [{ query: 'x' }, 'address of SearXNG is missing'],
    [{ query: 'denied', base_url: 'SERVER' }, 'status 403'],
    [{ query: 'x', provider: 'Brave', base_url: 'SERVER' }, 'name of a credential is missing'],
  ])('fails for %j with advice', async (config, message) => {
    const { failure } = await search({ ...config, ...(config['base_url'] !== undefined && { base_url: server.url }) });
    expect(failure?.message).toContain(message);
    expect(failure?.fix).toBeDefined();
  });

  it('closes the connection when the run is cancelled', async () => {
    const config = { query: 'slow', base_url: server.url };
    expect(await cancelDuring('UnifiedWebSearch', 'results', config)).toBe('cancelled');
  });
});
