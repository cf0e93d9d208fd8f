import { createElement } from 'react';
import { expect, it, vi } from 'vitest';
import { act } from 'react';
import { announcedQuery } from '../api/flows.ts';
import { refusal, useFakeApi } from '../testing/fake-api.ts';
import { usePage } from '../testing/page.ts';
import { inClient, testClient } from '../testing/queries.ts';
import { WithFlow } from './with-flow.tsx';

const server = useFakeApi();
const page = usePage();
const FLOW = 'GET /api/v1/flows/f1';

async function open() {
  vi.stubGlobal('location', new URL('http://croft.test/base/flows/f1/play'));
  server.answer('GET /api/v1/flow-components', { components: [] });
  const client = testClient();
  const children = ({ flow, registry }: { flow: { name: string }; registry: { entries: readonly unknown[] } }) =>
    `${flow.name} with ${registry.entries.length} components`;
  const box = await page.show(inClient(client)(createElement(WithFlow, { children })));
  return { client, box };
}
const flow = (name: string, version: number) => ({
  flow: { id: 'f1', name, version, document: { nodes: [], edges: [], notes: [], groups: [] } },
});

it('shows the flow that the address names, and a newer one that the server announces', async () => {
  server.answer(FLOW, flow('First', 1));
  const { client, box } = await open();
  await vi.waitFor(() => expect(box.textContent).toBe('First with 0 components'));
  expect(server.requests.filter((each) => each === FLOW)).toHaveLength(1);
  server.answer(FLOW, flow('Second', 2));
  await act(async () => void client.setQueryData(announcedQuery('f1').queryKey, 1));
  expect(server.requests.filter((each) => each === FLOW)).toHaveLength(1);
  await act(async () => void client.setQueryData(announcedQuery('f1').queryKey, 2));
  await vi.waitFor(() => expect(box.textContent).toBe('Second with 0 components'));
});

it('says why a flow cannot be shown', async () => {
  server.answer(FLOW, refusal(404, 'gone', 'There is no such flow.'));
  const { box } = await open();
  await vi.waitFor(() => expect(box.textContent).toContain('There is no such flow.'));
});
