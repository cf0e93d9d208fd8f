import { createElement } from 'react';
import { expect, it } from 'vitest';
import { type FlowSummary, latestRunsQuery } from '../api/flows.ts';
import { useFakeApi } from '../testing/fake-api.ts';
import { outline } from '../testing/outline.ts';
import { fire, named, usePage } from '../testing/page.ts';
import { inClient, testClient } from '../testing/queries.ts';
import { FlowList } from './flow-list.tsx';
import { flowOf } from './testing-flows.ts';

useFakeApi();
const page = usePage();
const AT = '2026-01-01T00:00:00Z';

async function show(more: object = {}, run?: object) {
  const calls: unknown[] = [];
  const on =
    (name: string) =>
    ({ id }: FlowSummary) =>
      void calls.push([name, id]);
  const flow = { ...flowOf('f1', 'Daily'), ...more };
  const client = testClient();
  client.setQueryData(latestRunsQuery.queryKey, (run ? { f1: run } : {}) as never);
  const actions = {
    onRename: on('rename'),
    onTag: on('tag'),
    onDuplicate: on('duplicate'),
    onExport: on('export'),
    onDelete: on('delete'),
  };
  const element = createElement(FlowList, { flows: [flow], ...actions });
  const box = await page.show(inClient(client)(element));
  const open = () => fire(named(box, 'Actions for Daily'), 'keydown', { key: 'Enter' });
  const items = () => [...document.querySelectorAll('[role=menuitem]')].map(({ textContent }) => textContent.trim());
  const pick = async (name: string) => {
    await open();
    await fire(named(document.body, name, '[role=menuitem]'), 'click');
  };
  return { box, calls, open, items, pick };
}

it('leads to a flow, and says when it changed, what it does and its tags', async () => {
  const { box } = await show({ description: 'Reports.', tags: ['work', 'new'] });
  await expect
    .poll(() => outline(box))
    .toEqual([
      'span[aria-hidden=true]',
      'icon workflow 18',
      'a[href=/base/flows/f1]',
      'bdi Daily',
      'span work',
      'icon tag 11',
      'span new',
      'icon tag 11',
      'p · Reports.',
      'time 2026-01-01T00:00:00Z',
      'buttonradix-#1[data-state=closed][aria-expanded=false][aria-haspopup=menu][title=Actions for Daily][aria-label=Actions for Daily][type=button]',
      'icon ellipsis 17',
    ]);
  expect(box.querySelector('li')?.textContent).toBe('Daily work newChanged Jan 1, 2026 · Reports.');
  expect([box.querySelector('a')?.getAttribute('href'), box.querySelector('time')?.hasAttribute('title')]).toEqual([
    '/base/flows/f1',
    true,
  ]);
});

it('shows what starts it by itself, and leads to where a person changes it', async () => {
  const nextAt = new Date(Date.now() + 7_200_000).toISOString();
  const { box } = await show({
    triggers: { nextAt, schedules: 1, webhooks: 2, hasLink: true, failure: 'It has no approval.' },
  });
  const link = box.querySelector('a[href$="/use"]');
  expect([link?.getAttribute('href'), link?.textContent]).toEqual([
    '/base/flows/f1/use',
    ' Did not start Runs in 2 hr. 2 webhooks Public link',
  ]);
  expect(link?.querySelector('[title="It has no approval."]')).not.toBeNull();
});

it.each([
  ['read', 'DailyAda shares it, read-onlyChanged'],
  ['edit', 'DailyAda shares itChanged'],
  ['owner', 'DailyChanged'],
])('says whose flow it is for the access %s', async (access, text) => {
  expect((await show({ access })).box.textContent).toContain(text);
});

it.each([
  ['queued', 'Waits to run since', false],
  ['running', 'Runs since', false],
  ['waiting', 'Waits for you since', false],
  ['needs_attention', 'Needs attention since', true],
  ['completed', 'Ran', false],
  ['failed', 'Failed', true],
  ['cancelled', 'Stopped', false],
  ['timed_out', 'Timed out', true],
  ['interrupted', 'Interrupted', false],
])('says how its last run went: %s', async (status, words, isBad) => {
  const { box } = await show({}, { status, startedAt: AT });
  const [, time] = [...box.querySelectorAll('time')];
  expect([time?.textContent, time?.className === 'text-bad', time?.hasAttribute('title')]).toEqual([
    `${words} Jan 1, 2026`,
    isBad,
    true,
  ]);
});

it.each([
  ['owner', ['Open the playground', 'Show its runs', 'Rename', 'Duplicate', 'Edit tags', 'Export', 'Delete']],
  ['edit', ['Open the playground', 'Show its runs', 'Rename', 'Duplicate', 'Edit tags', 'Export']],
  ['read', ['Open the playground', 'Show its runs', 'Duplicate', 'Export']],
])('offers to one with the access %s: %j', async (access, expected) => {
  const { open, items } = await show({ access });
  await open();
  expect(items()).toEqual(expected);
});

it('acts on the flow of the row', async () => {
  const { calls, pick } = await show();
  for (const name of ['Rename', 'Duplicate', 'Edit tags', 'Export', 'Delete']) await pick(name);
  expect(calls).toEqual([
    ['rename', 'f1'],
    ['duplicate', 'f1'],
    ['tag', 'f1'],
    ['export', 'f1'],
    ['delete', 'f1'],
  ]);
});

it('leads to its playground and its runs', async () => {
  const { pick } = await show();
  await pick('Open the playground');
  expect(location.pathname).toBe('/base/flows/f1/play');
  await pick('Show its runs');
  expect(location.pathname).toBe('/base/flows/f1/runs');
});
