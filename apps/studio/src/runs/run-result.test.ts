import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import type { RunRecord } from '../api/runs.ts';
import { RunResult } from './run-result.tsx';

it('names a component with several outputs once', () => {
  const outputs = { W: { report: { text: 'Saved' }, lines: [{ a: 1 }] }, O: { message: { text: 'Hi' } } };
  const run = { status: 'completed', text: 'Saved\nHi', outputs } as unknown as RunRecord;
  const html = renderToStaticMarkup(createElement(RunResult, { run, titleOf: (node) => `Title of ${node}` }));
  expect(html.match(/>Title of [WO]</g)).toEqual(['>Title of W<', '>Title of O<']);
});
