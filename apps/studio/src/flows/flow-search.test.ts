import { createElement } from 'react';
import { expect, it, vi } from 'vitest';
import { type, usePage } from '../testing/page.ts';
import { FlowSearch } from './flow-search.tsx';

const page = usePage();

it('says each text, of at most 200 characters', async () => {
  const onText = vi.fn();
  const input = (await page.show(createElement(FlowSearch, { text: 'a', onText }))).querySelector(
    'input',
  ) as HTMLInputElement;
  expect(['type', 'aria-label', 'placeholder', 'maxLength'].map((name) => input.getAttribute(name))).toEqual([
    'search',
    'Search flows',
    'Search',
    '200',
  ]);
  expect(input.value).toBe('a');
  await type(input, 'ab');
  expect(onText.mock.calls).toEqual([['ab']]);
  const other = await page.show(createElement(FlowSearch, { text: '', onText, label: 'Search templates' }));
  expect(other.querySelector('input')?.getAttribute('aria-label')).toBe('Search templates');
});
