import { createElement } from 'react';
import { expect, it } from 'vitest';
import { outline } from '../testing/outline.ts';
import { usePage } from '../testing/page.ts';
import { MarkdownText } from './markdown-text.tsx';

const page = usePage();

async function show(text: string, more: object = {}) {
  return page.show(createElement(MarkdownText, { path: 'docs/a.md', text, under: 1, ...more }));
}

it('puts headings below the title of the pane', async () => {
  const levels = async (under: number) =>
    [
      ...(await show('# a\n## b\n### c\n#### d\n##### e\n###### f', { under })).querySelectorAll('h1,h2,h3,h4,h5,h6'),
    ].map((each) => `${each.tagName} ${each.className}`.trim());
  expect(await levels(1)).toEqual(['H2 first', 'H3 second', 'H4', 'H5', 'H6', 'H6']);
  expect((await levels(2))[0]).toBe('H3 first');
});

it('shows the lines of a paragraph in a chat, and joins them in a document', async () => {
  const html = async (more: object) =>
    (await show('a\n*b\nc*\n\n- d\n  e', more)).querySelector('.croft-prose')?.innerHTML;
  expect(await html({})).not.toContain('<br>');
  expect((await html({ isChat: true }))?.replace(/\n/g, '')).toBe(
    '<p>a<br><em>b<br>c</em></p><ul><li>d<br>e</li></ul>',
  );
});

it('links to files of the tree, to parts of the page and, in a new tab, to other sites', async () => {
  const box = await show('[in](../b/c.md) [top](..) [part](#x) [out](https://x.test/)');
  await expect
    .poll(() => outline(box))
    .toEqual([
      'a[href=/base/files?dir=b&file=b%2Fc.md] in',
      'a[rel=noreferrer][target=_blank][href=..] top',
      'a[href=/base/##1-x] part',
      'a[rel=noreferrer][target=_blank][href=https://x.test/] out',
    ]);
  expect(
    [...box.querySelectorAll('a')].map((link) => [
      link.textContent,
      link.getAttribute('href'),
      link.getAttribute('target'),
      link.getAttribute('rel'),
    ]),
  ).toEqual([
    ['in', '/base/files?dir=b&file=b%2Fc.md', null, null],
    ['top', '..', '_blank', 'noreferrer'],
    ['part', expect.stringMatching(/^\/base\/#.+-x$/), null, null],
    ['out', 'https://x.test/', '_blank', 'noreferrer'],
  ]);
});

it('leads from a table of contents to the headings of the same document', async () => {
  const documents = [0, 1].map((key) => ({ path: 'docs/a.md', text: '[Go](#the-end)\n# The `end`', under: 1, key }));
  const box = await page.show(
    createElement(
      'div',
      {},
      documents.map((each) => createElement(MarkdownText, each)),
    ),
  );
  const ids = [...box.querySelectorAll('h2')].map(({ id }) => id);
  const links = [...box.querySelectorAll('a')].map((link) => link.getAttribute('href'));
  expect([new Set(ids).size, ids.every((id) => /.-the-end$/.test(id))]).toEqual([2, true]);
  expect(links).toEqual(ids.map((id) => `/base/#${id}`));
});

it('shows pictures of the tree, and the description of others', async () => {
  const box = await show('![one](p.png) ![two](https://x.test/p.png) ![](p.txt)');
  await expect
    .poll(() => outline(box))
    .toEqual([
      'img[src=http://croft.test/base/api/v1/files/content?path=docs%2Fp.png][alt=one]',
      'em [picture: two]',
      'em [picture: no description]',
    ]);
  const picture = box.querySelector('img');
  expect([picture?.getAttribute('src'), picture?.getAttribute('alt')]).toEqual([
    'http://croft.test/base/api/v1/files/content?path=docs%2Fp.png',
    'one',
  ]);
  expect([...box.querySelectorAll('em')].map(({ textContent }) => textContent)).toEqual([
    '[picture: two]',
    '[picture: no description]',
  ]);
});

it('runs nothing of a document', async () => {
  const box = await show('<script>x</script><b onclick="x">t</b> [a](javascript:x)');
  expect([box.querySelector('script, b'), box.querySelector('a')?.getAttribute('href') ?? '']).toEqual([null, '']);
});

it('says which tasks are done, and scrolls wide tables and code by keyboard', async () => {
  const box = await show('- [x] a\n- [ ] b\n\n| a |\n|---|\n| b |\n\n```\ncode\n```');
  await expect
    .poll(() => outline(box))
    .toEqual([
      'li a',
      'input[type=checkbox][aria-label=done][disabled][checked]',
      'li b',
      'input[type=checkbox][aria-label=to do][disabled]',
      'div[tabindex=0][aria-label=Table][role=region]',
      'th a',
      'td b',
      'pre[tabindex=0]',
      'code code',
    ]);
  expect(
    [...box.querySelectorAll('input')].map((task) => [
      task.getAttribute('aria-label'),
      task.checked,
      task.hasAttribute('disabled'),
      task.getAttribute('type'),
    ]),
  ).toEqual([
    ['done', true, true, 'checkbox'],
    ['to do', false, true, 'checkbox'],
  ]);
  const table = box.querySelector('[role=region]');
  expect([
    table?.getAttribute('aria-label'),
    table?.getAttribute('tabindex'),
    table?.querySelector('td')?.textContent,
  ]).toEqual(['Table', '0', 'b']);
  expect(box.querySelector('pre')?.getAttribute('tabindex')).toBe('0');
});

it('shows elements as asked', async () => {
  const components = { strong: ({ children }: { children?: React.ReactNode }) => createElement('u', {}, children) };
  expect((await show('**b**', { components })).querySelector('u')?.textContent).toBe('b');
});
