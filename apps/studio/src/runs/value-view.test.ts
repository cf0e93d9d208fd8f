import type { Json } from '@croft/flow';
import { createElement } from 'react';
import { expect, it, vi } from 'vitest';
import { outline } from '../testing/outline.ts';
import { fire, usePage } from '../testing/page.ts';
import { ValueView } from './value-view.tsx';

// Loaded before a test waits for it.
import '../files/markdown-text.tsx';

const page = usePage();
const show = (value: Json, isCode?: boolean) =>
  page.show(createElement(ValueView, { value, label: 'Output', ...(isCode !== undefined && { isCode }) }));

it('shows a text, code and JSON', async () => {
  const fontOf = (box: Element) => [
    /font-(mono|sans)/.exec(box.querySelector('pre')?.className ?? '')?.[1],
    box.textContent,
  ];
  const box = await show('hi');
  await expect.poll(() => outline(box)).toEqual(['div[aria-label=Output][tabindex=0][role=region]', 'pre hi']);
  expect(box.querySelector('[role=region]')?.getAttribute('aria-label')).toBe('Output');
  expect([fontOf(box), fontOf(await show('hi', true)), fontOf(await show({ a: 1 }))]).toEqual([
    ['sans', 'hi'],
    ['mono', 'hi'],
    ['mono', '{\n  "a": 1\n}'],
  ]);
});

it('shows a table of Markdown as one, unless the text is code or a person decides about it', async () => {
  const table = 'Rows:\n\n| a |\n| --- |\n| b |';
  const box = await show({ text: table, sender: 'Machine' });
  const inside = ['th a', 'td b'];
  await vi.waitFor(() =>
    expect(outline(box)).toEqual([
      'div[aria-label=Output][role=region][tabindex=0]',
      'p Rows:',
      'div[tabindex=0][aria-label=Table][role=region]',
      ...inside,
    ]),
  );
  expect((await show(table, true)).querySelector('pre')?.textContent).toBe(table);
  const asked = await page.show(createElement(ValueView, { value: table, label: 'Output', showsUnseen: true }));
  expect([asked.querySelector('pre')?.textContent, asked.querySelector('td')]).toEqual([table, null]);
});

it('says that a value is empty', async () => {
  expect((await show('')).textContent).toBe('(empty)');
});

it('shows records as a table, and says what is left out', async () => {
  const box = await show([{ a: 1, b: 'x' }, { a: 2, b: 'y' }, '(3 more items)']);
  await expect
    .poll(() => outline(box))
    .toEqual([
      'div[aria-label=Output][tabindex=0][role=region]',
      'th[scope=col] a',
      'th[scope=col] b',
      'td 1',
      'td x',
      'td 2',
      'td y',
      'p 3 more items are not kept',
    ]);
  const texts = (selector: string) => [...box.querySelectorAll(selector)].map(({ textContent }) => textContent);
  expect([texts('th'), texts('td'), texts('p')]).toEqual([
    ['a', 'b'],
    ['1', 'x', '2', 'y'],
    ['3 more items are not kept'],
  ]);
  expect(box.querySelectorAll('th[scope=col]').length).toBe(2);
  expect((await show([{ a: 1 }])).querySelector('p')).toBeNull();
});

it('links to files, with their pictures while these can be shown', async () => {
  const box = await show([{ path: 'd/a.png', version: 'v 1' }, { path: 'b.txt', version: '2' }, '(3 more items)']);
  await expect
    .poll(() => outline(box))
    .toEqual([
      'img[src=http://croft.test/base/api/v1/files/content?path=d%2Fa.png&v=v%201][decoding=async][loading=lazy][alt=Picture a.png]',
      'a[href=/base/files?dir=d&file=d%2Fa.png]',
      'icon file-text 16',
      'bdi d/a.png',
      'a[href=/base/files?file=b.txt]',
      'icon file-text 16',
      'bdi b.txt',
      'li 3 more items are not kept',
    ]);
  expect([...box.querySelectorAll('a')].map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
    ['d/a.png', '/base/files?dir=d&file=d%2Fa.png'],
    ['b.txt', '/base/files?file=b.txt'],
  ]);
  const picture = box.querySelector('img') as Element;
  expect(['src', 'alt', 'loading', 'decoding'].map((name) => picture.getAttribute(name))).toEqual([
    'http://croft.test/base/api/v1/files/content?path=d%2Fa.png&v=v%201',
    'Picture a.png',
    'lazy',
    'async',
  ]);
  expect([...box.querySelectorAll('li')].at(-1)?.textContent).toBe('3 more items are not kept');
  await fire(picture, 'error');
  expect([box.querySelector('img'), box.querySelectorAll('a').length]).toEqual([null, 2]);
  expect((await show({ path: 'b.txt', version: '2' })).querySelectorAll('li').length).toBe(1);
});
