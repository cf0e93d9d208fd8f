import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { QuotaLine } from './quota-line.tsx';

const show = (usedBytes: number, limitBytes: number | null) =>
  renderToStaticMarkup(createElement(QuotaLine, { quota: { usedBytes, limitBytes } as never }));

it('says how much is used, and that the space is full', () => {
  expect(show(1_000, null)).not.toContain(' of ');
  expect([show(10, 100).includes('· full'), show(100, 100).includes('· full'), show(0, 0).includes('· full')]).toEqual([
    false,
    true,
    true,
  ]);
  expect(show(10, 100)).toContain('Space used');
  expect(show(1_000, null)).not.toContain('Space used');
});
