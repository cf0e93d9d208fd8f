import { createElement, type ReactNode } from 'react';
import { expect, it, vi } from 'vitest';
import { outline } from '../testing/outline.ts';
import { fire, named, usePage } from '../testing/page.ts';
import { AnswerText } from './answer-text.tsx';

const page = usePage();

it('has headings of one level, whichever the answer begins with', async () => {
  const box = await page.show(createElement(AnswerText, { text: '# a\n## b\n### c\n#### d\n##### e\n###### f' }));
  await expect.poll(() => outline(box)).toEqual(['h2 a', 'h2 b', 'h2 c', 'h2 d', 'h2 e', 'h2 f']);
  expect(
    [...box.querySelectorAll('h1,h2,h3,h4,h5,h6')].map((each) => `${each.tagName} ${each.className}`.trim()),
  ).toEqual(['H2 first', 'H2 second', 'H2', 'H2', 'H2', 'H2']);
});

it('keeps the lines of an answer', async () => {
  const box = await page.show(createElement(AnswerText, { text: 'ada@example.com\nbob@example.org' }));
  await expect.poll(() => box.querySelectorAll('p br').length).toBe(1);
});

it('copies a block of code', async () => {
  const writeText = vi.fn(async () => undefined);
  vi.stubGlobal('navigator', { userAgent: '', clipboard: { writeText } });
  const box = await page.show(createElement(AnswerText, { text: '```\na < b\n```' }));
  await expect
    .poll(() => outline(box))
    .toEqual([
      'pre[tabindex=0]',
      'code a < b',
      'button[aria-live=polite][type=button]',
      'span Copy code',
      'icon copy 16',
    ]);
  await fire(named(box, 'Copy code'), 'click');
  expect(writeText.mock.calls).toEqual([['a < b\n']]);
});

it('leads to files of the user, and shows elements as asked', async () => {
  const components = { em: ({ children }: { children?: ReactNode }) => createElement('u', {}, children) };
  const box = await page.show(createElement(AnswerText, { text: '[f](d/a.md) *x*', components }));
  await expect.poll(() => outline(box)).toEqual(['a[href=/base/files?dir=d&file=d%2Fa.md] f', 'u x']);
  expect([box.querySelector('a')?.getAttribute('href'), box.querySelector('u')?.textContent]).toEqual([
    '/base/files?dir=d&file=d%2Fa.md',
    'x',
  ]);
});
