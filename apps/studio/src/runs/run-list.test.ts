import { createElement } from 'react';
import { expect, it } from 'vitest';
import type { RunSummary } from '../api/runs.ts';
import { usePage } from '../testing/page.ts';
import { RunList } from './run-list.tsx';
import { ENDED_RUN } from './testing-runs.ts';

const page = usePage();
const run = (more: Partial<RunSummary> = {}): RunSummary => ({ ...ENDED_RUN, ...more });

async function show(isOfFlow: boolean, ...runs: RunSummary[]) {
  const box = await page.show(createElement(RunList, { runs, isOfFlow }));
  const head = [...box.querySelectorAll('.\\@container > [aria-hidden=true] > span')].map(
    ({ textContent }) => textContent,
  );
  return { box, head, rows: [...box.querySelectorAll('li')].map(({ textContent }) => textContent) };
}

it('lists runs of all flows, each leading to its page', async () => {
  const { box, head, rows } = await show(false, run(), run({ id: 'r2', status: 'failed', input: '' }));
  expect(head).toEqual(['Flow', 'Input', 'Started', 'Time, tokens', 'State']);
  expect(rows).toEqual([
    'DailyOn the canvasInput: HelloJan 1, 2026 · On the canvasDone',
    'DailyOn the canvasInput: No inputJan 1, 2026 · On the canvasFailed',
  ]);
  const link = box.querySelectorAll('a')[1] as Element;
  expect(link.getAttribute('href')).toBe('/base/runs/r2');
  expect(link.getAttribute('aria-label')).toMatch(/^Daily, Failed, .*2026/);
  expect(link.getAttribute('title')).toContain('2026');
});

it('lists runs of one flow by their time', async () => {
  const { head, rows } = await show(true, run({ input: null }));
  expect([head, rows]).toEqual([
    ['Started', 'Input', 'Time, tokens', 'State'],
    ['Jan 1, 2026On the canvasInput: Not knownOn the canvasDone'],
  ]);
});

it('says what a run cost', async () => {
  const metrics = { duration_seconds: 2, input_tokens: 3, output_tokens: 4 } as RunSummary['metrics'];
  expect((await show(true, run({ metrics }))).rows[0]).toContain('2.0 s');
});
