import { decodeBody } from '../network/read-bounded.ts';
import { request } from '../network/request.ts';
import { ComponentError, type CroftComponent, type Services } from '../services.ts';
import { isRow, joinTexts, message, type Row, toText } from '../values.ts';
import type { PageFormat } from './read-page.ts';
import { readPageApart } from './read-page-apart.ts';

const MAX_PAGES = 100;
const FORMATS: readonly PageFormat[] = ['Markdown', 'Text', 'HTML'];

/** Web pages as text. */
export const webPage: CroftComponent = {
  descriptor: {
    type: 'URLComponent',
    label: 'Web page',
    description: 'Reads web pages as Markdown, text or HTML, and follows links to the depth asked for.',
    category: 'data',
    icon: 'file-globe',
    keywords: ['url', 'scrape', 'crawl', 'html', 'article', 'download', 'fetch'],
    aliases: ['URL', 'WebPage'],
    effects: ['network-read'],
    fields: [
      {
        name: 'urls',
        label: 'Addresses',
        kind: 'text',
        accepts: ['Message'],
        list: true,
        required: true,
        variables: false,
        toolParameter: true,
      },
      { name: 'format', label: 'Format', kind: 'select', options: [...FORMATS], default: 'Markdown' },
      {
        name: 'only_article',
        label: 'Only the main text',
        kind: 'switch',
        default: true,
        help: 'Leaves menus and footers out where the main text can be found.',
        showWhen: { field: 'format', is: ['Markdown', 'Text'] },
      },
      { name: 'max_depth', label: 'Depth', kind: 'integer', default: 1, min: 1, max: 5, help: '1: no links.' },
      {
        name: 'prevent_outside',
        label: 'Stay on the same host',
        kind: 'switch',
        default: true,
        advanced: true,
      },
      {
        name: 'max_pages',
        label: 'Pages at most',
        kind: 'integer',
        default: 20,
        min: 1,
        max: MAX_PAGES,
        advanced: true,
      },
      { name: 'timeout', label: 'Timeout in seconds', kind: 'integer', default: 30, min: 1, max: 600, advanced: true },
      {
        name: 'continue_on_failure',
        label: 'Leave out pages that fail',
        kind: 'switch',
        default: false,
        advanced: true,
      },
    ],
    outputs: [
      {
        name: 'page_results',
        label: 'Pages',
        types: ['Table'],
        help: 'text, url, title, description, content_type, language',
      },
      { name: 'raw_results', label: 'Text', types: ['Message'] },
    ],
  },
  async *run({ inputs, services, signal }) {
    const options: Reading = {
      services,
      signal,
      format: inputs['format'] as PageFormat,
      onlyArticle: inputs['only_article'] !== false,
      timeoutMs: Number(inputs['timeout']) * 1_000,
    };
    const queue = addressesIn(inputs['urls']).map((url) => ({ url, depth: 1 }));
    if (queue.length === 0) throw new ComponentError('No address is given.', 'Set urls to at least one address.');
    const hosts = new Set(queue.map(({ url }) => hostOf(url)));
    const seen = new Set(queue.map(({ url }) => url));
    const rows: Row[] = [];
    for (let asked = 0; asked < Number(inputs['max_pages']); asked++) {
      const next = queue.shift();
      if (next === undefined) break;
      yield { kind: 'progress', done: asked, total: asked + queue.length + 1, text: next.url };
      try {
        const { row, url: answered, links } = await read(next.url, options);
        rows.push(row);
        seen.add(answered);
        // Such as www.example.com for example.com, which the user named.
        if (next.depth === 1) hosts.add(hostOf(answered));
        if (next.depth >= Number(inputs['max_depth'])) continue;
        for (const url of links) {
          if (seen.has(url) || seen.size > 10 * MAX_PAGES) continue;
          if (inputs['prevent_outside'] === true && !hosts.has(hostOf(url))) continue;
          seen.add(url);
          queue.push({ url, depth: next.depth + 1 });
        }
      } catch (error) {
        if (inputs['continue_on_failure'] !== true || signal.aborted) throw error;
        yield { kind: 'log', text: `${next.url}: ${error instanceof Error ? error.message : String(error)}` };
      }
    }
    return { page_results: rows, raw_results: message(joinTexts(rows, '\n\n', ({ text }) => String(text))) };
  },
};

interface Reading {
  readonly services: Services;
  readonly signal: AbortSignal;
  readonly format: PageFormat;
  readonly onlyArticle: boolean;
  readonly timeoutMs: number;
}

interface ReadPage {
  readonly row: Row;
  /** After redirects. */
  readonly url: string;
  readonly links: readonly string[];
}

async function read(url: string, options: Reading): Promise<ReadPage> {
  const { services, signal, timeoutMs, format, onlyArticle } = options;
  const response = await request(services, url, { timeoutMs, signal, followRedirects: true });
  if (response.status >= 400)
    throw new ComponentError(
      `'${url}' answered with status ${response.status}.`,
      'Check the address, or switch continue_on_failure on.',
    );
  const contentType = response.headers.get('content-type') ?? '';
  const text = decodeBody(response.body, contentType);
  if (!/html/i.test(contentType)) {
    const isText = /^text\/|json|xml|yaml/i.test(contentType);
    if (!isText)
      throw new ComponentError(
        `'${url}' is not a page but '${contentType.slice(0, 100)}'.`,
        'Save the file with HTTP request and read it with Document text.',
      );
    return {
      row: { text, url: response.url, title: '', description: '', content_type: contentType, language: '' },
      url: response.url,
      links: [],
    };
  }
  const { links, ...page } = await readPageApart(services, text, response.url, { format, onlyArticle }, signal);
  return { row: { ...page, url: response.url, content_type: contentType }, url: response.url, links };
}

/** Addresses of a list, or of a text with one on each line. An address without a scheme gets https. */
function addressesIn(value: unknown): readonly string[] {
  const list = Array.isArray(value) ? value : [value];
  const lines = list.flatMap((each: unknown) =>
    toText(isRow(each) ? (each['url'] ?? each) : (each ?? '')).split(/[\s,]+/),
  );
  const addresses = lines
    .filter((line) => line !== '')
    .map((line) => (/^[a-z][a-z\d+.-]*:/i.test(line) ? line : `https://${line}`));
  return [...new Set(addresses)];
}

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : '');
