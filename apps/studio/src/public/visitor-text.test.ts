import { createElement } from 'react';
import { expect, it } from 'vitest';
import { AnswerText } from '../playground/answer-text.tsx';
import { outline } from '../testing/outline.ts';
import { usePage } from '../testing/page.ts';
import { VISITOR_TEXT } from './visitor-text.tsx';

const page = usePage();

it('opens links to other sites without a referrer, and no files of the owner', async () => {
  const text = '[out](https://x.test/a) [file](notes.md) ![picture](p.png)';
  const box = await page.show(createElement(AnswerText, { text, components: VISITOR_TEXT }));
  await expect
    .poll(() => outline(box))
    .toEqual([
      'a[rel=noopener noreferrer nofollow][target=_blank][href=https://x.test/a] out',
      'span file',
      'span picture',
    ]);
  const links = [...box.querySelectorAll('a')].map((link) =>
    ['href', 'target', 'rel'].map((name) => link.getAttribute(name)),
  );
  expect([links, box.querySelector('img'), box.textContent.trim()]).toEqual([
    [['https://x.test/a', '_blank', 'noopener noreferrer nofollow']],
    null,
    'out file picture',
  ]);
});
