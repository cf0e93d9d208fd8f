import { act, createElement } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import type { Change } from '../api/activity.ts';
import { navigate } from '../routing/location.ts';
import { refusal, useFakeApi } from '../testing/fake-api.ts';
import { outline } from '../testing/outline.ts';
import { fire, named, usePage } from '../testing/page.ts';
import { inClient, isInvalid, testClient } from '../testing/queries.ts';
import { dismissToasts, Toaster } from '../ui/toast.tsx';
import { ActivityPage } from './activity-page.tsx';

const server = useFakeApi();
const page = usePage();
const TITLE = [
  'section[aria-label=Recent changes]',
  'h2 Recent changes',
  'p Changes to your files, newest first, by you, your agents and your programs.',
];
beforeEach(dismissToasts);
const ROUTE = 'GET /api/v1/activity/changes';

const change = (id: string, more: Partial<Change> = {}): Change =>
  ({
    id,
    time: '2026-01-01T00:00:00Z',
    tool: 'write_file',
    kind: 'create',
    paths: [`d/${id}.txt`],
    morePaths: 0,
    via: 'page',
    client: null,
    key: null,
    flow: null,
    undo: 'possible',
    undoProblem: null,
    ...more,
  }) as Change;

async function show(changes: readonly Change[], { at = '', nextCursor = null as string | null } = {}) {
  server.answer(ROUTE, { changes, nextCursor });
  await act(async () => navigate(`/settings/activity${at}`));
  const client = testClient();
  client.setQueryData(['files', 'x'], {});
  const box = await page.show(inClient(client)(createElement(ActivityPage)));
  await vi.waitFor(() => expect(box.textContent).not.toContain('Loading'));
  return { box, client };
}

const showsDiff = (path: string) => [
  `button[aria-label=Show the diff of ${path}][aria-expanded=false][type=button]`,
  'span Show diff',
  'icon file-diff 16',
];

const answerDiff = (id: string) =>
  server.answer(`GET /api/v1/activity/changes/${id}/diff`, {
    files: [
      {
        kind: 'update',
        path: `d/${id}.txt`,
        to: null,
        diff: '@@ -1 +1 @@\n-old\n+new\n',
        added: 1,
        removed: 1,
        isCut: false,
        problem: null,
      },
    ],
    moreFiles: 0,
  });

it('lists each change with who made it, and links to its file', async () => {
  const { box } = await show([
    change('a'),
    change('b', { morePaths: 2, undo: 'done' }),
    change('c', { undo: 'impossible' as never, undoProblem: 'the file changed since' }),
    change('e', { tool: 'undo', undo: 'impossible' as never, undoProblem: 'an undo cannot be undone' }),
  ]);
  await expect
    .poll(() => outline(box))
    .toEqual([
      ...TITLE,
      'span Created',
      'a[href=/base/files?dir=d&file=d%2Fa.txt]',
      'bdi d/a.txt',
      'p In the browser ·',
      'span Jan 1, 2026',
      ...showsDiff('d/a.txt'),
      'button[aria-label=Undo the change of d/a.txt][type=button]',
      'span Undo',
      'icon undo-2 16',
      'p and 2 more',
      'span Created',
      'bdi d/b.txt',
      'p In the browser ·',
      'span Jan 1, 2026',
      ...showsDiff('d/b.txt'),
      'span Undone',
      'span Created',
      'a[href=/base/files?dir=d&file=d%2Fc.txt]',
      'bdi d/c.txt',
      'p In the browser ·  · No undo: the file changed since.',
      'span Jan 1, 2026',
      ...showsDiff('d/c.txt'),
      'span Undid a change of',
      'bdi d/e.txt',
      'p In the browser ·',
      'span Jan 1, 2026',
      ...showsDiff('d/e.txt'),
    ]);
  const lines = [...box.querySelectorAll('li')].map(({ textContent }) => textContent);
  expect(box.querySelector('section')?.getAttribute('aria-label')).toBe('Recent changes');
  expect(box.textContent).toMatch(
    /^Recent changesChanges to your files, newest first, by you, your agents and your programs\./,
  );
  expect(lines).toEqual([
    expect.stringMatching(/^Created d\/a\.txtIn the browser · .+ Show diff Undo$/),
    expect.stringMatching(/^Created d\/b\.txt and 2 moreIn the browser · .+Show diffUndone$/),
    expect.stringMatching(/ · No undo: the file changed since\. Show diff$/),
    expect.not.stringContaining('No undo'),
  ]);
  expect(named(box, 'd/a.txt').getAttribute('href')).toBe('/base/files?dir=d&file=d%2Fa.txt');
  expect(named(box, 'Undo the change of d/a.txt').textContent.trim()).toBe('Undo');
});

it('undoes the change that was confirmed, and reads the files again', async () => {
  const { box, client } = await show([change('a'), change('b', { kind: 'update' })]);
  answerDiff('b');
  answerDiff('a');
  await fire(named(box, 'Undo the change of d/b.txt'), 'click');
  const dialog = () => box.querySelector('dialog') as HTMLDialogElement;
  expect(dialog().textContent).toMatch(
    /^Undo this change\?.*Wrote d\/b\.txt, .+\. This brings back what was there before\. An undo cannot be undone\./,
  );
  expect(dialog().querySelector('a')).toBeNull();
  await vi.waitFor(() => expect(dialog().textContent).toContain('d/b.txt+1 −1−Removed: old+Added: newUndo'));
  server.answer('POST /api/v1/files/undo', {});
  await fire(named(dialog(), 'Undo'), 'click');
  await vi.waitFor(() => expect(server.requests).toContain('POST /api/v1/files/undo {"undo":"b"}'));
  await vi.waitFor(() => expect(isInvalid(client, ['files', 'x'])).toBe(true));
  expect((await page.show(createElement(Toaster))).textContent).toContain('Undone.');
  await fire(named(box, 'Undo the change of d/a.txt'), 'click');
  expect(dialog().textContent).toContain('This deletes what it created.');
});

it('shows the lines of a change below it, until they are hidden', async () => {
  const { box } = await show([change('a'), change('b')]);
  answerDiff('b');
  const button = () => named(box, 'Show the diff of d/b.txt');
  expect(button().getAttribute('aria-expanded')).toBe('false');
  await fire(button(), 'click');
  const line = () => box.querySelectorAll('section > ul > li')[1] as Element;
  await vi.waitFor(() => expect(line().textContent).toContain('−Removed: old+Added: new'));
  const hide = named(box, 'Hide the diff of d/b.txt');
  expect([hide.textContent.trim(), hide.getAttribute('aria-expanded')]).toEqual(['Hide diff', 'true']);
  await fire(hide, 'click');
  expect(line().textContent).not.toContain('Removed');
  expect(button().textContent.trim()).toBe('Show diff');
});

it.each([
  ['move', false],
  ['mkdir', false],
  [null, false],
  ['append', true],
  ['delete', true],
] as const)('offers the lines of a change of kind %s: %s', async (kind, isOffered) => {
  const { box } = await show([change('a', { kind })]);
  expect(box.textContent.includes('Show diff')).toBe(isOffered);
});

it('names the flow of a run and links to it, and names others without a link', async () => {
  const flow = { id: 'f', name: 'Daily', runId: 'r', isRunKept: true };
  const { box } = await show([change('a', { tool: 'flow', flow }), change('b', { via: 'mcp', client: 'Zed' })]);
  await expect
    .poll(() => outline(box))
    .toEqual([
      ...TITLE,
      'span A run created',
      'a[href=/base/files?dir=d&file=d%2Fa.txt]',
      'bdi d/a.txt',
      'p Flow , started in the browser ·',
      'a[href=/base/runs/r][aria-label=Run of Daily]',
      'bdi Daily',
      'span Jan 1, 2026',
      ...showsDiff('d/a.txt'),
      'button[aria-label=Undo the change of d/a.txt][type=button]',
      'span Undo',
      'icon undo-2 16',
      'span Created',
      'a[href=/base/files?dir=d&file=d%2Fb.txt]',
      'bdi d/b.txt',
      'p ·',
      'bdi Zed',
      'span Jan 1, 2026',
      ...showsDiff('d/b.txt'),
      'button[aria-label=Undo the change of d/b.txt][type=button]',
      'span Undo',
      'icon undo-2 16',
    ]);
  const link = named(box, 'Run of Daily');
  expect([link.textContent, link.getAttribute('href')]).toEqual(['Daily', '/base/runs/r']);
  expect(box.querySelector('span.text-ink')?.textContent).toBe('Zed');
});

it.each([
  ['', 'No changes yet', 'Each change is listed here with who made it. You can undo changes of files.'],
  ['?run=r', 'This run changed no files', 'Or they are so old that the log does not have them any more.'],
  ['?path=d', 'No changes under this path', 'Or they are so old that the log does not have them any more.'],
])('says where there are none at %s: %s', async (at, title, about) => {
  const { box } = await show([], { at });
  expect(box.querySelector('li')?.textContent).toBe(`${title}${about}Go to your files`);
  expect(named(box, 'Go to your files').getAttribute('href')).toBe('/base/files');
});

it.each([
  ['?run=r', 'Changes of one runThe changes that this run of a flow made to your files.Show all changes'],
  ['?path=d', 'Changes of dChanges under this path, by you, your agents and your programs.Show all changes'],
])('shows only those at %s', async (at, head) => {
  const { box } = await show([change('a')], { at });
  expect([box.textContent.startsWith(head), server.requests]).toEqual([true, [`${ROUTE}${at}`]]);
  expect(named(box, 'Show all changes').getAttribute('href')).toBe('/base/settings/activity');
});

it('says why the changes cannot be shown', async () => {
  server.answer(ROUTE, refusal(500, 'broken', 'It broke.'));
  const box = await page.show(inClient(testClient())(createElement(ActivityPage)));
  await vi.waitFor(() => expect(box.textContent).toContain('The changes cannot be shownIt broke.'));
  server.answer(ROUTE, { changes: [change('a')], nextCursor: null });
  await fire(named(box, 'Try again'), 'click');
  await vi.waitFor(() => expect(box.textContent).toContain('Created d/a.txt'));
});

it('offers more changes only where there are some', async () => {
  expect((await show([change('a')])).box.textContent).not.toContain('Show more');
  expect((await show([change('a')], { nextCursor: 'n' })).box.textContent).toContain('Show more');
});
