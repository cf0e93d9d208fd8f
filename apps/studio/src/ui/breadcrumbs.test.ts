import { createElement } from 'react';
import { expect, it } from 'vitest';
import { outline } from '../testing/outline.ts';
import { usePage } from '../testing/page.ts';
import { Breadcrumbs } from './breadcrumbs.tsx';

const page = usePage();

it('links every folder but the current one, with marks between them', async () => {
  const steps = [
    { name: 'Files', to: '/files' },
    { name: 'a', to: '/files?dir=a' },
    { name: 'b\u202e', to: '/files?dir=b' },
  ];
  const box = await page.show(createElement(Breadcrumbs, { label: 'Folder', steps }));
  await expect
    .poll(() => outline(box))
    .toEqual([
      'nav[aria-label=Folder]',
      'a[href=/base/files]',
      'bdi Files',
      'li[aria-hidden=true]',
      'icon chevron-right 16',
      'a[href=/base/files?dir=a]',
      'bdi a',
      'li[aria-hidden=true]',
      'icon chevron-right 16',
      'span[aria-current=page]',
      'bdi b',
      'span[title=Invisible character] U+202E',
    ]);
  expect(box.querySelector('nav')?.getAttribute('aria-label')).toBe('Folder');
  expect([...box.querySelectorAll('a')].map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
    ['Files', '/base/files'],
    ['a', '/base/files?dir=a'],
  ]);
  const current = box.querySelectorAll('[aria-current=page]');
  expect([current.length, current[0]?.textContent]).toEqual([1, 'bU+202E']);
  expect([...box.querySelectorAll('li')].map((step) => step.getAttribute('aria-hidden'))).toEqual([
    null,
    'true',
    null,
    'true',
    null,
  ]);
});
