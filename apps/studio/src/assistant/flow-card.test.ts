import { createRegistry, emptyFlow } from '@croft/flow';
import { act, createElement } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import { templatesQuery } from '../api/flows.ts';
import { nodeOf } from '../canvas/testing-nodes.ts';
import { useFakeUploads } from '../testing/fake-upload.ts';
import { outline } from '../testing/outline.ts';
import { fire, named, usePage } from '../testing/page.ts';
import { inClient, testClient } from '../testing/queries.ts';
import { FlowCard } from './flow-card.tsx';
import type { FlowOffer } from './turn-view.ts';

const uploads = useFakeUploads();
const page = usePage();
afterEach(() => void vi.useRealTimers());

async function show(more: Partial<FlowOffer> = {}, { isReadOnly = false, applies = true } = {}) {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const calls: unknown[][] = [];
  const offer = { id: 'o', name: 'Built', status: 'pending', isRepeat: false, node_count: 1, edge_count: 2, ...more };
  const props = {
    offer: { flow: { ...emptyFlow('Built'), nodes: [nodeOf('n', 'T')] }, ...offer },
    turnKey: 'k',
    flow: {
      document: emptyFlow('f'),
      registry: createRegistry([]),
      isReadOnly,
      apply: (edits: unknown[]) => {
        calls.push(['apply', edits.length]);
        return applies;
      },
    },
    store: {
      decide: async (...args: unknown[]) => void calls.push(['decide', ...args]),
      landed: async (...args: unknown[]) => void calls.push(['landed', ...args]),
      show: (action: unknown) => void calls.push(['show', action]),
    },
  } as unknown as Parameters<typeof FlowCard>[0];
  const client = testClient();
  client.setQueryData(templatesQuery.queryKey, [{ name: 'with', files: { 'a.txt': 'A' } }] as never);
  const box = await page.show(inClient(client)(createElement(FlowCard, props)));
  const names = () => [...box.querySelectorAll('button')].map(({ textContent }) => textContent.trim());
  const press = (name: string) => fire(named(box, name), 'click');
  return { box, calls, names, press };
}

it('adds a proposed flow, puts it in place of the canvas, or dismisses it, by the decision of the server', async () => {
  const { box, calls, names, press } = await show();
  await expect
    .poll(() => outline(box))
    .toEqual([
      'section[aria-label=Built flow Built]',
      'h3 Built',
      'p 1 component, 2 connections: T',
      'icon   [read aloud]',
      'button[data-testid=assistant-flow-add-button][type=button]',
      'span Add to canvas',
      'button[title=Removes what is on the canvas. Undo brings it back.][data-testid=assistant-flow-replace-button][type=button]',
      'span Replace canvas',
      'button[data-testid=assistant-flow-dismiss-button][type=button]',
      'span Dismiss',
    ]);
  expect(names()).toEqual(['Add to canvas', 'Replace canvas', 'Dismiss']);
  expect(box.textContent).toContain('1 component, 2 connections');
  for (const name of names()) await press(name);
  expect(calls).toEqual([
    ['decide', 'k', 'o', 'add'],
    ['decide', 'k', 'o', 'replace'],
    ['decide', 'k', 'o', 'dismiss'],
  ]);
});

it('adds a flow again by an edit of the user', async () => {
  const { calls, names, press } = await show({ isRepeat: true });
  expect(names()).not.toContain('Dismiss');
  await press('Add to canvas');
  expect(calls).toEqual([
    ['apply', 1],
    ['landed', 'k', 'o'],
  ]);
  const refused = await show({ isRepeat: true }, { applies: false });
  await refused.press('Replace canvas');
  expect(refused.calls).toEqual([['apply', 1]]);
});

it('adds the sample files of a flow that came onto the canvas without a question', async () => {
  const { box, names, press } = await show({ isRepeat: true, template: 'with' });
  expect([names(), box.textContent]).toEqual([
    ['Add to canvas', 'Replace canvas', 'Add sample files'],
    expect.stringContaining('Adds a.txt to your files.'),
  ]);
  await press('Add sample files');
  await act(async () => uploads[0]?.end(200, '{}'));
  await vi.waitFor(() => expect(names()).toEqual(['Add to canvas', 'Replace canvas']));
  expect(box.textContent).not.toContain('a.txt');
});

it('offers no sample files apart from a flow that is not on the canvas', async () => {
  expect((await show({ template: 'with' })).names()).toEqual(['Add to canvas', 'Replace canvas', 'Dismiss']);
});

it('offers a dismissed flow with one click', async () => {
  const { box, names } = await show({ status: 'dismissed' });
  expect([names(), box.querySelector('h3')?.parentElement?.parentElement?.textContent]).toEqual([
    ['Add to canvas', 'Replace canvas'],
    expect.stringMatching(/Dismissed$/),
  ]);
});

it('can be added again a moment after it was', async () => {
  const { box, calls, names } = await show({ status: 'applied' });
  expect([box.textContent?.includes('Added to canvas'), names()]).toEqual([true, []]);
  await act(async () => void vi.advanceTimersByTime(2_999));
  expect(calls).toEqual([]);
  await act(async () => void vi.advanceTimersByTime(1));
  expect(calls).toEqual([['show', { kind: 'reopened', key: 'k' }]]);
});

it('has no decisions where the flow cannot be edited', async () => {
  expect((await show({}, { isReadOnly: true })).names()).toEqual([]);
  expect((await show({ status: 'dismissed' }, { isReadOnly: true })).names()).toEqual([]);
});

const drawingOf = async (...nodes: ReturnType<typeof nodeOf>[]) => {
  const { box } = await show({ flow: { ...emptyFlow('Built'), nodes } } as never);
  return box.querySelector('svg');
};
const at = (id: string, x: number, y: number) => ({ ...nodeOf(id, id), position: { x, y } });

it('draws the flow with its names', async () => {
  const drawing = await drawingOf(at('Short', 0, 0), at('ExactlyThirte', 600, 0), at('LongerThanThirteen', 1_200, 10));
  expect(drawing?.getAttribute('aria-label')).toBe('Drawing of the flow');
  expect(
    [...(drawing?.querySelectorAll('rect') ?? [])].map((each) => [each.getAttribute('x'), each.getAttribute('y')]),
  ).toEqual([
    ['0', '0'],
    ['600', '0'],
    ['1200', '10'],
  ]);
  const texts = [...(drawing?.querySelectorAll('text') ?? [])];
  expect(texts.map((each) => [each.textContent, each.getAttribute('x'), each.getAttribute('y')])).toEqual([
    ['Short', '160', '104'],
    ['ExactlyThirte', '760', '104'],
    ['LongerThanTh…', '1360', '114'],
  ]);
  expect(await drawingOf()).toBeNull();
});

it('fills the card with a wide drawing, and names six components at most', async () => {
  const shape = async (width: number, height: number) =>
    (await drawingOf(at('a', 0, 0), at('b', width - 320, height - 180)))?.getAttribute('preserveAspectRatio');
  expect([await shape(960, 400), await shape(961, 400)]).toEqual(['xMidYMid meet', 'xMidYMid slice']);
  const named = async (count: number) => {
    const nodes = Array.from({ length: count }, (_, index) => at(`n${index}`, index, index));
    return (await drawingOf(...nodes))?.querySelectorAll('text').length;
  };
  expect([await named(6), await named(7)]).toEqual([6, 0]);
});

it('shows the decision as a badge', async () => {
  const badge = async (more: Partial<FlowOffer>) =>
    (await show(more)).box.querySelector('div > div + span')?.textContent;
  expect([await badge({}), await badge({ status: 'applied' }), await badge({ status: 'dismissed' })]).toEqual([
    undefined,
    'Added to canvas',
    'Dismissed',
  ]);
  expect(await badge({ isRepeat: true })).toBe('Added before');
});

it('adds a dismissed flow by an edit of the user', async () => {
  const { calls, press } = await show({ status: 'dismissed' });
  await press('Add to canvas');
  expect(calls).toEqual([
    ['apply', 1],
    ['landed', 'k', 'o'],
  ]);
});

it('adds the sample files before the flow', async () => {
  const { box, calls, press } = await show({ template: 'with' });
  await press('Add to canvas');
  expect([uploads.length, calls, box.querySelector('[aria-busy=true]') === null]).toEqual([1, [], false]);
  await act(async () => uploads[0]?.end(200, '{}'));
  await vi.waitFor(() => expect(calls).toEqual([['decide', 'k', 'o', 'add']]));
});

it('draws the flow as one picture', async () => {
  const drawing = await drawingOf(at('a', 0, 0), at('b', 600, 0));
  expect([drawing?.getAttribute('role'), drawing?.getAttribute('viewBox')?.split(' ').length]).toEqual(['img', 4]);
  expect(
    [...(drawing?.querySelectorAll('rect') ?? [])].map((each) => [
      each.getAttribute('width'),
      each.getAttribute('height'),
    ]),
  ).toEqual([
    ['320', '180'],
    ['320', '180'],
  ]);
  expect(drawing?.querySelector('path')?.getAttribute('d')).toBe('');
});
