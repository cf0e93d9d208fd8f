import { createRegistry, type Descriptor, emptyFlow } from '@croft/flow';
import { createElement } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import type { RunRecord } from '../api/runs.ts';
import { refusal, useFakeApi } from '../testing/fake-api.ts';
import { outline } from '../testing/outline.ts';
import { fire, named, usePage } from '../testing/page.ts';
import { inClient, testClient } from '../testing/queries.ts';
import { dismissToasts, Toaster } from '../ui/toast.tsx';
import { RunButtons } from './run-buttons.tsx';

const server = useFakeApi();
const page = usePage();
beforeEach(dismissToasts);

async function show(more: Partial<RunRecord> = {}, { isGone = false, waits = false } = {}) {
  const run = {
    id: 'r',
    flowId: 'f',
    status: 'completed',
    source: 'direct',
    timeline: [],
    ...more,
  } as unknown as RunRecord;
  const descriptor = {
    type: 'T',
    label: 'T',
    fields: [],
    outputs: [],
    effects: waits ? ['wait'] : [],
  } as unknown as Descriptor;
  const nodes = waits ? [{ id: 'n', type: 'T', position: { x: 0, y: 0 }, values: {} }] : [];
  const props = { run, document: { ...emptyFlow('f'), nodes }, registry: createRegistry([{ descriptor }]), isGone };
  const box = await page.show(inClient(testClient())(createElement(RunButtons, props)));
  const inDialog = (name: string) => fire(named(box.querySelector('dialog') as Element, name), 'click');
  const toasts = async () => (await page.show(createElement(Toaster))).textContent;
  const names = () => [...box.querySelectorAll('button, a')].map(({ textContent }) => textContent.trim());
  return { box, inDialog, toasts, names };
}
const path = () => location.pathname;

it('deletes a run only after a confirmation, and goes to the runs of its flow', async () => {
  const { box, inDialog, toasts } = await show();
  await expect
    .poll(() => outline(box))
    .toEqual([
      'a[href=/base/flows/f] Open the flow',
      'icon workflow 16',
      'button[type=button]',
      'icon trash 16',
      'span Delete',
      'button[type=button]',
      'span Run again',
      'icon rotate-ccw 15',
    ]);
  server.answer('DELETE /api/v1/runs/r', {});
  await fire(named(box, 'Delete'), 'click');
  expect([box.textContent?.includes('You cannot restore its record. Messages'), server.requests]).toEqual([true, []]);
  await inDialog('Cancel');
  expect(box.querySelector('dialog')).toBeNull();
  await fire(named(box, 'Delete'), 'click');
  await inDialog('Delete run');
  await vi.waitFor(() => expect(path()).toBe('/base/flows/f/runs'));
  expect([server.requests, await toasts()]).toEqual([['DELETE /api/v1/runs/r'], 'Deleted the run.']);
});

it('says why a run was not deleted, and stays', async () => {
  const { box, inDialog, toasts } = await show({}, { isGone: true });
  server.answer('DELETE /api/v1/runs/r', refusal(403, 'forbidden', 'It belongs to another user.'));
  await fire(named(box, 'Delete'), 'click');
  await inDialog('Delete run');
  await vi.waitFor(async () => expect(await toasts()).toBe('The run was not deleted. It belongs to another user.'));
  server.answer('DELETE /api/v1/runs/r', {});
  await fire(named(box, 'Delete'), 'click');
  await inDialog('Delete run');
  await vi.waitFor(() => expect(path()).toBe('/base/runs'));
});

it('stops an open run, and offers no second one', async () => {
  const { box, names } = await show({ status: 'running' });
  server.answer('POST /api/v1/runs/r/cancel', {});
  expect(names()).toEqual(['Open the flow', 'Delete', 'Stop']);
  await fire(named(box, 'Stop'), 'click');
  await vi.waitFor(() => expect(server.requests).toEqual(['POST /api/v1/runs/r/cancel {}']));
  await fire(named(box, 'Delete'), 'click');
  expect(box.textContent).toContain('The run is stopped.');
});

it('runs an ended run again, queued where it was queued or can wait', async () => {
  server.answer('POST /api/v1/flows/f/run/stream', () => new Response('', { headers: { 'Croft-Run-Id': 'r2' } }));
  server.answer('POST /api/v1/flows/f/runs', { id: 'r3' });
  const again = async (box: Element) => {
    await fire(named(box, 'Run again'), 'click');
    await vi.waitFor(() => expect(path()).toMatch(/runs\/r[23]$/));
  };
  await again((await show()).box);
  expect([path(), server.requests[0]]).toEqual(['/base/runs/r2', 'POST /api/v1/flows/f/run/stream {"inputs":{}}']);
  location.pathname = '/base/';
  await again((await show({ source: 'schedule' as never })).box);
  expect(path()).toBe('/base/runs/r3');
});

it('has no flow to open or run once it was deleted', async () => {
  expect((await show({}, { isGone: true })).names()).not.toContain('Open the flow');
  expect((await show({ flowId: '' })).names()).not.toContain('Open the flow');
});
