import { createElement } from 'react';
import { expect, it, vi } from 'vitest';
import { refusal, useFakeApi } from '../testing/fake-api.ts';
import { outline } from '../testing/outline.ts';
import { fire, named, usePage } from '../testing/page.ts';
import { inClient, testClient } from '../testing/queries.ts';
import type { FilesPlace } from './place-of-files.ts';
import { SearchResults } from './search-results.tsx';

const server = useFakeApi();
const page = usePage();
const ROUTE = 'GET /api/v1/files/search';

async function show(answer: unknown, place: Partial<FilesPlace> = {}) {
  const onOther = vi.fn();
  server.answer(ROUTE, answer);
  const element = createElement(SearchResults, { place: { dir: 'd', q: 'Word', ...place }, onOther });
  const box = await page.show(inClient(testClient())(element));
  await vi.waitFor(() => expect(box.textContent).not.toContain('Searching'));
  return { box, onOther };
}

it('lists matches with their folders, and links to the file and line', async () => {
  const matches = [{ path: 'a/b/word.md' }, { path: 'n.txt', line: 7, text: '  a WORD here' }];
  const { box } = await show({ matches, truncated: false }, { where: 'content', file: 'n.txt', line: 7 });
  await expect
    .poll(() => outline(box))
    .toEqual([
      'p[role=status] 2 results for “Word”',
      'a[href=/base/files?dir=d&file=a%2Fb%2Fword.md&q=Word&in=content]',
      'icon file-text 18',
      'bdi word.md',
      'span Files /  /',
      'bdi a',
      'bdi b',
      'a[href=/base/files?dir=d&file=n.txt&line=7&q=Word&in=content][aria-current=true]',
      'icon file-text 18',
      'bdi n.txt',
      'span Files',
      'span 7',
      'span a  here',
      'mark WORD',
    ]);
  expect(server.requests).toEqual([`${ROUTE}?q=Word&in=content`]);
  expect(box.textContent).toBe('2 results for “Word”word.mdFiles / a / bn.txtFiles7a WORD here');
  expect(
    [...box.querySelectorAll('a')].map((link) => [link.getAttribute('href'), link.getAttribute('aria-current')]),
  ).toEqual([
    ['/base/files?dir=d&file=a%2Fb%2Fword.md&q=Word&in=content', null],
    ['/base/files?dir=d&file=n.txt&line=7&q=Word&in=content', 'true'],
  ]);
  expect(box.querySelector('mark')?.textContent).toBe('WORD');
});

it('marks only the line that is shown', async () => {
  const matches = [{ path: 'n.txt', line: 7, text: 'x' }];
  const { box } = await show({ matches, truncated: false }, { file: 'n.txt', line: 8 });
  await expect
    .poll(() => outline(box))
    .toEqual([
      'p[role=status] 1 result for “Word”',
      'a[href=/base/files?dir=d&file=n.txt&line=7&q=Word]',
      'icon file-text 18',
      'bdi n.txt',
      'span Files',
      'span 7',
      'span x',
    ]);
  expect([box.querySelector('[aria-current]'), box.querySelector('mark')]).toEqual([null, null]);
});

it('cuts the text before a match that is far to the right', async () => {
  const lines = ['12345678901234word', '123456789012345word'];
  const matches = lines.map((text, line) => ({ path: 'n', line, text }));
  const { box } = await show({ matches, truncated: true });
  await expect
    .poll(() => outline(box))
    .toEqual([
      'p[role=status] 2 results for “Word”',
      'a[href=/base/files?dir=d&file=n&q=Word]',
      'icon file 18',
      'bdi n',
      'span Files',
      'span 0',
      'span 12345678901234',
      'mark word',
      'a[href=/base/files?dir=d&file=n&line=1&q=Word]',
      'icon file 18',
      'bdi n',
      'span Files',
      'span 1',
      'span …23456789012345',
      'mark word',
      'div More files match. Make the search text longer to see fewer results.',
    ]);
  expect([...box.querySelectorAll('.truncate')].map(({ textContent }) => textContent)).toEqual([
    '12345678901234word',
    '…23456789012345word',
  ]);
  expect(box.textContent).toContain('More files match. Make the search text longer to see fewer results.');
});

it('counts one result, without a note where that is all', async () => {
  expect((await show({ matches: [{ path: 'n' }], truncated: false })).box.textContent).toBe(
    '1 result for “Word”nFiles',
  );
});

it.each([
  ['name', 'No name contains “Word”.', 'Search in contents', 'content'],
  ['content', 'No file contains “Word”.', 'Search in names', 'name'],
] as const)('offers to look elsewhere where no %s matches', async (where, text, action, other) => {
  const { box, onOther } = await show({ matches: [], truncated: false }, { where });
  expect(box.textContent).toBe(`Nothing found${text}${action}`);
  await fire(named(box, action), 'click');
  expect(onOther.mock.calls).toEqual([[other]]);
});

it('says that it searches, and why it failed', async () => {
  server.answer(ROUTE, () => new Promise(() => undefined));
  const place = { dir: '', q: 'x' };
  const loading = await page.show(inClient(testClient())(createElement(SearchResults, { place, onOther: vi.fn() })));
  expect(loading.textContent).toBe('Searching');
  const { box } = await show(refusal(500, 'broken', 'It broke.'));
  await expect.poll(() => box.textContent).toBe('The search failedIt broke.Try again');
  server.answer(ROUTE, { matches: [{ path: 'n' }], truncated: false });
  await fire(named(box, 'Try again'), 'click');
  await vi.waitFor(() => expect(box.textContent).toContain('1 result'));
});
