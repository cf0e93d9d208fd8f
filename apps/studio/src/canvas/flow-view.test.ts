import { createRegistry, type Descriptor, emptyFlow } from '@croft/flow';
import { act, createElement } from 'react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { FullFlow } from '../api/flows.ts';
import { meQuery } from '../api/me.ts';
import { memoryStorage } from '../assistant/fake-assistant-server.ts';
// Loaded before a test waits for it.
import '../assistant/testing-media.ts';
import '../versions/versions-view.tsx';
import { navigate } from '../routing/location.ts';
import { refusal, useFakeApi } from '../testing/fake-api.ts';
import { useFakeEvents } from '../testing/fake-events.ts';
import { fire, named, type, usePage } from '../testing/page.ts';
import { inClient, testClient } from '../testing/queries.ts';
import { FlowView } from './flow-view.tsx';
import { nodeOf } from './testing-nodes.ts';

const server = useFakeApi();
const sources = useFakeEvents();
const page = usePage();
beforeEach(() => {
  vi.stubGlobal('sessionStorage', memoryStorage());
  vi.stubGlobal('localStorage', memoryStorage());
  vi.stubGlobal('CSS', { escape: (text: string) => text });
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

describe('the page of a flow', () => {
  it('has the canvas, and beside it the run', async () => {
    const box = await show();
    await vi.waitFor(() => expect(box.querySelectorAll('.react-flow__node')).toHaveLength(2));
    expect(box.querySelector('section[aria-label=Run]')).not.toBeNull();
    expect(box.textContent).not.toContain('Read-only');
    expect(named(box, 'Assistant', 'button')).not.toBeNull();
  });

  it('has no column beside an empty canvas', async () => {
    expect((await show({}, '/flows/f1', [])).querySelector('section[aria-label=Run]')).toBeNull();
  });

  it('says that the flow is read-only', async () => {
    const box = await show({ access: 'read' });
    expect(box.textContent).toContain('Read-only: you can run this flow, and you cannot change it');
  });

  it('opens the component that the address names', async () => {
    const box = await show({}, '/flows/f1?component=B');
    await vi.waitFor(() => expect(box.querySelector('[data-component]')?.getAttribute('data-component')).toBe('B'));
  });

  it('opens a component of the outline on the canvas', async () => {
    const box = await show();
    const row = [...box.querySelectorAll('section[aria-label=Outline] li button')].at(-1) as Element;
    await fire(row, 'click');
    await vi.waitFor(() => expect(box.querySelector('[data-component]')?.getAttribute('data-component')).toBe('B'));
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
    expect(box.querySelector('section[aria-label=Run]')).toBeNull();
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
