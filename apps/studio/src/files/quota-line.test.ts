import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { QuotaLine } from './quota-line.tsx';

function show(usedBytes: number, limitBytes: number | null) {
  const html = renderToStaticMarkup(createElement(QuotaLine, { quota: { usedBytes, limitBytes } as never }));
  const attribute = (name: string) => new RegExp(`${name}="([^"]*)"`).exec(html)?.[1];
  return [
    html.replace(/<[^>]*>/g, ''),
    attribute('aria-label'),
    attribute('aria-valuenow'),
    attribute('aria-valuetext'),
    attribute('style'),
  ];
}

it.each([
  [10, 100, ['10 B of 100 B used', 'Space used', '10', '10 B of 100 B used', 'width:10%']],
  [100, 100, ['100 B of 100 B used · full', 'Space used', '100', '100 B of 100 B used', 'width:100%']],
  [0, 0, ['0 B of 0 B used · full', 'Space used', '100', '0 B of 0 B used', 'width:100%']],
  [10, null, ['10 B used', undefined, undefined, undefined, undefined]],
])('says that %s bytes of %s are used', (usedBytes, limitBytes, shown) => {
  expect(show(usedBytes, limitBytes)).toEqual(shown);
});
