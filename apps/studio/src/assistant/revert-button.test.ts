import { createElement } from 'react';
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
  await vi.waitFor(() => expect(box.textContent).toContain('Revert this message?'));
  expect([onRevert.mock.calls.length, box.textContent.includes('changed 1 file')]).toEqual([0, true]);
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
