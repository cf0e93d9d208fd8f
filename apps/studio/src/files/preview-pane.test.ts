import { act, createElement } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import type { FileEntry } from '../api/files.ts';
import { refusal, settle, useFakeApi } from '../testing/fake-api.ts';
import { outline } from '../testing/outline.ts';
import { fire, named, usePage } from '../testing/page.ts';
import { inClient, testClient } from '../testing/queries.ts';
import { PreviewPane } from './preview-pane.tsx';

// Loaded before a test waits for it.
import './markdown-text.tsx';

const server = useFakeApi();
const page = usePage();
const CONTENT = 'GET /api/v1/files/content';
const URL_OF = 'http://croft.test/base/api/v1/files/content?path=d%2F';
let media: EventTarget & { matches: boolean };
beforeEach(() => {
  media = Object.assign(new EventTarget(), { matches: false });
  vi.stubGlobal('matchMedia', (query: string) => (query === '(width < 64rem)' ? media : undefined));
});
const text = (body: string) => () => new Response(body, { headers: { 'Content-Type': 'text/plain' } });

async function show(name: string, answer: unknown, more: Partial<FileEntry> | null = {}, props: object = {}) {
  server.answer(CONTENT, answer);
  const [onEdit, onClose] = [vi.fn(), vi.fn()];
  const path = `d/${name}`;
  const entry = more && { name, path, type: 'file', size: 2048, modifiedAt: '2026-01-01T00:00:00Z', ...more };
  const given = { path, entry: entry ?? undefined, line: undefined, onEdit, onClose, ...props };
  const client = testClient();
  const box = await page.show(inClient(client)(createElement(PreviewPane, given as Parameters<typeof PreviewPane>[0])));
  await vi.waitFor(() => expect(box.textContent).not.toContain('Loading'));
  return { box, client, entry, onEdit, onClose };
}

it('says what the file is, and offers to edit, download and follow it', async () => {
  const { box, entry, onEdit, onClose } = await show('a.txt', text('hello'));
  expect([box.querySelector('section')?.getAttribute('aria-label'), box.querySelector('h2')?.textContent]).toEqual([
    'Preview of a.txt',
    'a.txt',
  ]);
  expect(box.textContent).toContain('a.txt2.0 KB · changed Jan 1, 2026');
  expect(box.querySelector('[role=region]')?.getAttribute('aria-label')).toBe('Text of a.txt');
  const download = named(box, 'Download a.txt');
  expect([download.getAttribute('href'), download.getAttribute('download'), download.getAttribute('title')]).toEqual([
    `${URL_OF}a.txt&download=1`,
    'a.txt',
    'Download',
  ]);
  const changes = named(box, 'Changes of a.txt');
  expect([changes.getAttribute('href'), changes.getAttribute('title')]).toEqual([
    '/base/settings/activity?path=d%2Fa.txt',
    'Changes',
  ]);
  await fire(named(box, 'Edit a.txt'), 'click');
  await fire(named(box, 'Back to the folder'), 'click');
  await fire(named(box, 'Close the preview'), 'click');
  expect([onEdit.mock.calls, onClose.mock.calls.length]).toEqual([[[entry]], 2]);
});

it('says less of a file that is not listed, and does not offer to edit what cannot be edited', async () => {
  const { box } = await show('a.txt', text('hello'), null);
  await expect
    .poll(() => outline(box))
    .toEqual([
      'section[aria-label=Preview of a.txt][tabindex=-1]',
      'button[title=Back to the folder][aria-label=Back to the folder][type=button]',
      'icon arrow-left 18',
      'icon file-text 18',
      'bdi a.txt',
      'a[href=/base/settings/activity?path=d%2Fa.txt][title=Changes][aria-label=Changes of a.txt]',
      'icon rotate-ccw-clock 18',
      'a[title=Download][aria-label=Download a.txt][download=a.txt][href=http://croft.test/base/api/v1/files/content?path=d%2Fa.txt&download=1]',
      'icon download 18',
      'button[title=Close the preview][aria-label=Close the preview][type=button]',
      'icon x 18',
      'div[tabindex=0][aria-label=Text of a.txt][role=region]',
      'pre[aria-hidden=true] 1',
      'pre hello',
    ]);
  expect(box.querySelector('p')?.textContent).toBe('');
  const isOffered = (each: Element) => each.querySelector('[aria-label^="Edit "]') !== null;
  expect(isOffered(box)).toBe(false);
  expect(isOffered((await show('a.txt', text('x'), {}, { onEdit: undefined })).box)).toBe(false);
  expect(isOffered((await show('a.pdf', text('x'))).box)).toBe(false);
  expect((await show('a.txt', text('x'), { size: null, modifiedAt: null })).box.querySelector('p')?.textContent).toBe(
    '',
  );
});

it('closes by Escape, unless a field, a dialog or a menu takes it', async () => {
  const { box, onClose } = await show('a.txt', text('hello'));
  await fire(document.body, 'keydown', { key: 'a' });
  for (const name of ['input', 'dialog', 'div']) {
    const each = box.appendChild(document.createElement(name));
    if (name === 'div') each.setAttribute('role', 'menu');
    await fire(each, 'keydown', { key: 'Escape' });
  }
  const handled = (event: Event) => event.preventDefault();
  document.body.addEventListener('keydown', handled);
  await fire(document.body, 'keydown', { key: 'Escape' });
  document.body.removeEventListener('keydown', handled);
  expect(onClose).not.toHaveBeenCalled();
  await fire(document.body, 'keydown', { key: 'Escape' });
  expect(onClose).toHaveBeenCalledOnce();
});

it('covers the folder on a narrow page, and takes the focus', async () => {
  const focus = vi.spyOn(HTMLElement.prototype, 'focus').mockImplementation(() => undefined);
  const { box } = await show('a.txt', text('hello'));
  expect(focus).not.toHaveBeenCalled();
  media.matches = true;
  await act(async () => void media.dispatchEvent(new Event('change')));
  expect([box.querySelector('h1')?.textContent, focus.mock.calls.length]).toEqual(['a.txt', 1]);
  focus.mockRestore();
});

it('shows a picture as it is now, or says that the browser cannot', async () => {
  const { box } = await show('a.png', text(''));
  await expect
    .poll(() => outline(box))
    .toEqual([
      'section[aria-label=Preview of a.png][tabindex=-1]',
      'button[title=Back to the folder][aria-label=Back to the folder][type=button]',
      'icon arrow-left 18',
      'icon file-image 18',
      'bdi a.png',
      'p 2.0 KB · changed Jan 1, 2026',
      'a[href=/base/settings/activity?path=d%2Fa.png][title=Changes][aria-label=Changes of a.png]',
      'icon rotate-ccw-clock 18',
      'a[title=Download][aria-label=Download a.png][download=a.png][href=http://croft.test/base/api/v1/files/content?path=d%2Fa.png&download=1]',
      'icon download 18',
      'button[title=Close the preview][aria-label=Close the preview][type=button]',
      'icon x 18',
      'img[src=http://croft.test/base/api/v1/files/content?path=d%2Fa.png&v=2026-01-01T00%3A00%3A00Z][alt=a.png]',
    ]);
  const picture = box.querySelector('img') as Element;
  expect([picture.getAttribute('src'), picture.getAttribute('alt')]).toEqual([
    `${URL_OF}a.png&v=2026-01-01T00%3A00%3A00Z`,
    'a.png',
  ]);
  await fire(picture, 'load');
  expect(box.querySelector('img')).not.toBeNull();
  await fire(picture, 'error');
  expect(box.textContent).toContain('No previewThe browser cannot show this picture. Download');
  expect((await show('a.png', text(''), null)).box.querySelector('img')?.getAttribute('src')).toBe(`${URL_OF}a.png&v=`);
});

it.each([
  ['a.mp4', 'video'],
  ['a.mp3', 'audio'],
])('plays %s', async (name, tag) => {
  const { box } = await show(name, text(''));
  const player = box.querySelector(tag) as Element;
  expect(['src', 'aria-label', 'preload'].map((each) => player.getAttribute(each))).toEqual([
    `${URL_OF}${name}&v=2026-01-01T00%3A00%3A00Z`,
    name,
    'metadata',
  ]);
  expect(player.hasAttribute('controls')).toBe(true);
  await fire(player, 'error');
  expect(box.textContent).toContain('No previewThis browser cannot play it.');
});

it('shows the beginning of a text that is too large, which cannot be edited', async () => {
  const line = 'a line of text\n';
  const size = 3 * 1024 * 1024;
  const headers = { 'Content-Type': 'text/plain', 'Content-Length': `${size}` };
  const large = () => new Response(line.repeat(Math.ceil(size / line.length)), { headers });
  for (const entry of [{ size }, null]) {
    const { box } = await show('a.txt', large, entry);
    expect(box.textContent).toContain('Only the beginning, 1.0 MB of 3.0 MB. Download');
    expect(box.textContent).toContain(`of ${Math.floor((1024 * 1024) / line.length).toLocaleString('en')} lines`);
    expect(box.querySelector('[aria-label="Edit a.txt"]')).toBeNull();
    const link = [...box.querySelectorAll('a')].at(-1);
    expect([link?.getAttribute('href'), link?.getAttribute('download')]).toEqual([
      `${URL_OF}a.txt&download=1`,
      'a.txt',
    ]);
  }
  const { box } = await show('a.txt', text('fits'), { size: 1024 * 1024 });
  expect([box.textContent.includes('fits'), box.textContent.includes('beginning')]).toEqual([true, false]);
});

it('shows a CSV file as a table, and its text at a line', async () => {
  const { box } = await show('a.csv', text('region,"the sum"\nNorth,7\n'));
  expect([...box.querySelectorAll('[role=tab]')].map((tab) => tab.textContent)).toEqual(['Table', 'Text']);
  expect([...box.querySelectorAll('th, td')].map((cell) => cell.textContent)).toEqual([
    'region',
    'the sum',
    'North',
    '7',
  ]);
  expect(box.textContent).not.toContain('The first');
  const many = await show('b.tsv', text(`n\n${'1\n'.repeat(501)}`));
  expect(many.box.querySelectorAll('td').length).toBe(500);
  expect(many.box.textContent).toContain('The first 500 rows. The tab Text has more.');
  const wide = await show('w.csv', text(`${'n,'.repeat(1_999)}n\n`.repeat(110)));
  expect(wide.box.querySelectorAll('th, td').length).toBe(10_000);
  expect(wide.box.textContent).toContain('First 100 of 2,000 columns. The tab Text has more.');
  expect(wide.box.textContent).toContain('The first 99 rows. The tab Text has more.');
  expect([...wide.box.querySelectorAll('[role=tab]')].map((tab) => tab.textContent)).toEqual(['Table', 'Text']);
  const source = await show('c.csv', text('n\n1\n'), {}, { line: 2 });
  expect(source.box.querySelector('[role=tab][aria-selected=true]')?.textContent).toBe('Text');
});

it('says that a file is empty, not a text, or cannot be shown', async () => {
  expect((await show('a.txt', text(''))).box.textContent).toContain('The file is empty.');
  const binary = () => new Response('x', { headers: { 'Content-Type': 'application/octet-stream' } });
  expect((await show('a.bin', binary)).box.textContent).toContain(
    'No previewThere is no preview of this kind of file.',
  );
  const { box } = await show('a.txt', refusal(500, 'broken', 'It broke.'));
  expect(box.textContent).toContain('The file cannot be shownIt broke.');
  server.answer(CONTENT, text('now'));
  await fire(named(box, 'Try again'), 'click');
  await vi.waitFor(() => expect(box.textContent).toContain('now'));
});

it('keeps the text while it cannot be loaded again', async () => {
  const { box, client } = await show('a.txt', text('hello'));
  server.answer(CONTENT, refusal(500, 'broken', 'It broke.'));
  await act(() => client.refetchQueries().then(settle));
  expect(server.requests).toHaveLength(2);
  expect(box.querySelector('[role=region]')?.textContent).toContain('hello');
});

it('renders Markdown to read, and its source at a line', async () => {
  const { box } = await show('a.md', text('# Title'));
  const tab = () => box.querySelector('[role=tab][aria-selected=true]')?.textContent;
  expect([tab(), box.querySelector('[role=tablist]')?.getAttribute('aria-label')]).toEqual(['Read', 'View']);
  await vi.waitFor(() => expect(box.querySelector('.croft-prose h3')?.textContent).toBe('Title'));
  const source = await show('a.md', text('# Title'), {}, { line: 1 });
  expect(source.box.querySelector('[role=tab][aria-selected=true]')?.textContent).toBe('Source');
  expect(source.box.querySelector('[role=region]')?.textContent).toContain('# Title');
});

it('says that it loads', async () => {
  server.answer(CONTENT, () => new Promise(() => undefined));
  const props = { path: 'd/a.txt', entry: undefined, line: undefined, onEdit: undefined, onClose: () => undefined };
  const box = await page.show(inClient(testClient())(createElement(PreviewPane, props)));
  expect(box.textContent).toContain('Loading the file');
});
