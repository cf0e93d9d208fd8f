import { expect, it } from 'vitest';
import type { Page, PageOptions } from './read-page.ts';
import { readPageApart } from './read-page-apart.ts';

const OPTIONS: PageOptions = { format: 'Text', onlyArticle: false };
const PAGE = { text: 'elsewhere', title: '', description: '', language: '', links: [] } as unknown as Page;
const { signal } = new AbortController();

it('converts a small page here, and a large one in the service of the run', async () => {
  const asked: unknown[] = [];
  const documents = {
    page: async (...given: unknown[]) => {
      asked.push(given);
      return PAGE;
    },
  };
  const html = (length: number) => '<p>hello</p>'.padEnd(length);
  expect((await readPageApart({ documents }, html(8_192), 'http://a/', OPTIONS, signal)).text).toBe('hello');
  expect(asked).toEqual([]);
  expect(await readPageApart({ documents }, html(8_193), 'http://a/', OPTIONS, signal)).toBe(PAGE);
  expect(asked).toEqual([[html(8_193), 'http://a/', OPTIONS, signal]]);
  expect((await readPageApart({ documents: {} }, html(8_193), 'http://a/', OPTIONS, signal)).text).toBe('hello');
  expect((await readPageApart({}, html(8_193), 'http://a/', OPTIONS, signal)).text).toBe('hello');
});
