import { act, createElement } from 'react';
import { expect, it, vi } from 'vitest';
import { navigate } from '../routing/location.ts';
import { refusal, useFakeApi } from '../testing/fake-api.ts';
import { usePage } from '../testing/page.ts';
import { inClient, testClient } from '../testing/queries.ts';
import { FlowPage } from './flow-page.tsx';

const server = useFakeApi();
const page = usePage();

it('says why the flow of the address cannot be shown', async () => {
  await act(async () => navigate('/flows/f1'));
  server.answer('GET /api/v1/flow-components', { components: [] });
  server.answer('GET /api/v1/flows/f1', refusal(404, 'not_found', 'There is no such flow.'));
  const box = await page.show(inClient(testClient())(createElement(FlowPage)));
  await vi.waitFor(() => expect(box.textContent).toContain('There is no such flow.'));
  expect(box.querySelector('h1')?.textContent).toBe('This flow cannot be shown');
  expect(server.requests.toSorted()).toEqual(['GET /api/v1/flow-components', 'GET /api/v1/flows/f1']);
});
