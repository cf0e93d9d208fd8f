import { createRegistry, emptyFlow } from '@croft/flow';
import { expect, it, vi } from 'vitest';
import { nodeOf } from '../canvas/testing-nodes.ts';
import { useFakeApi } from '../testing/fake-api.ts';
import { usePage } from '../testing/page.ts';
import { inClient, testClient } from '../testing/queries.ts';
import { useFindings } from './use-findings.ts';

const server = useFakeApi();
const page = usePage();

it('shows the problems of the flow as it is edited', async () => {
  server.answer('GET /api/v1/flows/f/check', { findings: [] });
  const shown = { flow: emptyFlow('f') };
  const registry = createRegistry([]);
  const hook = await page.hook(() => useFindings('f', 3, shown.flow, registry), inClient(testClient()));
  expect(hook.current).toEqual([]);
  shown.flow = { ...shown.flow, nodes: [nodeOf('a', 'Unheard')] };
  hook.again();
  await vi.waitFor(() => expect(hook.current).toMatchObject([{ node: 'a' }]));
});
