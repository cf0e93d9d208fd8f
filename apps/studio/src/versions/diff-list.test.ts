import { createElement } from 'react';
import { expect, it } from 'vitest';
import { outline } from '../testing/outline.ts';
import { fire, usePage } from '../testing/page.ts';
import { DiffList, summaryOf } from './diff-list.tsx';
import type { FlowDiff } from './flow-diff.ts';

const page = usePage();
const item = (id: string, change: string, parts: object[] = []) => ({ id, title: `Title ${id}`, change, parts });
const diffOf = (more: object) => ({ items: [], edges: [], details: [], moved: 0, ...more }) as unknown as FlowDiff;
const edge = { from: { node: 'a', port: 'o' }, to: { node: 'b', port: 'i' } };

it.each([
  [{ items: [item('a', 'added'), item('b', 'added'), item('c', 'removed')] }, '2 added, 1 removed.'],
  [{ items: [item('a', 'changed')], moved: 2 }, '1 changed, 2 moved.'],
  [{ edges: [edge], details: [{}, {}] }, '1 connection, 2 details.'],
])('sums %j up as %s', (more, text) => {
  expect(summaryOf(diffOf(more))).toBe(text);
});

async function show(more: object) {
  const shown: string[] = [];
  const box = await page.show(createElement(DiffList, { diff: diffOf(more), onShow: (id) => shown.push(id) }));
  return { box, shown, status: box.querySelector('[role=status]')?.textContent };
}

it('calls versions the same only where nothing differs', async () => {
  expect((await show({})).status).toBe('Both versions are the same.');
  expect((await show({ moved: 1 })).status).toBe('1 moved.');
  expect((await show({ edges: [{ edge, change: 'added', title: 'E' }] })).status).toBe('1 connection.');
});

it('shows both values of a part, and leads to the component', async () => {
  const parts = [
    { label: 'URL', before: 'old', after: '' },
    { label: 'Text', before: 'a\nb', after: 'a\nc' },
  ];
  const edges = [{ edge, change: 'removed', title: 'A to B' }];
  const { box, shown } = await show({ items: [item('x', 'changed', parts)], edges });
  await expect
    .poll(() => outline(box))
    .toEqual([
      'section[aria-label=Differences]',
      'h2 Differences',
      'p[role=status] 1 changed, 1 connection.',
      'button[type=button]',
      'span Changed',
      'span Title x',
      'dt URL',
      'p old',
      'span[aria-hidden=true] −',
      'span before:',
      'span[aria-hidden=true] +',
      'span after:',
      'em empty',
      'dt Text',
      'div[aria-label=Changed lines of Text][tabindex=0][role=region]',
      'p a',
      'p − b',
      'p + c',
      'summary 1 connection',
      'icon chevron-down 16',
      'button[type=button]',
      'span Removed',
      'span A to B',
    ]);
  expect(box.querySelector('dl')?.textContent).toBe('URL− before: old+ after: emptyText  a− b+ c');
  for (const button of box.querySelectorAll('button')) await fire(button, 'click');
  expect(shown).toEqual(['x', 'b']);
});

it('shows invisible characters of changed values by their codes', async () => {
  const parts = [
    { label: 'URL', before: '', after: 'a\u202eb' },
    { label: 'Code', before: 'a\n', after: 'a\n\tb\u2066' },
  ];
  const { box } = await show({ items: [{ ...item('x', 'changed', parts), title: 'T\u200b' }] });
  expect(box.querySelector('dl')?.textContent).toBe('URL− before: empty+ after: a[U+202E]bCode  a− + \tb[U+2066]');
  expect(box.textContent).toContain('T[U+200B]');
});

it('shortens very long texts', async () => {
  const lines = (word: string) => Array.from({ length: 150 }, (_, at) => `${word}${at}`).join('\n');
  const { box } = await show({ details: [{ label: 'Text', before: lines('a'), after: lines('b') }] });
  expect(box.textContent).toContain('100 more lines');
});

it('marks each change in its colour', async () => {
  const { box } = await show({ items: [item('a', 'added'), item('r', 'removed'), item('c', 'changed')] });
  const badges = [...box.querySelectorAll('button > span:first-child')];
  const tones = badges.map((each) => /text-(accent|bad|warn)/.exec(each.className)?.[1]);
  expect(badges.map(({ textContent }, at) => [textContent, tones[at]])).toEqual([
    ['Added', 'accent'],
    ['Removed', 'bad'],
    ['Changed', 'warn'],
  ]);
});

it('shows details, and texts of up to 200 lines completely', async () => {
  const lines = (word: string, count: number) => Array.from({ length: count }, (_, at) => `${word}${at}`).join('\n');
  const text = async (count: number) => {
    const { box } = await show({ details: [{ label: 'Text', before: lines('a', count), after: lines('b', 100) }] });
    return [box.querySelectorAll('dd p').length, box.querySelector('dd p:last-child')?.textContent];
  };
  expect([await text(100), await text(101)]).toEqual([
    [200, '+ b99'],
    [201, '1 more lines'],
  ]);
});

it('shows one line of a text in a line, and counts connections', async () => {
  const edges = ['A', 'B'].map((title) => ({ edge, change: 'added', title }));
  const { box, status } = await show({ details: [{ label: 'Name', before: '', after: 'x' }], edges });
  expect([status, box.querySelector('summary')?.textContent, box.querySelector('dl')?.textContent]).toEqual([
    '2 connections, 1 detail.',
    '2 connections',
    'Name− before: empty+ after: x',
  ]);
  expect((await show({ items: [item('a', 'added')] })).box.querySelector('dl')).toBeNull();
});
