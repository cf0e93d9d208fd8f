import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createGuardedFetch } from '../network/guarded-fetch.ts';
import type { Services } from '../services.ts';
import { type LocalServer, startServer } from '../testing.ts';
import { readFeed } from './read-feed.ts';

let server: LocalServer;
let services: Services;
let body = '';
let status = 200;
let accept: string | undefined;
beforeAll(async () => {
  server = await startServer((request, response) => {
    accept = request.headers.accept;
    if (request.url === '/moved') response.writeHead(302, { location: '/' }).end();
    else response.writeHead(status).end(body);
  });
  services = { fetch: createGuardedFetch({ allow: [`127.0.0.1:${server.port}`] }), now: () => new Date() };
});
afterAll(() => server.close());

function read(text: string, maxResults = 10, path = '/') {
  body = text;
  const signal = new AbortController().signal;
  return readFeed(services, { url: server.url + path, maxResults, timeoutMs: 5_000, signal });
}
const rss = (...items: readonly string[]) =>
  `<rss><channel>${items.map((item) => `<item>${item}</item>`).join('')}</channel></rss>`;

describe('a feed', () => {
  it('gives its first entries in their order, after redirects', async () => {
    const text = rss('<title> A </title><link>l1</link>', '<title>B</title>', '<title>C</title>');
    expect(await read(text, 2, '/moved')).toEqual([
      { title: 'A', link: 'l1', published: '', summary: '' },
      { title: 'B', link: '', published: '', summary: '' },
    ]);
    expect(accept).toContain('application/rss+xml');
  });

  it('has texts in CDATA, and summaries without tags', async () => {
    const item = '<title><![CDATA[A & <b>]]></title><description>&lt;p&gt;x  &amp;amp; y&lt;/p&gt; z</description>';
    expect(await read(rss(item))).toMatchObject([{ title: 'A & <b>', summary: 'x & y z' }]);
    expect(await read(rss('<description>plain  text</description>'))).toMatchObject([{ summary: 'plain  text' }]);
  });

  it.each([
    ['pubDate', 'description'],
    ['published', 'summary'],
    ['updated', 'content'],
  ])('has its date in %s and its summary in %s', async (date, summary) => {
    expect(await read(rss(`<${date}>d</${date}><${summary}>s</${summary}>`))).toMatchObject([
      { published: 'd', summary: 's' },
    ]);
  });

  it('has the link of the page, or the first one', async () => {
    const atom = (links: string) => `<feed><entry>${links}</entry></feed>`;
    expect(await read(atom('<link rel="self" href="a"/><link href="b"/>'))).toMatchObject([{ link: 'b' }]);
    expect(await read(atom('<link rel="self" href="a"/><link rel="alternate" href="c"/>'))).toMatchObject([
      { link: 'c' },
    ]);
    expect(await read(atom('<link rel="self" href="a"/>'))).toMatchObject([{ link: 'a' }]);
    expect(await read('<RDF><item><title>T</title></item></RDF>')).toMatchObject([{ title: 'T' }]);
  });
});

it('says that an address is not a feed, or fails', async () => {
  await expect(read('<html><body>x</body></html>')).rejects.toThrow(`'${server.url}/' is not an RSS or Atom feed.`);
  status = 400;
  await expect(read(rss())).rejects.toMatchObject({
    message: 'The feed answered with status 400.',
    fix: 'Check the address of the feed.',
  });
  status = 399;
  expect(await read(rss())).toEqual([]);
});

it('parses a small feed here, and a large one in the service of the run', async () => {
  const rows = [{ title: 'elsewhere' }];
  const given: unknown[] = [];
  const documents = { feed: async (...all: unknown[]) => (given.push(all), rows) };
  const own = services;
  services = { ...own, documents: documents as never };
  try {
    const feed = (length: number) => rss('<title>here</title>').padEnd(length);
    expect(await read(feed(8_192))).toMatchObject([{ title: 'here' }]);
    expect(given).toEqual([]);
    expect(await read(feed(8_193), 7)).toBe(rows);
    expect(given).toEqual([[feed(8_193), { url: `${server.url}/`, maxResults: 7 }, expect.any(AbortSignal)]]);
  } finally {
    services = own;
  }
});
