import { createElement } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import { refusal, useFakeApi } from '../testing/fake-api.ts';
import { outline } from '../testing/outline.ts';
import { fire, named, usePage } from '../testing/page.ts';
import { inClient, testClient } from '../testing/queries.ts';
import { DirectoryList } from './directory-list.tsx';

const server = useFakeApi();
const page = usePage();
const BEGIN = 'POST /api/v1/local-access/picking';
const LIST = 'POST /api/v1/local-access/directories';
const HOME = { path: '/home', parent: '/', directories: ['a\u202e', 'b'], truncated: false };
beforeEach(() => server.answer(BEGIN, { picking: 'p1' }));

async function show(answer: unknown, { path = undefined as string | undefined, chosen = '', until = '/home' } = {}) {
  const onGo = vi.fn();
  server.answer(LIST, answer);
  const box = await page.show(inClient(testClient())(createElement(DirectoryList, { path, chosen, onGo })));
  if (until !== '') await vi.waitFor(() => expect(box.textContent).toContain(until));
  return { box, onGo };
}

it('lists the directories of the machine, and goes into one, up, or takes this one', async () => {
  const { box, onGo } = await show(HOME, { path: '/home' });
  await expect
    .poll(() => outline(box))
    .toEqual([
      'div[aria-label=Directories in /home][tabindex=-1][role=group]',
      'p[role=status]',
      'bdi /home',
      'button[type=button]',
      'span Up',
      'icon corner-left-up 16',
      'button[type=button]',
      'span Take this one',
      'button[type=button]',
      'icon folder 18',
      'bdi a',
      'span[title=Invisible character] U+202E',
      'icon chevron-right 16',
      'button[type=button]',
      'icon folder 18',
      'bdi b',
      'icon chevron-right 16',
    ]);
  expect(server.requests).toEqual([`${BEGIN} {}`, `${LIST} {"picking":"p1","path":"/home"}`]);
  expect([box.querySelector('[role=group]')?.getAttribute('aria-label'), box.textContent]).toEqual([
    'Directories in /home',
    '/home UpTake this oneaU+202Eb',
  ]);
  const focus = vi.fn();
  Object.assign(box.querySelector('[role=group]') as Element, { focus });
  for (const name of ['b', 'Up', 'Take this one']) await fire(named(box, name), 'click');
  expect([onGo.mock.calls.flat(), focus.mock.calls]).toEqual([
    ['/home/b', '/', '/home'],
    Array.from({ length: 3 }, () => [{ preventScroll: true }]),
  ]);
});

it('offers neither to go up from the top nor to take what is chosen', async () => {
  const { box } = await show({ ...HOME, parent: null }, { chosen: '/home' });
  expect(box.textContent).toBe('/homeaU+202Eb');
});

it('says whether a directory is empty, and whether it has more entries', async () => {
  const { box } = await show({ ...HOME, directories: [], truncated: true });
  expect(box.textContent).toContain('No directories in it.More directories exist. Type the path above.');
  expect((await show(HOME)).box.textContent).not.toContain('irectories');
});

it('says why a directory cannot be listed', async () => {
  const { box } = await show(refusal(403, 'forbidden', 'It cannot be read.'), { until: 'read.' });
  await expect
    .poll(() => outline(box))
    .toEqual(['div[aria-label=Directories][tabindex=-1][role=group]', 'p[role=status] It cannot be read.']);
  expect([box.querySelector('p[role=status]')?.textContent, box.querySelector('ul')]).toEqual([
    'It cannot be read.',
    null,
  ]);
  expect(box.querySelector('[role=group]')?.getAttribute('aria-label')).toBe('Directories');
});

it('says that it loads, and shows nothing where the server lists none to this page', async () => {
  const loading = await show(() => new Promise(() => undefined), { until: 'Loading' });
  expect(loading.box.textContent).toBe('Loading the directories');
  server.answer(BEGIN, refusal(403, 'forbidden'));
  const { box } = await show(HOME, { until: '' });
  await vi.waitFor(() => expect(box.innerHTML).toBe(''));
});

it('begins again once the server has forgotten the page', async () => {
  let calls = 0;
  const { box } = await show(() => (++calls === 1 ? refusal(409, 'not_picking')() : HOME), { until: '' });
  server.answer(BEGIN, { picking: 'p2' });
  await vi.waitFor(() => expect(box.textContent).toContain('/home'));
  expect(server.requests.at(-1)).toBe(`${LIST} {"picking":"p2"}`);
});
