import { act, createElement } from 'react';
import { expect, it } from 'vitest';
import { navigate } from '../routing/location.ts';
import { usePage } from '../testing/page.ts';
import { FlowNav } from './flow-nav.tsx';

const page = usePage();

it.each([
  ['/flows/f1', 'Canvas'],
  ['/flows/f1/play', 'Playground'],
  ['/flows/f1/play/c2', 'Playground'],
  ['/flows/f1/runs', 'Runs'],
  ['/flows/f1/use', 'Use it'],
  ['/flows/f1/versions', 'Versions'],
])('marks at %s the page %s', async (path, name) => {
  await act(async () => navigate(path));
  const box = await page.show(createElement(FlowNav, { id: 'f1' }));
  expect(box.querySelector('nav')?.getAttribute('aria-label')).toBe('Pages of this flow');
  expect([...box.querySelectorAll('[aria-current=page]')].map(({ textContent }) => textContent)).toEqual([name]);
  expect([...box.querySelectorAll('a')].map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
    ['Canvas', '/base/flows/f1'],
    ['Playground', '/base/flows/f1/play'],
    ['Runs', '/base/flows/f1/runs'],
    ['Use it', '/base/flows/f1/use'],
    ['Versions', '/base/flows/f1/versions'],
  ]);
});
