import { act, createElement } from 'react';
import { expect, it, vi } from 'vitest';
import { useFakeApi } from '../testing/fake-api.ts';
import { outline } from '../testing/outline.ts';
import { fire, named, usePage } from '../testing/page.ts';
import { inClient, testClient } from '../testing/queries.ts';
import { RevertButton } from './revert-button.tsx';

const server = useFakeApi();
const page = usePage();

async function show(run: string | undefined) {
  const onRevert = vi.fn(() => Promise.resolve());
  const box = await page.show(inClient(testClient())(createElement(RevertButton, { run, onRevert })));
  const press = () => fire(named(box, 'Revert'), 'click');
  return { box, onRevert, press };
}
const changed = { id: '1', action: 'write_file', paths: ['a.txt'], at: '2026-01-01T00:00:00Z' };

it('reverts a message without a run at once', async () => {
  const { onRevert, press } = await show(undefined);
  await press();
  expect([onRevert.mock.calls.length, server.requests]).toEqual([1, []]);
});

it('asks before, where a run changed files that stay', async () => {
  server.answer('GET /api/v1/activity/changes?run=r1', { changes: [changed] });
  const { box, onRevert, press } = await show('r1');
  await expect.poll(() => outline(box)).toEqual(['button[type=button]', 'span Revert', 'icon undo-2 14']);
  await press();
  await vi.waitFor(() => expect(box.querySelector('dialog')).not.toBeNull());
  expect([onRevert.mock.calls.length, outline(box.querySelector('dialog') as Element)]).toEqual([
    0,
    [
      'h2#1 Revert this message?',
      'button[title=Close][aria-label=Close][type=button]',
      'icon x 18',
      'p#1-about This takes back what the assistant changed. The run of this message changed 1 file: that stays, and can be undone under .',
      'a[href=/base/settings/activity?run=r1] Activity',
      'button[type=button]',
      'span Revert',
      'button[data-first=true][type=button]',
      'span Cancel',
    ],
  ]);
  await fire(named(box, 'Cancel'), 'click');
  expect([onRevert.mock.calls.length, box.querySelector('dialog')]).toEqual([0, null]);
  await press();
  await vi.waitFor(() => expect(box.querySelector('dialog')).not.toBeNull());
  await fire(named(box.querySelector('dialog') as Element, 'Revert'), 'click');
  await vi.waitFor(() => expect(box.querySelector('dialog')).toBeNull());
  expect(onRevert).toHaveBeenCalledOnce();
});

it('reverts where the run changed no files, or they cannot be listed', async () => {
  server.answer('GET /api/v1/activity/changes?run=r1', { changes: [] });
  const one = await show('r1');
  await one.press();
  await vi.waitFor(() => expect(one.onRevert).toHaveBeenCalledOnce());
  const two = await show('r2');
  await two.press();
  await vi.waitFor(() => expect(two.onRevert).toHaveBeenCalledOnce());
});

it('cannot be pressed again while it lists the files or reverts', async () => {
  const listing = await show('r1');
  server.answer('GET /api/v1/activity/changes?run=r1', () => new Promise(() => undefined));
  await listing.press();
  expect(named(listing.box, 'RevertWorking').getAttribute('aria-busy')).toBe('true');
  const reverting = await show(undefined);
  let end: () => void = () => undefined;
  reverting.onRevert.mockReturnValue(new Promise((resolve) => (end = resolve)));
  await reverting.press();
  expect(named(reverting.box, 'RevertWorking').getAttribute('aria-busy')).toBe('true');
  await act(async () => end());
  expect(named(reverting.box, 'Revert').hasAttribute('aria-busy')).toBe(false);
});
