import { createElement } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import { refusal, useFakeApi } from '../testing/fake-api.ts';
import { outline } from '../testing/outline.ts';
import { fire, named, usePage } from '../testing/page.ts';
import { inClient, isInvalid, testClient } from '../testing/queries.ts';
import { dismissToasts, Toaster } from '../ui/toast.tsx';
import { acceptanceQuery } from './use-acceptance.ts';
import { WebhookCard } from './webhook-card.tsx';

const server = useFakeApi();
const page = usePage();
beforeEach(dismissToasts);
const ROUTE = 'GET /api/v1/webhooks?flow=f1';
const ADD = 'POST /api/v1/flows/f1/webhooks';
const HOOK = { id: 'w1', name: 'Hook 1', path: '/hooks/w1', isOn: true, lastAt: null, lastRun: null, failure: null };
const TITLE = ['section[aria-label=Webhooks]', 'h2 Webhooks', 'p Another system starts a run with a request.'];

async function show(answer: unknown, hasEntry = true) {
  server.answer(ROUTE, answer);
  const client = testClient();
  client.setQueryData(acceptanceQuery('f1').queryKey, {} as never);
  const element = createElement(WebhookCard, { flowId: 'f1', version: 7, hasEntry });
  const box = await page.show(inClient(client)(element));
  await vi.waitFor(() => expect(box.textContent).not.toContain('Loading'));
  const pick = async (action: string) => {
    await fire(named(box, 'Actions for Hook 1'), 'keydown', { key: 'Enter' });
    await fire(named(document.body, action, '[role=menuitem]'), 'click');
    return box.querySelector('dialog') as HTMLDialogElement;
  };
  const sent = () => server.requests.filter((request) => request !== ROUTE);
  return { box, client, pick, sent };
}
const NO_ENTRY = 'This flow has no component Webhook, so requests start no run. Add one on the canvas.';

it('makes a webhook, and shows its secret once', async () => {
  const { box, client, sent } = await show({ webhooks: [] });
  await expect
    .poll(() => outline(box))
    .toEqual([
      ...TITLE,
      'span[aria-hidden=true]',
      'icon webhook 22',
      'p No webhooks',
      'button[type=button]',
      'span New webhook',
      'icon plus 16',
    ]);
  expect(box.textContent).toBe('WebhooksAnother system starts a run with a request.No webhooks New webhook');
  expect(box.querySelector('section')?.getAttribute('aria-label')).toBe('Webhooks');
  server.answer(ADD, { webhook: { path: '/hooks/w9' }, secret: 's3' });
  await fire(named(box, 'New webhook'), 'click');
  await vi.waitFor(() => expect(box.textContent).toContain('Copy the secret now'));
  expect(sent()).toEqual([`${ADD} {"version":7}`]);
  expect(box.textContent).toContain('curl http://croft.test/base/hooks/w9 -H');
  await vi.waitFor(() => expect(isInvalid(client, acceptanceQuery('f1').queryKey)).toBe(true));
  await fire(named(box, 'Done'), 'click');
  expect(box.querySelector('dialog')).toBeNull();
});

it('lists webhooks with their addresses, and turns one off', async () => {
  const { box, sent } = await show({ webhooks: [HOOK] });
  await expect
    .poll(() => outline(box))
    .toEqual([
      ...TITLE,
      'button[type=button]',
      'span New webhook',
      'icon plus 16',
      'button[aria-label=Hook 1 is on][data-state=checked][aria-checked=true][role=switch][type=button]',
      'span[data-state=checked]',
      'p Hook 1',
      'code http://croft.test/base/hooks/w1',
      'buttonradix-#1[data-state=closed][aria-expanded=false][aria-haspopup=menu][title=Actions for Hook 1][aria-label=Actions for Hook 1][type=button]',
      'icon ellipsis 17',
    ]);
  expect(box.textContent).toContain(' New webhookHook 1http://croft.test/base/hooks/w1');
  server.answer('PATCH /api/v1/webhooks/w1', {});
  await fire(named(box, 'Hook 1 is on'), 'click');
  await vi.waitFor(() => expect(sent()).toEqual(['PATCH /api/v1/webhooks/w1 {"isOn":false,"version":7}']));
  await vi.waitFor(() => expect(server.requests.filter((request) => request === ROUTE).length).toBe(2));
});

it('deletes a webhook that was confirmed', async () => {
  const { box, pick, sent } = await show({ webhooks: [HOOK] });
  let dialog = await pick('Delete');
  expect(dialog.textContent).toMatch(
    /^Delete this webhook\?.*Requests to its address get the status 404\. Its runs stay\./,
  );
  await fire(named(dialog, 'Cancel'), 'click');
  expect([sent(), box.querySelector('dialog')]).toEqual([[], null]);
  dialog = await pick('Delete');
  server.answer('DELETE /api/v1/webhooks/w1', {});
  await fire(named(dialog, 'Delete webhook'), 'click');
  await vi.waitFor(() => expect(box.querySelector('dialog')).toBeNull());
  expect(sent()).toEqual(['DELETE /api/v1/webhooks/w1']);
});

it('replaces a secret, and shows the new one', async () => {
  const { box, pick, sent } = await show({ webhooks: [HOOK] });
  const dialog = await pick('Replace the secret');
  expect(dialog.textContent).toMatch(/^Replace its secret\?.*The earlier secret stops working at once\./);
  server.answer('POST /api/v1/webhooks/w1/secret', { secret: 'new' });
  await fire(named(dialog, 'Replace secret'), 'click');
  await vi.waitFor(() => expect(box.querySelector('[aria-label="The secret"]')?.textContent).toBe('new'));
  expect([sent(), box.textContent.includes('curl http://croft.test/base/hooks/w1')]).toEqual([
    ['POST /api/v1/webhooks/w1/secret {}'],
    true,
  ]);
});

it('says what failed, and can try again', async () => {
  const { box } = await show({ webhooks: [] });
  server.answer(ADD, refusal(403, 'forbidden', 'Not allowed.'));
  await fire(named(box, 'New webhook'), 'click');
  const toasts = await page.show(createElement(Toaster));
  await vi.waitFor(() => expect(toasts.textContent).toContain('Not allowed.'));
  await vi.waitFor(() => expect(named(box, 'New webhook').getAttribute('aria-busy')).toBeNull());
});

it('says that requests start no run where no component takes them', async () => {
  const { box } = await show({ webhooks: [] }, false);
  expect([box.textContent.includes(NO_ENTRY), named(box, 'on the canvas').getAttribute('href')]).toEqual([
    true,
    '/base/flows/f1',
  ]);
  const toneOf = (each: Element) => each.querySelector('.text-sm.rounded-md')?.className.includes('text-warn');
  expect([toneOf(box), toneOf((await show({ webhooks: [HOOK] }, false)).box)]).toEqual([false, true]);
  expect((await show({ webhooks: [] })).box.textContent).not.toContain('no component Webhook');
});

it('says why they cannot be shown, and tries again', async () => {
  const { box } = await show(refusal(500, 'broken', 'It broke.'));
  await expect.poll(() => outline(box, '[role=alert]')).toEqual([...TITLE, 'div[role=alert]']);
  expect(box.textContent).toContain('The webhooks cannot be shownIt broke.');
  server.answer(ROUTE, { webhooks: [] });
  await fire(named(box, 'Try again'), 'click');
  await vi.waitFor(() => expect(box.textContent).toContain('No webhooks'));
});
