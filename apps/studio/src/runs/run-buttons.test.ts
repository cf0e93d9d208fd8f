import { createRegistry, type Descriptor, emptyFlow, type FlowNode } from '@croft/flow';
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

const WAITING = { id: 'n', type: 'T', position: { x: 0, y: 0 }, values: {} };
interface Setup {
  isGone?: boolean;
  waits?: boolean;
  nodes?: FlowNode[];
}

async function show(more: Partial<RunRecord> = {}, { isGone = false, waits = false, nodes }: Setup = {}) {
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
  const props = {
    run,
    document: { ...emptyFlow('f'), nodes: nodes ?? (waits ? [WAITING] : []) },
    registry: createRegistry([{ descriptor }]),
    isGone,
  };
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
  expect(outline(box.querySelector('dialog') as Element)).toEqual([
    'h2#1 Delete this run?',
    'button[title=Close][aria-label=Close][type=button]',
    'icon x 18',
    'p#1-about You cannot restore its record. Messages of its chat stay.',
    'button[type=button]',
    'span Delete run',
    'button[data-first=true][type=button]',
    'span Cancel',
  ]);
  expect(server.requests).toEqual([]);
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
  const { box } = await show({ status: 'running' });
  server.answer('POST /api/v1/runs/r/cancel', {});
  expect(outline(box).slice(2)).toEqual([
    'button[type=button]',
    'icon trash 16',
    'span Delete',
    'button[type=button]',
    'span Stop',
    'icon square 15',
  ]);
  await fire(named(box, 'Stop'), 'click');
  await vi.waitFor(() => expect(server.requests).toEqual(['POST /api/v1/runs/r/cancel {}']));
  await fire(named(box, 'Delete'), 'click');
  expect(box.querySelector('dialog p')?.textContent).toBe('The run is stopped. You cannot restore its record.');
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
  const timeline = [{ node: 'n', path: '', status: 'finished' }] as never;
  for (const [more, options] of [
    [{ source: 'schedule' as never }, {}],
    [{ timeline }, { waits: true }],
  ] as const) {
    location.pathname = '/base/';
    await again((await show(more, options)).box);
    expect(path()).toBe('/base/runs/r3');
  }
});

it('has no flow to open or run once it was deleted', async () => {
  expect((await show({}, { isGone: true })).names()).not.toContain('Open the flow');
  expect((await show({ flowId: '' })).names()).not.toContain('Open the flow');
});

it('asks before it runs components that the run did not reach', async () => {
  server.answer('POST /api/v1/flows/f/run/stream', () => new Response('', { headers: { 'Croft-Run-Id': 'r2' } }));
  const nodes = ['A', 'B', 'C', 'D', 'E'].map((id) => ({ id, type: 'T', position: { x: 0, y: 0 }, values: {} }));
  const reached = (...ids: string[]) => ids.map((node) => ({ node, inputs: {} })) as never;
  const four = await show({ timeline: reached('E') }, { nodes });
  await fire(named(four.box, 'Run again'), 'click');
  expect(outline(four.box.querySelector('dialog') as Element)).toEqual([
    'h2#1 Run the whole flow?',
    'button[title=Close][aria-label=Close][type=button]',
    'icon x 18',
    'p#1-about This run did not reach all of it. T, T, T and 1 more will run, too.',
    'button[type=button]',
    'span Run the whole flow',
    'button[data-first=true][type=button]',
    'span Cancel',
  ]);
  await four.inDialog('Cancel');
  expect([four.box.querySelector('dialog'), server.requests]).toEqual([null, []]);
  const three = await show({ timeline: reached('D', 'E') }, { nodes });
  await fire(named(three.box, 'Run again'), 'click');
  expect(three.box.querySelector('dialog p')?.textContent).toBe(
    'This run did not reach all of it. T, T, T will run, too.',
  );
  await three.inDialog('Run the whole flow');
  await vi.waitFor(() => expect(path()).toBe('/base/runs/r2'));
  expect([three.box.querySelector('dialog'), server.requests.length]).toEqual([null, 1]);
});

it('shows which action is under way, and says why a run was not stopped or started', async () => {
  let answer: (response: unknown) => void = () => undefined;
  server.answer('POST /api/v1/runs/r/cancel', () => new Promise((resolve) => (answer = resolve)));
  const running = await show({ status: 'running' });
  await fire(named(running.box, 'Stop'), 'click');
  const busy = (box: Element) =>
    [...box.querySelectorAll('[aria-busy=true], [disabled]')].map((each) => each.textContent);
  expect(busy(running.box)).toEqual([' StopWorking']);
  answer(refusal(409, 'ended', 'It has ended.')());
  await vi.waitFor(async () => expect(await running.toasts()).toBe('The run was not stopped. It has ended.'));
  expect(busy(running.box)).toEqual([]);
  dismissToasts();
  server.answer('POST /api/v1/flows/f/run/stream', refusal(409, 'paused', 'The flow is paused.'));
  const ended = await show();
  await fire(named(ended.box, 'Run again'), 'click');
  await vi.waitFor(async () => expect(await ended.toasts()).toBe('The run was not started. The flow is paused.'));
});
