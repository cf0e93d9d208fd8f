import { createElement, type ReactNode } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import { type GatewayStatus, gatewayQuery } from '../api/gateway.ts';
import { ServerLink } from '../shell/server-link.ts';
import { refusal, useFakeApi } from '../testing/fake-api.ts';
import { fire, usePage } from '../testing/page.ts';
import { inClient, isInvalid, testClient } from '../testing/queries.ts';
import { dismissToasts, Toaster } from '../ui/toast.tsx';
import { AgentSwitch } from './agent-switch.tsx';

const server = useFakeApi();
const page = usePage();
beforeEach(dismissToasts);
const ROUTE = 'POST /instance-ai/filesystem/toggle';

async function show(away = false) {
  const client = testClient();
  client.setQueryData(gatewayQuery.queryKey, { connected: true, enabled: true } as GatewayStatus);
  const link = (node: ReactNode) =>
    createElement(ServerLink, { value: { live: true, away, tryNow: () => undefined } }, node);
  const props = { label: 'Let agents', about: 'All of them.', enabled: true };
  const box = await page.show(inClient(client)(link(createElement(AgentSwitch, props))));
  const control = box.querySelector('[role=switch]') as Element;
  const enabled = () => client.getQueryData<GatewayStatus>(gatewayQuery.queryKey)?.enabled;
  return { client, box, control, enabled };
}

it('is named and described', async () => {
  const { control } = await show();
  const textOf = (name: string) => document.getElementById(control.getAttribute(name) ?? '')?.textContent;
  expect([textOf('aria-labelledby'), textOf('aria-describedby'), control.getAttribute('aria-checked')]).toEqual([
    'Let agents',
    'All of them.',
    'true',
  ]);
  expect([control.hasAttribute('disabled'), (await show(true)).control.hasAttribute('disabled')]).toEqual([
    false,
    true,
  ]);
});

it('changes at once, and reads the state again', async () => {
  const { client, control, enabled } = await show();
  let finish: (value: unknown) => void = () => undefined;
  server.answer(ROUTE, () => new Promise((resolve) => (finish = resolve)));
  await fire(control, 'click');
  await vi.waitFor(() => expect(server.requests).toEqual([`${ROUTE} {"enabled":false}`]));
  expect([enabled(), isInvalid(client, gatewayQuery.queryKey)]).toEqual([false, false]);
  finish({});
  await vi.waitFor(() => expect(isInvalid(client, gatewayQuery.queryKey)).toBe(true));
  expect(enabled()).toBe(false);
});

it('changes back and says why where the server refuses', async () => {
  const { control, enabled } = await show();
  server.answer(ROUTE, refusal(403, 'forbidden', 'Not allowed.'));
  await fire(control, 'click');
  const toasts = await page.show(createElement(Toaster));
  await vi.waitFor(() => expect(toasts.textContent).toContain('Not allowed.'));
  expect(enabled()).toBe(true);
});
