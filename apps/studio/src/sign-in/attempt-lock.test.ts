import { createElement } from 'react';
import { expect, it } from 'vitest';
import { outline } from '../testing/outline.ts';
import { usePage } from '../testing/page.ts';
import { AttemptLockNote, lockName } from './attempt-lock.tsx';

const page = usePage();

it('locks all spellings of a name together', () => {
  expect([lockName(' Ada '), lockName('ada')]).toEqual(['ada', 'ada']);
});

it.each([
  [1, 'p[aria-hidden=true] You can try again in 1 s.'],
  [89, 'p[aria-hidden=true] You can try again in 89 s.'],
  [90, 'p[aria-hidden=true] You can try again in 2 min.'],
  [121, 'p[aria-hidden=true] You can try again in 3 min.'],
  [0, undefined],
])('says for %d seconds how long to wait: %s', async (waitS, text) => {
  const box = await page.show(createElement(AttemptLockNote, { login: 'Ada', waitS }));
  expect(outline(box)).toEqual([
    'div[role=alert]',
    'span[aria-hidden=true]',
    'icon triangle-exclamation-point 16',
    'div Too many attempts to sign in as Ada. Wait, or sign in with another name.',
    ...(text === undefined ? ['p[role=status] You can try again now.'] : [text, 'p[role=status]']),
  ]);
});
