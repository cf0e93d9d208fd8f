import { applyEdits, emptyFlow } from '@croft/flow';
import { act } from 'react';
import { expect, it, vi } from 'vitest';
import { announcedQuery, flowQuery, type FullFlow } from '../api/flows.ts';
import { meQuery } from '../api/me.ts';
import { memoryStorage } from '../assistant/fake-assistant-server.ts';
import { refusal, useFakeApi } from '../testing/fake-api.ts';
import { fire, usePage } from '../testing/page.ts';
import { inClient, isInvalid, testClient } from '../testing/queries.ts';
import { addNode } from './testing-nodes.ts';
import { useFlowEdits } from './use-flow-edits.ts';

const server = useFakeApi();
const page = usePage();
const DOCUMENT = applyEdits(emptyFlow('f'), [addNode('a')]).flow;
const flow = { id: 'f', version: 1, document: DOCUMENT } as unknown as FullFlow;

async function open() {
  const storage = memoryStorage();
  vi.stubGlobal('sessionStorage', storage);
  const client = testClient();
  client.setQueryData(meQuery.queryKey, { user: { id: 'u1' } } as never);
  client.setQueryData(flowQuery('f').queryKey, flow);
  const hook = await page.hook(() => useFlowEdits(flow), inClient(client));
  const asksBeforeLeaving = async () => (await fire(window, 'beforeunload')).defaultPrevented;
  const online = () => fire(window, 'online');
  return { hook, client, storage, asksBeforeLeaving, online };
}

it('saves an edit, warns before the tab is closed meanwhile, and hands the saved flow on', async () => {
  const { hook, client, asksBeforeLeaving, online } = await open();
  expect(await asksBeforeLeaving()).toBe(false);
  server.answer('POST /api/v1/flows/f/edits', { version: 2, edits: [addNode('b')], between: [] });
  await act(async () => expect(hook.current.apply([addNode('b')])).toBe(true));
  expect([hook.current.save.kind, await asksBeforeLeaving()]).toEqual(['saving', true]);
  await online();
  await vi.waitFor(() => expect(hook.current.save.kind).toBe('saved'));
  expect(await asksBeforeLeaving()).toBe(false);
  expect(client.getQueryData(flowQuery('f').queryKey)).toMatchObject({
    version: 2,
    document: { nodes: [{ id: 'a' }, { id: 'b' }] },
  });
});

it('saves by Ctrl and S, also in a field, in place of the browser', async () => {
  const { hook } = await open();
  server.answer('POST /api/v1/flows/f/edits', { version: 2, edits: [addNode('b')], between: [] });
  await act(async () => void hook.current.apply([addNode('b')]));
  const press = (key: string) => fire(document.body, 'keydown', { key, ctrlKey: true, metaKey: false });
  expect((await press('a')).defaultPrevented).toBe(false);
  expect([(await press('s')).defaultPrevented, server.requests.length]).toEqual([true, 1]);
  await vi.waitFor(() => expect(hook.current.save.kind).toBe('saved'));
});

it('does not apply an edit that does not fit', async () => {
  const { hook } = await open();
  await act(async () => expect(hook.current.apply([{ kind: 'remove_component', id: 'zz' }])).toBe(false));
  expect(hook.current.document).toBe(DOCUMENT);
});

it('asks who is signed in where the server refuses the edits', async () => {
  const { hook, client, online } = await open();
  server.answer('POST /api/v1/flows/f/edits', refusal(401, 'signed_out'));
  await act(async () => void hook.current.apply([addNode('b')]));
  await online();
  await vi.waitFor(() => expect(hook.current.save.kind).toBe('refused'));
  expect(isInvalid(client, meQuery.queryKey)).toBe(true);
});

it('sends nothing while another user is signed in, and keeps the edits for their own', async () => {
  const { hook, client, storage, online } = await open();
  client.setQueryData(meQuery.queryKey, { user: { id: 'u2' } } as never);
  await act(async () => void hook.current.apply([addNode('b')]));
  await online();
  expect(server.requests.filter((each) => each.startsWith('POST'))).toEqual([]);
  expect(Object.keys(storage)).toEqual(['croft-unsent-edits:u1:f']);
});

it('fetches the edits up to a version that the server announces', async () => {
  const { hook, client } = await open();
  server.answer('GET /api/v1/flows/f/edits', { entries: [{ version: 2, edits: [addNode('c')] }] });
  await act(async () => void client.setQueryData(announcedQuery('f').queryKey, 2));
  await vi.waitFor(() => expect(hook.current.version).toBe(2));
  expect(hook.current.document.nodes.map(({ id }) => id)).toEqual(['a', 'c']);
});
