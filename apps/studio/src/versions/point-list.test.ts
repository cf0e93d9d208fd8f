import { createElement } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import { type RestorePoint, restorePointsQuery } from '../api/restore-points.ts';
import { refusal, useFakeApi } from '../testing/fake-api.ts';
import { choose, fire, named, usePage } from '../testing/page.ts';
import { inClient, isInvalid, testClient } from '../testing/queries.ts';
import { dismissToasts, Toaster } from '../ui/toast.tsx';
import { PointList } from './point-list.tsx';

const server = useFakeApi();
const page = usePage();
beforeEach(dismissToasts);
const point = (id: string) =>
  ({ id, name: `Point ${id}`, createdAt: '2026-01-01T00:00:00Z', author: null }) as RestorePoint;
const ROUTE = 'DELETE /api/v1/flows/f/restore-points/b';

async function show({
  isReadOnly = false,
  canRestore = true,
  points = [{ ...point('a'), author: 'Ada' }, point('b')],
} = {}) {
  const calls: unknown[][] = [];
  const note =
    (name: string) =>
    (...args: unknown[]) =>
      void calls.push([name, ...args]);
  const client = testClient();
  client.setQueryData(restorePointsQuery('f').queryKey, []);
  const props = {
    id: 'f',
    points,
    chosen: points.at(-1) as RestorePoint,
    other: undefined,
    isReadOnly,
    onChoose: note('choose'),
    onCompare: note('compare'),
    onRestore: canRestore ? () => note('restore')() : undefined,
  };
  const box = await page.show(inClient(client)(createElement(PointList, props)));
  const toasts = async () => (await page.show(createElement(Toaster))).textContent;
  return { box, client, calls, toasts };
}

it('chooses, compares and restores versions', async () => {
  const { box, calls } = await show();
  const rows = [...box.querySelectorAll('ol button')];
  expect(rows.map((each) => [each.textContent, each.getAttribute('aria-current')])).toEqual([
    ['Point aJan 1, 2026 · Ada', null],
    ['Point bJan 1, 2026', 'true'],
  ]);
  await fire(box.querySelector('ol button') as Element, 'click');
  const select = box.querySelector('select') as Element;
  expect([...select.querySelectorAll('option')].map(({ value, textContent }) => [value, textContent])).toEqual([
    ['', 'The flow as it is now'],
    ['a', 'Point a, Jan 1, 2026, 12:00:00 AM'],
  ]);
  expect(select.parentElement?.querySelector('label')?.textContent).toBe('Compare with');
  await choose(select, 'a');
  await choose(select, '');
  await fire(named(box, 'Restore this version'), 'click');
  expect(calls).toEqual([['choose', 'a'], ['compare', 'a'], ['compare', undefined], ['restore']]);
});

it('deletes the chosen version only after a confirmation', async () => {
  const { box, client, toasts } = await show();
  server.answer(ROUTE, {});
  await fire(named(box, 'Delete'), 'click');
  expect([box.querySelector('dialog')?.textContent?.includes('“Point b”'), server.requests]).toEqual([true, []]);
  await fire(named(box, 'Cancel'), 'click');
  expect(box.querySelector('dialog')).toBeNull();
  await fire(named(box, 'Delete'), 'click');
  await fire(named(box, 'Delete version'), 'click');
  await vi.waitFor(() => expect(isInvalid(client, restorePointsQuery('f').queryKey)).toBe(true));
  expect([server.requests, await toasts()]).toEqual([[ROUTE], 'Deleted the version “Point b”.']);
});

it('says why a version was not deleted', async () => {
  const { box, toasts } = await show();
  server.answer(ROUTE, refusal(404, 'gone', 'It is gone.'));
  await fire(named(box, 'Delete'), 'click');
  await fire(named(box, 'Delete version'), 'click');
  await vi.waitFor(async () => expect(await toasts()).toBe('The version was not deleted. It is gone.'));
});

it('changes nothing where the flow cannot be edited, or its document is not there yet', async () => {
  const names = (box: Element) => [...box.querySelectorAll('button')].map(({ textContent }) => textContent.trim());
  expect(names((await show({ isReadOnly: true })).box)).not.toContain('Delete');
  expect(named((await show({ canRestore: false })).box, 'Restore this version').hasAttribute('disabled')).toBe(true);
  expect((await show({ points: [point('b')] })).box.querySelector('select')).toBeNull();
});
