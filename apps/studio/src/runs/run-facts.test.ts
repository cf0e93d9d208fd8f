import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { RunFacts } from './run-facts.tsx';

const show = (props: Parameters<typeof RunFacts>[0]) =>
  renderToStaticMarkup(createElement(RunFacts, props)).replaceAll(' class="text-sm text-soft *:whitespace-nowrap"', '');

it.each([
  [
    { ms: 1_540, tokens: { input: 1_200, output: 3 } },
    '<span><span>Took 1.5 s ·</span> <span>1,200 tokens in,</span> <span>3 out</span></span>',
  ],
  [{ ms: 0 }, '<span><span>Took &lt;1 ms</span></span>'],
  [{ ms: 12, tokens: { input: 0, output: 0 } }, '<span><span>Took 12 ms</span></span>'],
  [{ tokens: { input: 0, output: 1 } }, '<span><span>0 tokens in,</span> <span>1 out</span></span>'],
  [{ tokens: { input: 1, output: 1_000 } }, '<span><span>1 tokens in,</span> <span>1,000 out</span></span>'],
  [{ tokens: null }, ''],
  [{}, ''],
])('shows %j as %s', (props, text) => {
  expect(show(props)).toBe(text);
});
