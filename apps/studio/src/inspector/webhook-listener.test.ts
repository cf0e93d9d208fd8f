import { createElement } from 'react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { nodeOf } from '../canvas/testing-nodes.ts';
import { refusal, useFakeApi } from '../testing/fake-api.ts';
import { outline } from '../testing/outline.ts';
import { choose, fire, named, usePage } from '../testing/page.ts';
import { inClient, testClient } from '../testing/queries.ts';
import { dismissToasts, Toaster } from '../ui/toast.tsx';
import { fixedOutputs, WebhookListener } from './webhook-listener.tsx';

const server = useFakeApi();
const page = usePage();
beforeEach(dismissToasts);

const LIST = 'GET /api/v1/webhooks?flow=f1';
const hook = (id: string, isOn = true) => ({ id, name: `Hook ${id}`, isOn, path: `/hooks/${id}` });
const request = { data: { a: 1 }, query: { q: '1' }, headers: { h: 'x' }, receivedAt: '2026-01-01T00:00:00Z' };

async function show(...webhooks: ReturnType<typeof hook>[]) {
  server.answer(LIST, { webhooks });
  const apply = vi.fn();
  const props = { flowId: 'f1', version: 4, node: nodeOf('A'), apply };
  const box = await page.show(
    inClient(testClient())(createElement(WebhookListener, props as unknown as Parameters<typeof WebhookListener>[0])),
  );
  await vi.waitFor(() => expect(box.querySelector('h3')).not.toBeNull());
  return { box, apply, status: () => box.querySelector('[role=status]')?.textContent };
}
const listener = (id: string, answer: unknown) => {
  server.answer(`POST /api/v1/webhooks/${id}/listener`, {});
  server.answer(`DELETE /api/v1/webhooks/${id}/listener`, {});
  server.answer(`GET /api/v1/webhooks/${id}/listener`, answer);
};

describe('a flow without a webhook', () => {
  it('gets one, whose secret is shown', async () => {
    const { box } = await show();
    await expect
      .poll(() => outline(box))
      .toEqual([
        'section[aria-labelledby=#1]',
        'h3#1 Try it with a request',
        'p This flow has no webhook yet: an address to which other systems send.',
        'button[type=button]',
        'span New webhook',
        'icon plus 15',
      ]);
    expect(box.textContent).toContain('This flow has no webhook yet');
    server.answer('POST /api/v1/flows/f1/webhooks', { webhook: hook('w1'), secret: 's3cret' });
    server.answer(LIST, { webhooks: [hook('w1')] });
    await fire(named(box, 'New webhook'), 'click');
    await vi.waitFor(() => expect(box.textContent).toContain('Wait for a request'));
    expect(server.requests).toContain('POST /api/v1/flows/f1/webhooks {"version":4}');
    expect(document.body.textContent).toContain('s3cret');
    expect(document.body.textContent).toContain('curl http://croft.test/base/hooks/w1 -H');
  });

  it('says why none was added', async () => {
    const { box } = await show();
    server.answer('POST /api/v1/flows/f1/webhooks', refusal(409, 'limit', 'Too many.'));
    await fire(named(box, 'New webhook'), 'click');
    const toasts = await page.show(createElement(Toaster));
    await vi.waitFor(() => expect(toasts.textContent).toContain('The webhook was not added. Too many.'));
  });
});

describe('a webhook', () => {
  it('shows its address, that of the first one that is on', async () => {
    const { box } = await show(hook('w1', false), hook('w2'));
    await expect
      .poll(() => outline(box))
      .toEqual([
        'section[aria-labelledby=#1]',
        'h3#1 Try it with a request',
        'code http://croft.test/base/hooks/w2',
        'button[aria-live=polite][type=button]',
        'span Copy',
        'icon copy 16',
        'div[role=status]',
        'button[type=button]',
        'span Wait for a request',
        'icon ear 15',
        'p Replace its secret or turn it off under .',
        'a[href=/base/flows/f1/use] Use it',
      ]);
    expect([box.querySelector('code')?.textContent, box.querySelector('select')]).toEqual([
      'http://croft.test/base/hooks/w2',
      null,
    ]);
    expect(box.querySelector('a')?.getAttribute('href')).toMatch(/flows\/f1\/use$/);
  });

  it('is chosen among several', async () => {
    const { box } = await show(hook('w1-12345'), hook('w2'), hook('w3', false));
    const select = named(box, 'Webhook');
    expect([...select.querySelectorAll('option')].map((each) => each.textContent)).toEqual([
      'Hook w1-12345 · w1-123',
      'Hook w2 · w2',
    ]);
    await choose(select, 'w2');
    expect(box.querySelector('code')?.textContent).toBe('http://croft.test/base/hooks/w2');
  });

  it('waits for a request, and fixes it', async () => {
    let send: (answer: unknown) => void = () => {};
    listener('w1', () => new Promise((resolve) => (send = resolve)));
    const { box, apply, status } = await show(hook('w1'), hook('w2'));
    expect(status()).toBe('');
    await fire(named(box, 'Wait for a request'), 'click');
    expect(status()).toBe(' Waiting. The next request to this address starts no run.');
    expect((named(box, 'Webhook') as HTMLSelectElement).disabled).toBe(true);
    await vi.waitFor(() => expect(server.requests.at(-1)).toMatch(/^GET .*listener/));
    send({ status: 'captured', request });
    await vi.waitFor(() => expect(status()).toMatch(/^Received .*Runs that you start here use this request\.$/));
    expect(apply.mock.calls).toEqual([[fixedOutputs('A', request as never)]]);
  });

  it('stops waiting', async () => {
    listener('w1', () => new Promise(() => undefined));
    const { box, status } = await show(hook('w1'));
    await fire(named(box, 'Wait for a request'), 'click');
    await fire(named(box, 'Stop waiting'), 'click');
    expect(status()).toBe('');
    expect(named(box, 'Wait for a request')).not.toBeNull();
  });

  it.each([
    ['No request came in five minutes.', { status: 'expired', request: null }],
    ['It broke.', refusal(500, 'broken', 'It broke.')],
  ])('says: %s', async (text, answer) => {
    listener('w1', answer);
    const { box, status } = await show(hook('w1'));
    await fire(named(box, 'Wait for a request'), 'click');
    await vi.waitFor(() => expect(status()).toBe(text));
  });
});

it.each([
  [{ a: 1 }, { a: 1 }],
  ['{"a": 1}', { a: 1 }],
  ['[1]', { payload: [1] }],
  ['plain', { payload: 'plain' }],
  [[1], { payload: [1] }],
  [null, { payload: null }],
])('a request with the body %j is fixed', (data, body) => {
  expect(fixedOutputs('A', { ...request, data } as never)).toEqual([
    { kind: 'pin_output', id: 'A', output: 'output_data', value: body },
    { kind: 'pin_output', id: 'A', output: 'query', value: { q: '1' } },
    { kind: 'pin_output', id: 'A', output: 'headers', value: { h: 'x' } },
  ]);
});
