import { createElement } from 'react';
import { expect, it, vi } from 'vitest';
import { check, fire, named, usePage } from '../testing/page.ts';
import { FilesBar } from './files-bar.tsx';
import type { FilesPlace } from './place-of-files.ts';

const page = usePage();

async function show(place: FilesPlace) {
  const go = vi.fn();
  return { box: await page.show(createElement(FilesBar, { place, go })), go };
}

it('links to the folders above, where there are some', async () => {
  const { box } = await show({ dir: 'a/b/c' });
  expect(box.querySelector('nav')?.getAttribute('aria-label')).toBe('Folders');
  expect([...box.querySelectorAll('a')].map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
    ['Files', '/base/files'],
    ['a', '/base/files?dir=a'],
    ['b', '/base/files?dir=a%2Fb'],
  ]);
  expect(box.querySelector('[aria-current]')?.textContent).toBe('c');
  expect((await show({ dir: '' })).box.querySelector('nav')).toBeNull();
});

it('says that a search is in all files', async () => {
  const { box, go } = await show({ dir: 'a', q: 'x', where: 'content' });
  expect([box.querySelector('p')?.textContent, box.querySelector('nav'), box.querySelector('input')?.value]).toEqual([
    'Searching all files',
    null,
    'x',
  ]);
  const [names, contents] = [...box.querySelectorAll('[type=radio]')] as [HTMLInputElement, HTMLInputElement];
  expect(contents.checked).toBe(true);
  await check(names);
  await fire(named(box, 'Clear the search'), 'click');
  expect(go.mock.calls).toEqual([[{ q: 'x', where: 'name' }], [{ q: '', where: 'content', line: undefined }]]);
});

it('searches in names unless asked otherwise', async () => {
  const { box } = await show({ dir: '', q: 'x' });
  expect((box.querySelector('[type=radio]') as HTMLInputElement).checked).toBe(true);
});
