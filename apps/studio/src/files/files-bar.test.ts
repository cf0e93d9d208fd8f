import { createElement } from 'react';
import { expect, it, vi } from 'vitest';
import { outline } from '../testing/outline.ts';
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
  await expect
    .poll(() => outline(box, 'nav'))
    .toEqual([
      'nav[aria-label=Folders]',
      'icon search 16',
      'input[type=search][spellCheck=false][autoComplete=off][placeholder=Search][aria-label=Search files]',
      'kbd /',
    ]);
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
  await expect
    .poll(() => outline(box, 'fieldset'))
    .toEqual([
      'p Searching all files',
      'icon search 16',
      'input[type=search][spellCheck=false][autoComplete=off][placeholder=Search][aria-label=Search files][value=x]',
      'button[title=Clear the search][aria-label=Clear the search][type=button]',
      'icon x 16',
    ]);
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

it('puts nothing before the search in the top folder, where it would move it', async () => {
  const { box } = await show({ dir: '', q: 'x' });
  expect(box.firstElementChild?.firstElementChild?.tagName).toBe('SEARCH');
});

it('searches in names unless asked otherwise', async () => {
  const { box } = await show({ dir: '', q: 'x' });
  expect((box.querySelector('[type=radio]') as HTMLInputElement).checked).toBe(true);
});
