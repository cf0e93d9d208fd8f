import { createElement } from 'react';
import { expect, it, vi } from 'vitest';
import { outline } from '../testing/outline.ts';
import { usePage } from '../testing/page.ts';
import { ResultTextView } from './result-text-view.tsx';

// Loaded before a test waits for it.
import '../files/markdown-text.tsx';

const page = usePage();

async function show(text: string) {
  const box = await page.show(createElement(ResultTextView, { text, label: 'Result', className: 'mt-1' }));
  return { box, region: () => box.querySelector('[role=region]') as Element };
}

it('shows a text as it is', async () => {
  const { region } = await show('a *b*\nc');
  expect([region().tagName, region().textContent, region().getAttribute('aria-label')]).toEqual([
    'P',
    'a *b*\nc',
    'Result',
  ]);
  expect([region().className.includes('mt-1'), region().className.includes('font-mono')]).toEqual([true, false]);
});

it('shows JSON as code, without fences', async () => {
  const { region } = await show('```json\n{"a":1}\n```');
  expect([region().textContent, region().className.includes('font-mono')]).toEqual(['{"a":1}', true]);
});

it('shows a table as one', async () => {
  const { box, region } = await show('| a |\n| --- |\n| b |');
  await vi.waitFor(() =>
    expect(outline(box)).toEqual([
      'div[aria-label=Result][role=region][tabindex=0]',
      'div[tabindex=0][aria-label=Table][role=region]',
      'th a',
      'td b',
    ]),
  );
  expect([region().tagName, region().getAttribute('aria-label'), region().className.includes('mt-1')]).toEqual([
    'DIV',
    'Result',
    true,
  ]);
  await vi.waitFor(() => expect(box.querySelector('td')?.textContent).toBe('b'));
});
