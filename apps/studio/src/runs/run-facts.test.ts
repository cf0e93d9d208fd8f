import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { RunFacts } from './run-facts.tsx';

const show = (props: Parameters<typeof RunFacts>[0]) =>
  renderToStaticMarkup(createElement(RunFacts, props)).replace(/<[^>]*>/g, '');

it.each([
  [{ ms: 1_540, tokens: { input: 1_200, output: 3 } }, 'Took 1.5 s · 1,200 tokens in, 3 out'],
  [{ ms: 12 }, 'Took 12 ms'],
  [{ ms: 12, tokens: { input: 0, output: 0 } }, 'Took 12 ms'],
  [{ tokens: { input: 0, output: 2 } }, '0 tokens in, 2 out'],
  [{ tokens: null }, ''],
])('shows %j as %s', (props, text) => {
  expect(show(props)).toBe(text);
});
