import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { AttemptLockNote, lockName } from './attempt-lock.tsx';

const show = (waitS: number) =>
  renderToStaticMarkup(createElement(AttemptLockNote, { login: 'Ada', waitS })).replace(/<[^>]*>/g, ' ');

it('locks all spellings of a name together', () => {
  expect([lockName(' Ada '), lockName('ada')]).toEqual(['ada', 'ada']);
});

it.each([
  [1, 'You can try again in 1 s.'],
  [89, 'You can try again in 89 s.'],
  [90, 'You can try again in 2 min.'],
  [0, 'You can try again now.'],
])('says for %d seconds: %s', (waitS, text) => {
  expect(show(waitS)).toContain(text);
  expect(show(waitS)).toContain('sign in as Ada');
  expect(show(waitS).includes('again now')).toBe(waitS === 0);
});
