import { createElement } from 'react';
import { expect, it, vi } from 'vitest';
import { outline } from '../testing/outline.ts';
import { fire, named, usePage } from '../testing/page.ts';
import { CommandLine } from './command-line.tsx';

const page = usePage();

async function show(fresh?: () => Promise<string>, writeText: (text: string) => Promise<void> = async () => undefined) {
  const write = vi.fn(writeText);
  vi.stubGlobal('navigator', { userAgent: '', clipboard: { writeText: write } });
  const box = await page.show(
    createElement(CommandLine, { command: 'croft open', label: 'The command', ...(fresh && { fresh }) }),
  );
  await fire(named(box, 'Copy'), 'click');
  return { box, write };
}

it('shows the command after a prompt, and copies it without the prompt', async () => {
  const { box, write } = await show();
  await expect
    .poll(() => outline(box))
    .toEqual([
      'pre[role=group][aria-label=The command]',
      'code croft open',
      'span[aria-hidden=true] $',
      'button[aria-live=polite][type=button]',
      'span Copied',
      'icon check 16',
    ]);
  expect(box.querySelector('[role=group]')?.getAttribute('aria-label')).toBe('The command');
  expect([box.querySelector('code')?.textContent, box.querySelector('[aria-hidden=true]')?.textContent]).toEqual([
    '$ croft open',
    '$ ',
  ]);
  expect(write.mock.calls).toEqual([['croft open']]);
});

it('asks for the newest text before it copies', async () => {
  const { write } = await show(() => Promise.resolve('croft open --new'));
  expect(write.mock.calls).toEqual([['croft open --new']]);
});

it('selects the command where the browser does not let the page copy', async () => {
  const selectNodeContents = vi.fn();
  const range = { selectNodeContents };
  const selection = { removeAllRanges: vi.fn(), addRange: vi.fn() };
  document.createRange = () => range as unknown as Range;
  vi.stubGlobal('getSelection', () => selection);
  const { box } = await show(undefined, () => Promise.reject(new Error('denied')));
  expect(selectNodeContents.mock.calls).toEqual([[box.querySelector('code')]]);
  expect([selection.removeAllRanges.mock.calls, selection.addRange.mock.calls]).toEqual([[[]], [[range]]]);
});
