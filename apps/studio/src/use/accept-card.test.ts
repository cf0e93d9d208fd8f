import { createElement } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import { refusal, useFakeApi } from '../testing/fake-api.ts';
import { outline } from '../testing/outline.ts';
import { fire, named, usePage } from '../testing/page.ts';
import { inClient, isInvalid, testClient } from '../testing/queries.ts';
import { dismissToasts, Toaster } from '../ui/toast.tsx';
import { AcceptCard } from './accept-card.tsx';
import { acceptanceQuery } from './use-acceptance.ts';

const server = useFakeApi();
const page = usePage();
beforeEach(dismissToasts);

async function show(acceptance: { version: number; accepted: number | null; changedBy: string | null } | undefined) {
  const client = testClient();
  client.setQueryData(acceptanceQuery('f').queryKey, {} as never);
  const box = await page.show(
    inClient(client)(createElement(AcceptCard, { flowId: 'f', acceptance: acceptance as never })),
  );
  return { client, box };
}

it('is absent once the version is accepted, and while it is not known', async () => {
  expect((await show(undefined)).box.textContent).toBe('');
  expect((await show({ version: 3, accepted: 3, changedBy: 'Ada' })).box.textContent).toBe('');
});

it('accepts the version that it names, and no other', async () => {
  server.answer('PUT /api/v1/flows/f/acceptance', { version: 3 });
  const { client, box } = await show({ version: 3, accepted: 2, changedBy: 'Ada' });
  await expect
    .poll(() => outline(box))
    .toEqual([
      'section[aria-label=Accept this version]',
      'h2 changed this flow',
      'bdi Ada',
      'p Your other flows, schedules, webhooks, public links and programs with an API key run it with your files and variables, and only at a version that you accepted. Turning on a schedule, webhook or link here accepts this version, too.',
      'button[type=button]',
      'span Accept version 3',
      'a[href=/base/flows/f/versions] See the changes',
      'a[href=/base/flows/f] Check it on the canvas',
    ]);
  expect(box.textContent).toContain('Ada changed this flow');
  await fire(named(box, 'Accept version 3'), 'click');
  const toasts = await page.show(createElement(Toaster));
  await vi.waitFor(() => expect(toasts.textContent).toBe('You accepted version 3'));
  expect(server.requests).toEqual(['PUT /api/v1/flows/f/acceptance {"version":3}']);
  expect(isInvalid(client, acceptanceQuery('f').queryKey)).toBe(true);
});

it('says what failed, and reads the acceptance again', async () => {
  server.answer('PUT /api/v1/flows/f/acceptance', refusal(409, 'changed', 'It changed again.'));
  const { client, box } = await show({ version: 3, accepted: null, changedBy: null });
  expect(box.textContent).toContain('Another user works on this flow');
  await fire(named(box, 'Accept version 3'), 'click');
  const toasts = await page.show(createElement(Toaster));
  await vi.waitFor(() => expect(toasts.textContent).toBe('It changed again.'));
  await vi.waitFor(() => expect(isInvalid(client, acceptanceQuery('f').queryKey)).toBe(true));
});
