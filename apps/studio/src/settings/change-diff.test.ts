import { act, createElement } from 'react';
import { expect, it, vi } from 'vitest';
import type { FileDiff } from '../api/activity.ts';
import { refusal, useFakeApi } from '../testing/fake-api.ts';
import { fire, named, usePage } from '../testing/page.ts';
import { inClient, testClient } from '../testing/queries.ts';
import { ChangeDiff } from './change-diff.tsx';

const server = useFakeApi();
const page = usePage();
const ROUTE = 'GET /api/v1/activity/changes/c/diff';

const file = (more: Partial<FileDiff>): FileDiff => ({
  kind: 'update',
  path: 'd/a.txt',
  to: null,
  diff: '',
  added: 0,
  removed: 0,
  isCut: false,
  problem: null,
  ...more,
});

async function show(files: readonly FileDiff[], moreFiles = 0) {
  server.answer(ROUTE, { files, moreFiles });
  const box = await page.show(inClient(testClient())(createElement(ChangeDiff, { id: 'c' })));
  await vi.waitFor(() => expect(box.textContent).not.toContain('Loading'));
  await act(async () => {});
  return box;
}
const rows = (box: Element) => [...box.querySelectorAll('li')].map(({ textContent }) => textContent);

it('shows the lines with marks that are also read aloud, and a rule between two places', async () => {
  const diff = '@@ -1,2 +1,2 @@\n same\n-old\n+new\n@@ -9,1 +9,2 @@\n+\tadded\n end\n\\ No newline at end of file\n';
  const box = await show([file({ diff, added: 2, removed: 1 })]);
  expect(rows(box)).toEqual([
    'same',
    '−Removed: old',
    '+Added: new',
    '',
    '+Added: \tadded',
    'end',
    'The file does not end with a line break',
  ]);
  expect(box.querySelector('figcaption')?.textContent).toBe('d/a.txt+2 −1');
  expect(box.querySelector('[role=region]')?.getAttribute('aria-label')).toBe('Differences of d/a.txt');
});

it('shows invisible characters, and line ends where only some lines have another one', async () => {
  const returns = (diff: string) => show([file({ diff })]).then(rows);
  expect(await returns('@@ -1 +1 @@\n-pay\n+p\u200bay\n')).toEqual(['−Removed: pay', '+Added: pU+200Bay']);
  expect(await returns('@@ -1 +1 @@\n-a\r\n+b\r\n')).toEqual(['−Removed: a', '+Added: b']);
  expect(await returns('@@ -1 +1 @@\n-a\n+a\r\n c\r\n')).toEqual(['−Removed: a', '+Added: aU+000D', 'cU+000D']);
});

it.each([
  [file({ kind: 'move', path: 'a', to: 'b/a' }), 'a → b/aSame content'],
  [file({ kind: 'create' }), 'd/a.txtEmpty'],
  [file({}), 'd/a.txtSame text'],
  [file({ diff: null, problem: 'The file is not text' }), 'd/a.txtThe file is not text.'],
  [
    file({ diff: '@@ -0,0 +1 @@\n+x\n', added: 9, removed: 2, isCut: true }),
    'd/a.txt+9 −2+Added: xThe list is cut: it has 11 changed lines in all.',
  ],
])('says of a file what can be said: %#', async (given, text) => {
  expect((await show([given])).textContent).toBe(text);
});

it('says that files are left out, and that there are none', async () => {
  expect((await show([file({})], 1)).textContent).toContain('1 more file is not shown.');
  expect((await show([file({})], 2)).textContent).toContain('2 more files are not shown.');
  expect((await show([])).textContent).toBe('The change has no files with content.');
});

it('says why the differences cannot be shown, and tries again', async () => {
  server.answer(ROUTE, refusal(404, 'not_found', 'There is no change with this id.'));
  const box = await page.show(inClient(testClient())(createElement(ChangeDiff, { id: 'c' })));
  await vi.waitFor(() => expect(box.textContent).toContain('The differences cannot be shown'));
  server.answer(ROUTE, { files: [file({})], moreFiles: 0 });
  await fire(named(box, 'Try again'), 'click');
  await vi.waitFor(() => expect(box.textContent).toBe('d/a.txtSame text'));
});
