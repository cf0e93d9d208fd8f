import { createRegistry, type Descriptor, emptyFlow } from '@croft/flow';
import { act, createElement } from 'react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { FullFlow } from '../api/flows.ts';
import { meQuery } from '../api/me.ts';
import { memoryStorage } from '../assistant/fake-assistant-server.ts';
import { begin, completed, update } from '../assistant/testing-events.ts';
import { navigate } from '../routing/location.ts';
import { refusal, useFakeApi } from '../testing/fake-api.ts';
import { useFakeEvents } from '../testing/fake-events.ts';
import { outline } from '../testing/outline.ts';
import { fire, named, type, usePage } from '../testing/page.ts';
import { inClient, testClient } from '../testing/queries.ts';
import '../assistant/testing-media.ts';
// Loaded before a test waits for them.
import '../assistant/assistant-panel.tsx';
import '../versions/versions-view.tsx';
import { FlowView } from './flow-view.tsx';
import { nodeOf } from './testing-nodes.ts';

const server = useFakeApi();
const sources = useFakeEvents();
const page = usePage();
beforeEach(() => {
  vi.stubGlobal('sessionStorage', memoryStorage());
  vi.stubGlobal('localStorage', memoryStorage());
  vi.stubGlobal('CSS', { escape: (text: string) => text });
  vi.stubGlobal('innerWidth', 1_000);
  vi.stubGlobal('innerHeight', 800);
  server.answer('GET /api/v1/agentic/sessions', { sessions: [] });
  server.answer('GET /api/v1/flows/f1/check', { findings: [] });
  server.answer('GET /api/v1/runs', { runs: [], nextCursor: null });
});

const T: Descriptor = {
  type: 'T',
  label: 'T',
  description: '',
  category: 'text',
  effects: ['none'],
  fields: [],
  outputs: [{ name: 'out', label: 'Out', types: ['Any'] }],
};

async function show(more: object = {}, path = '/flows/f1', nodes = [nodeOf('A'), nodeOf('B')]) {
  await act(async () => navigate(path));
  const client = testClient();
  client.setQueryData(meQuery.queryKey, { user: { id: 'u1' } } as never);
  const flow = {
    id: 'f1',
    name: 'Daily',
    version: 3,
    access: 'edit',
    document: { ...emptyFlow('Daily'), nodes },
    ...more,
  };
  const view = createElement(FlowView, {
    flow: flow as unknown as FullFlow,
    registry: createRegistry([{ descriptor: T }]),
  });
  const box = await page.show(inClient(client)(view));
  return box;
}

const parts = (box: Element) => outline(box, '.react-flow, nav, button, [data-orientation]');
const sections = (box: Element) =>
  [...box.querySelectorAll('section[aria-label]')].map((each) => each.getAttribute('aria-label'));
const chosen = (box: Element) =>
  [...box.querySelectorAll('.react-flow__node.selected')].map((each) => each.getAttribute('data-id'));

describe('the page of a flow', () => {
  it('has the canvas, and beside it the run', async () => {
    const box = await show();
    await vi.waitFor(() => expect(box.querySelectorAll('.react-flow__node')).toHaveLength(2));
    expect(parts(box)).toEqual([
      'a[href=/base/flows] All flows',
      'icon chevron-left 15',
      'span[role=status]',
      'icon check 15',
      'span Saved',
      'button[title=Assistant (Ctrl+I)][aria-expanded=false][type=button]',
      'h1[title=Daily][tabindex=-1] Daily',
      'button[title=Rename the flow][aria-label=Rename the flow][type=button]',
      'nav[aria-label=Pages of this flow]',
      'div[role=application][aria-label=Canvas][data-testid=rf__wrapper]',
      'div[data-orientation=horizontal][dir=ltr]',
    ]);
    expect(sections(box)).toEqual(['Run', 'Outline']);
    expect(box.querySelector('[role=toolbar][aria-label="Edit the flow"]')).not.toBeNull();
  });

  it.each([
    ['edit', 'A chat begins with “Chat input” and ends with “Chat output”.'],
    ['read', 'Its owner can add components.'],
  ])('has no column beside an empty canvas with the access %s', async (access, text) => {
    const box = await show({ access }, '/flows/f1', []);
    await vi.waitFor(() => expect(box.textContent).toContain(`This flow has no components yet${text}`));
    expect(sections(box)).toEqual([]);
  });

  it('has nothing to edit where the flow is read-only', async () => {
    const box = await show({ access: 'read' }, '/flows/f1?component=B');
    expect(parts(box).slice(2, -2)).toEqual([
      'icon lock 15',
      'span Read-only: you can run this flow, and you cannot change it',
      'button[title=Assistant (Ctrl+I)][aria-expanded=false][type=button]',
      'h1[title=Daily][tabindex=-1] Daily',
      'nav[aria-label=Pages of this flow]',
    ]);
    expect(box.querySelector('[role=toolbar][aria-label="Edit the flow"]')).toBeNull();
    await vi.waitFor(() => expect(box.querySelector('[data-component=B] input')?.hasAttribute('disabled')).toBe(true));
    await fire(named(box, 'Assistant', 'button'), 'click');
    await vi.waitFor(() => expect(sections(box)[0]).toBe('Assistant'));
    expect(box.querySelector('section[aria-label=Assistant]')?.textContent).toContain('This flow is read-only for you');
  });

  it('opens the component that the address names', async () => {
    const box = await show({}, '/flows/f1?component=B');
    await vi.waitFor(() => expect(box.querySelector('[data-component]')?.getAttribute('data-component')).toBe('B'));
    expect(chosen(box)).toEqual(['B']);
  });

  it('renames the flow', async () => {
    server.answer('POST /api/v1/flows/f1/edits', () => new Promise(() => undefined));
    const box = await show();
    await fire(named(box, 'Rename the flow'), 'click');
    await type(box.querySelector('dialog [data-first]') as Element, 'Weekly');
    await fire(box.querySelector('dialog form') as Element, 'submit');
    await vi.waitFor(() => expect(box.querySelector('h1')?.textContent).toBe('Weekly'));
    expect(box.querySelector('dialog')).toBeNull();
    // The page also sends the name when it is closed before, then to the server of a later test.
    await vi.waitFor(() => expect(server.requests.at(-1)).toContain('"name":"Weekly"'));
  });

  it('lists the problems of the flow, marks them on the canvas, and shows their component', async () => {
    const problem = { severity: 'error', code: 'cycle', node: 'B', message: 'It has no text.', fix: 'Type one.' };
    server.answer('GET /api/v1/flows/f1/check', { findings: [problem] });
    const box = await show();
    await vi.waitFor(() => expect(box.querySelector('[data-id=B]')?.textContent).toContain('It has no text.'));
    expect(box.querySelector('section[aria-label=Run]')?.textContent).toContain('It has no text. Type one. Show T');
    expect(box.querySelector('[role=tab]:last-child')?.textContent).toBe('Problems1');
    await fire(named(box, 'Show T'), 'click');
    expect(chosen(box)).toEqual(['B']);
  });

  it('shows the component of a problem also where that is selected already', async () => {
    const problem = { severity: 'error', code: 'cycle', node: 'B', message: 'It has no text.', fix: 'Type one.' };
    server.answer('GET /api/v1/flows/f1/check', { findings: [problem] });
    const box = await show({}, '/flows/f1?component=B');
    const tab = () => box.querySelector('[role=tab][aria-selected=true]')?.textContent;
    await vi.waitFor(() => expect([chosen(box), tab()]).toEqual([['B'], 'Component']));
    await fire(named(box, 'Run', '[role=tab]'), 'mousedown', { button: 0, ctrlKey: false });
    expect(tab()).toBe('Run');
    await fire(named(box.querySelector('section[aria-label=Run]') as Element, 'Show T'), 'click');
    expect(tab()).toBe('Component');
  });

  it('locks the canvas while the assistant works, and draws its plan and its run', async () => {
    const plan = { ...emptyFlow('Plan'), nodes: [nodeOf('P')] };
    server.answer('POST /api/v1/agentic/assist/stream', () => new Response('', { headers: { 'Croft-Turn-Id': 't1' } }));
    const box = await show();
    await fire(named(box, 'Assistant', 'button'), 'click');
    await vi.waitFor(() => expect(sections(box)).toEqual(['Assistant', 'Run', 'Outline']));
    await type(box.querySelector('textarea') as Element, 'Plan it');
    await fire(box.querySelector('textarea') as Element, 'keydown', { key: 'Enter' });
    await vi.waitFor(() => expect(box.textContent).toContain('Locked here while the assistant works'));
    expect(box.querySelector('[role=toolbar][aria-label="Edit the flow"]')).toBeNull();
    await vi.waitFor(() => expect(sources).toHaveLength(1));
    const emit = (...events: readonly object[]) =>
      act(async () => events.forEach((event, at) => sources[0]?.send(event, `log.${at + 1}`)));
    await emit(
      begin(),
      update({ action: 'propose_plan', id: 'p', markdown: 'Plan', flow: plan }),
      { event: 'run_started', run_id: 'r7' },
      completed('Done.'),
    );
    await vi.waitFor(() =>
      expect(named(box, 'Planned, not on the canvas: T', '[role=img]').getAttribute('role')).toBe('img'),
    );
    await vi.waitFor(() => expect(sources.at(-1)?.url).toContain('r7'));
    await vi.waitFor(() => expect(box.textContent).not.toContain('Locked here'));
    expect(box.querySelector('[role=toolbar][aria-label="Edit the flow"]')).not.toBeNull();
  });

  it('opens a component of the outline on the canvas', async () => {
    const box = await show();
    const row = [...box.querySelectorAll('section[aria-label=Outline] li button')].at(-1) as Element;
    await fire(row, 'click');
    await vi.waitFor(() => expect(box.querySelector('[data-component]')?.getAttribute('data-component')).toBe('B'));
    expect(chosen(box)).toEqual(['B']);
    await fire(named(box, 'Close the component'), 'click');
    expect(chosen(box)).toEqual([]);
  });

  it('runs the flow, and follows the run', async () => {
    server.answer('POST /api/v1/flows/f1/run/stream', () => new Response('', { headers: { 'Croft-Run-Id': 'r1' } }));
    const box = await show();
    await fire(box.querySelector('section[aria-label=Run] form') as Element, 'submit');
    await vi.waitFor(() => expect(sources.at(-1)?.url).toContain('r1'));
    expect(server.requests.filter((each) => each.includes('/run/stream'))).toEqual([
      'POST /api/v1/flows/f1/run/stream {"inputs":{},"from":"canvas"}',
    ]);
  });

  it('saves a change of a component', async () => {
    server.answer('POST /api/v1/flows/f1/edits', () => new Promise(() => undefined));
    const box = await show({}, '/flows/f1?component=B');
    await vi.waitFor(() => expect(box.querySelector('[data-component=B] input')).not.toBeNull());
    await type(box.querySelector('[data-component=B] input') as Element, 'Mine');
    await vi.waitFor(() => expect(box.querySelector('[data-id=B]')?.textContent).toContain('Mine'));
    await fire(window, 'online');
    await vi.waitFor(() =>
      expect(server.requests.some((each) => each.startsWith('POST /api/v1/flows/f1/edits'))).toBe(true),
    );
  });

  it('shows the versions of the flow at their address', async () => {
    server.answer('GET /api/v1/flows/f1/restore-points', { restorePoints: [] });
    const box = await show({}, '/flows/f1/versions');
    await vi.waitFor(() => expect(box.textContent).toContain('No versions kept yet'));
    expect([sections(box), box.querySelector('h1')?.textContent]).toEqual([[], 'Daily']);
    expect(named(box, 'Keep the flow as it is now').getAttribute('type')).toBe('submit');
    const read = await show({ access: 'read' }, '/flows/f1/versions');
    await vi.waitFor(() => expect(read.textContent).toContain('No versions kept yet'));
    expect(read.textContent).not.toContain('Keep the flow');
  });

  it('undoes and redoes a change, and says that it is saved', async () => {
    const edit = 'POST /api/v1/flows/f1/edits';
    server.answer(edit, () => new Promise(() => undefined));
    const box = await show({}, '/flows/f1?component=B');
    const off = () => ['Undo', 'Redo'].map((name) => named(box, name).hasAttribute('disabled'));
    await vi.waitFor(() => expect(box.querySelector('[data-component=B] input')).not.toBeNull());
    expect([off(), box.querySelector('[role=status]')?.textContent]).toEqual([[true, true], 'Saved']);
    await type(box.querySelector('[data-component=B] input') as Element, 'Mine');
    await vi.waitFor(() => expect(off()).toEqual([false, true]));
    await fire(named(box, 'Undo'), 'click');
    expect([off(), box.querySelector('[data-id=B]')?.textContent?.includes('Mine')]).toEqual([[true, false], false]);
  });

  it('runs the flow from the canvas by Ctrl+Enter', async () => {
    server.answer('POST /api/v1/flows/f1/run/stream', () => new Response('', { headers: { 'Croft-Run-Id': 'r1' } }));
    const box = await show({}, '/flows/f1?component=B');
    await vi.waitFor(() => expect(box.querySelector('[data-component]')).not.toBeNull());
    const form = box.querySelector('section[aria-label=Run] form') as HTMLFormElement;
    const requestSubmit = vi.fn();
    Object.assign(form, { requestSubmit });
    const key = { key: 'Enter', ctrlKey: true, metaKey: false, shiftKey: false, altKey: false };
    await fire(box.querySelector('.react-flow') as Element, 'keydown', key);
    await vi.waitFor(() => expect(requestSubmit).toHaveBeenCalledOnce());
  });

  it('asks which changes count where others changed the same part', async () => {
    const rename = { kind: 'rename', id: 'B', name: 'Theirs' };
    server.answer('POST /api/v1/flows/f1/edits', refusal(409, 'changed', 'It changed.'));
    server.answer('GET /api/v1/flows/f1/edits', { entries: [{ version: 4, edits: [rename] }] });
    const box = await show({}, '/flows/f1?component=B');
    await vi.waitFor(() => expect(box.querySelector('[data-component=B] input')).not.toBeNull());
    await type(box.querySelector('[data-component=B] input') as Element, 'Mine');
    await vi.waitFor(() => expect(box.querySelector('[data-id=B]')?.textContent).toContain('Mine'));
    await fire(window, 'online');
    await vi.waitFor(() => expect(box.querySelector('dialog li')?.textContent).toBe('The name of Mine'));
    await fire(named(box, 'Use theirs'), 'click');
    expect(box.querySelector('dialog')).toBeNull();
    await vi.waitFor(() => expect(box.querySelector('[data-id=B]')?.textContent).toContain('Theirs'));
  });
});
