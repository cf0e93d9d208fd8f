import { expect, it, vi } from 'vitest';
import { useFakeApi } from '../testing/fake-api.ts';
import { usePage } from '../testing/page.ts';
import { inClient, testClient } from '../testing/queries.ts';
import { useAcceptance } from './use-acceptance.ts';

const server = useFakeApi();
const page = usePage();

it('reads the acceptance again when the page has a newer version of the flow, and not otherwise', async () => {
  let version = 3;
  server.answer('GET /api/v1/flows/f/acceptance', () => ({ version, accepted: 2 }));
  let shown = 3;
  const hook = await page.hook(() => useAcceptance('f', shown), inClient(testClient()));
  await vi.waitFor(() => expect(hook.current?.version).toBe(3));
  hook.again();
  expect(server.requests).toHaveLength(1);
  [shown, version] = [4, 4];
  hook.again();
  await vi.waitFor(() => expect(hook.current?.version).toBe(4));
  expect(server.requests).toHaveLength(2);
});
