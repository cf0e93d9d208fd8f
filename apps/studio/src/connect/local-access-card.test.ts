import { createElement } from 'react';
import { expect, it, vi } from 'vitest';
import { gatewayQuery } from '../api/gateway.ts';
import { localAccessQuery } from '../api/local-access.ts';
import type { Me } from '../api/me.ts';
import { settle, useFakeApi } from '../testing/fake-api.ts';
import { fire, named, usePage } from '../testing/page.ts';
import { inClient, testClient } from '../testing/queries.ts';
import { LocalAccessCard } from './local-access-card.tsx';

const server = useFakeApi();
const page = usePage();
const me = { autoLogin: true } as Me & { user: NonNullable<Me['user']> };
const ACCESS = 'GET /api/v1/local-access';
const STATUS = 'GET /instance-ai/gateway/status';
const on = { state: 'on', directory: '/home/ada/garden', canChange: true };
const enabled = { data: { connected: false, enabled: true } };

/** Shows the card of a directory that agents may read, while a response to a route is late. */
async function showWithLate(route: string, queryKey: readonly unknown[]) {
  server.answer(ACCESS, on);
  server.answer(STATUS, enabled);
  const client = testClient();
  const box = await page.show(inClient(client)(createElement(LocalAccessCard, { me })));
  await vi.waitFor(() => expect(box.textContent).toContain('Agents may read'));
  let arrive = () => {};
  const late = new Promise<unknown>((resolve) => {
    arrive = () => resolve(route === ACCESS ? on : enabled);
  });
  server.answer(route, () => late);
  const looking = client.refetchQueries({ queryKey });
  await vi.waitFor(() => expect(server.requests.filter((each) => each === route)).toHaveLength(2));
  return {
    box,
    async arrive() {
      arrive();
      await looking;
      await settle();
    },
  };
}

it('stays without a directory where an older response arrives after it was removed', async () => {
  const { box, arrive } = await showWithLate(ACCESS, localAccessQuery(me).queryKey);
  server.answer('PUT /api/v1/local-access', { state: 'setup', directory: null, canChange: true });
  await fire(named(box, 'Remove'), 'click');
  await vi.waitFor(() => expect(box.textContent).toContain('Pick a directory'));
  await arrive();
  expect(box.textContent).toContain('Pick a directory');
});

it('stays off where an older response arrives before the server has answered the switch', async () => {
  const { box, arrive } = await showWithLate(STATUS, gatewayQuery.queryKey);
  server.answer('POST /instance-ai/filesystem/toggle', () => new Promise(() => undefined));
  await fire(box.querySelector('[role="switch"]') as Element, 'click');
  await vi.waitFor(() => expect(box.textContent).toContain('Paused'));
  await arrive();
  expect(box.textContent).toContain('Paused');
});
