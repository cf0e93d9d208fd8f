import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { RunMetrics } from './run-metrics.tsx';

const show = (metrics: Parameters<typeof RunMetrics>[0]['metrics']) =>
  renderToStaticMarkup(createElement(RunMetrics, { metrics })).replace(/<[^>]*>/g, '');

it('shows the time and the tokens that the server counted', () => {
  expect(show({ duration_seconds: 2, input_tokens: 3, output_tokens: 4 })).toContain('Took 2.0 s · 3 tokens in, 4 out');
  expect([show(null), show(undefined)]).toEqual(['', '']);
});
