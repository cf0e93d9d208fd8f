import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createGuardedFetch } from '../network/guarded-fetch.ts';
import type { Services } from '../services.ts';
import { type LocalServer, runAlone, startServer, declaredBy, textsOf } from '../testing.ts';
import type { Row } from '../values.ts';
import { webPage } from './web-page.ts';

let server: LocalServer;
/** The server to which `/elsewhere` redirects. */
let moved: LocalServer;
let services: Partial<Services>;
let asked: string[] = [];
const link = (...paths: readonly string[]) => paths.map((path) => `<a href="${path}">x</a>`).join(' ');
const PAGES: Readonly<Record<string, string>> = {
  '/': `<title>Start</title><nav>menu</nav><p>hello</p>${link('/b', '/c', '/missing', 'http://other.example/')}`,
  '/b': `<title>B</title>${link('/', '/d')}`,
  '/c': '<title>C</title>',
  '/d': '<title>D</title>',
  '/to-elsewhere': `<title>Away</title>${link('/elsewhere')}`,
};

beforeAll(async () => {
  server = await startServer(({ url = '' }, response) => {
    asked.push(url);
    const page = PAGES[url];
    if (page !== undefined) response.setHeader('content-type', 'text/html').end(page);
    else if (url === '/moved') response.writeHead(302, { location: '/c' }).end();
    else if (url === '/elsewhere') response.writeHead(302, { location: `${moved.url}/` }).end();
    else if (url === '/json') response.setHeader('content-type', 'application/json').end('{"a":1}');
    else if (url === '/image') response.setHeader('content-type', 'image/png').end('x');
    else if (url === '/400') response.writeHead(400).end();
    else response.writeHead(404).end();
  });
  moved = await startServer(({ url }, response) => {
    const page = `<title>Moved ${url}</title>${link('/', '/x', `${server.url}/b`)}`;
    response.setHeader('content-type', 'text/html').end(page);
  });
  services = {
    fetch: createGuardedFetch({ allow: [`127.0.0.1:${server.port}`, `127.0.0.1:${moved.port}`] }),
  };
});
afterAll(() => Promise.all([server.close(), moved.close()]));
beforeEach(() => {
  asked = [];
});

async function read(paths: string | readonly string[], more: object = {}) {
  const urls = typeof paths === 'string' ? server.url + paths : paths.map((path) => server.url + path);
  const inputs = {
    urls,
    format: 'Text',
    only_article: false,
    max_depth: 1,
    prevent_outside: true,
    max_pages: 20,
    timeout: 5,
  };
  const { outputs, progress } = await runAlone(webPage, { ...inputs, ...more }, services);
  const rows = outputs['page_results'] as readonly Row[];
  return { rows, titles: rows.map(({ title }) => title), text: outputs['raw_results'], progress };
}

describe('the pages', () => {
  it('have their text, their address and their title', async () => {
    const { rows, text } = await read(['/', '/json']);
    expect(rows[0]).toMatchObject({ title: 'Start', url: `${server.url}/`, content_type: 'text/html' });
    expect(String(rows[0]?.['text'])).toContain('hello');
    expect(rows[0]).not.toHaveProperty('links');
    expect(rows[1]).toEqual({
      text: '{"a":1}',
      url: `${server.url}/json`,
      title: '',
      description: '',
      content_type: 'application/json',
      language: '',
    });
    expect((text as { text: string }).text).toBe(`${String(rows[0]?.['text'])}\n\n{"a":1}`);
  });

  it('have the address after redirects, and the asked format', async () => {
    expect((await read('/moved')).rows).toMatchObject([{ title: 'C', url: `${server.url}/c` }]);
    expect(String((await read('/c', { format: 'HTML' })).rows[0]?.['text'])).toContain('<title>C</title>');
  });

  it('are followed to the depth, each once, on the same host', async () => {
    expect((await read('/')).titles).toEqual(['Start']);
    const two = { max_depth: 2, continue_on_failure: true };
    expect((await read('/', two)).titles).toEqual(['Start', 'B', 'C']);
    expect((await read('/', { ...two, max_depth: 3 })).titles).toEqual(['Start', 'B', 'C', 'D']);
    const outside = await read('/', { ...two, prevent_outside: false });
    expect(
      outside.progress.some((each) => each.kind === 'log' && each.text?.startsWith('http://other.example/: ')),
    ).toBe(true);
  });

  it('are followed on the host to which a given address redirects, and on no host of a later redirect', async () => {
    const two = { max_depth: 2 };
    expect((await read('/elsewhere', two)).titles).toEqual(['Moved /', 'Moved /x', 'B']);
    expect((await read('/to-elsewhere', { ...two, max_depth: 3 })).titles).toEqual(['Away', 'Moved /', 'B']);
  });

  it('count also where they fail', async () => {
    const paths = ['/missing', '/400', '/b', '/c'];
    const { titles, progress } = await read(paths, { max_pages: 3, continue_on_failure: true });
    expect(titles).toEqual(['B']);
    expect(progress.filter(({ kind }) => kind === 'progress')).toMatchObject([
      { done: 0, total: 4 },
      { done: 1, total: 4 },
      { done: 2, total: 4 },
    ]);
    expect(asked).toEqual(['/missing', '/400', '/b']);
  });

  it('are at most as many as asked for, with progress', async () => {
    const { titles, progress } = await read('/', { max_depth: 2, max_pages: 2 });
    expect(titles).toEqual(['Start', 'B']);
    expect(progress).toEqual([
      { kind: 'progress', done: 0, total: 1, text: `${server.url}/` },
      { kind: 'progress', done: 1, total: 4, text: `${server.url}/b` },
    ]);
  });
});

describe('the addresses', () => {
  it('are those of a list, of lines and of rows, each once', async () => {
    const { rows } = await read([], {
      urls: [`${server.url}/b, ${server.url}/c\n${server.url}/b`, { url: `${server.url}/d` }],
    });
    expect(rows.map(({ title }) => title)).toEqual(['B', 'C', 'D']);
  });

  it('get https without a scheme', async () => {
    const { progress } = await read([], { urls: 'no-such.invalid', continue_on_failure: true });
    expect(progress[0]).toMatchObject({ kind: 'progress', text: 'https://no-such.invalid' });
  });

  it.each(['', ' , ', [], undefined])('are needed: %j', async (urls) => {
    await expect(read([], { urls })).rejects.toThrow('No address is given.');
  });
});

describe('a page that fails', () => {
  it('ends the run, or is left out', async () => {
    await expect(read('/missing')).rejects.toMatchObject({
      message: `'${server.url}/missing' answered with status 404.`,
      fix: 'Check the address, or switch continue_on_failure on.',
    });
    await expect(read('/400')).rejects.toThrow('answered with status 400.');
    const { titles, progress } = await read(['/missing', '/c'], { continue_on_failure: true });
    expect(titles).toEqual(['C']);
    expect(progress[1]).toEqual({
      kind: 'log',
      text: `${server.url}/missing: '${server.url}/missing' answered with status 404.`,
    });
  });

  it('is one that is not text', async () => {
    await expect(read('/image')).rejects.toThrow(`'${server.url}/image' is not a page but 'image/png'.`);
  });
});

it('declares its fields with these defaults and limits', () => {
  expect(declaredBy(webPage)).toEqual([
    'URLComponent: network-read',
    'urls: text Message list required toolParameter variables=false',
    'format: select default="Markdown" of Markdown|Text|HTML',
    'only_article: switch default if format Markdown|Text',
    'max_depth: integer default=1 max=5 min=1',
    'prevent_outside: switch advanced default',
    'max_pages: integer advanced default=20 max=100 min=1',
    'timeout: integer advanced default=30 max=600 min=1',
    'continue_on_failure: switch advanced default=false',
    'page_results: gives Table',
    'raw_results: gives Message',
  ]);
});

it('shows these texts to people and models', () => {
  expect(textsOf(webPage.descriptor)).toEqual([
    'Web page (file-globe): Reads web pages as Markdown, text or HTML, and follows links to the depth asked for.',
    'data | url | scrape | crawl | html | article | download | fetch | URL | WebPage',
    'urls: Addresses',
    'format: Format',
    'only_article: Only the main text | Leaves menus and footers out where the main text can be found.',
    'max_depth: Depth | 1: no links.',
    'prevent_outside: Stay on the same host',
    'max_pages: Pages at most',
    'timeout: Timeout in seconds',
    'continue_on_failure: Leave out pages that fail',
    'page_results: Pages | text, url, title, description, content_type, language',
    'raw_results: Text',
  ]);
});
