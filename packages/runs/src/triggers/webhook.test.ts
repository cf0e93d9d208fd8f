import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { acceptWebhook, newWebhookSecret, type Webhook } from './webhook.ts';

const secret = newWebhookSecret();
const webhook: Webhook = { id: 'w1', userId: 'ada', flowId: 'f1', node: 'Webhook-a', field: 'payload', secret };
const now = new Date('2026-01-01T12:00:00Z');
const body = Buffer.from('{"n":1}');
const seconds = String(now.getTime() / 1_000);
const sign = (id: string, time: string, text = '{"n":1}') =>
  `v1,${createHmac('sha256', Buffer.from(secret.slice(6), 'base64'))
    .update(`${id}.${time}.${text}`)
    .digest('base64')}`;
const accept = (headers: Record<string, string>) =>
  acceptWebhook(webhook, { headers: { 'content-type': 'application/json', ...headers }, body }, now);

describe('a webhook', () => {
  it('accepts its secret, and signatures of the body, and gives the payload to its node', () => {
    const run = { userId: 'ada', flowId: 'f1', source: 'webhook', inputs: { 'Webhook-a': { payload: { n: 1 } } } };
    expect(accept({ authorization: `Bearer ${secret}` })).toEqual(run);
    expect(accept({ 'x-croft-secret': secret })).toEqual(run);
    expect(
      accept({ 'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}` }),
    ).toEqual(run);
    const signed = {
      'webhook-id': 'm1',
      'webhook-timestamp': seconds,
      'webhook-signature': `v1,other ${sign('m1', seconds)}`,
    };
    expect(accept(signed)).toEqual({ ...run, triggerKey: 'webhook:w1:m1' });
  });

  it('gives one key to each delivery', () => {
    const key = (id: string) => accept({ 'x-croft-secret': secret, 'x-github-delivery': id })?.triggerKey;
    expect(key('a')).toBe('webhook:w1:a');
    expect(key('x'.repeat(10_000))?.length).toBeLessThan(100);
  });

  it('refuses a request without the secret, with another one, and a signature that is old or for something else', () => {
    const old = String(now.getTime() / 1_000 - 600);
    const refused: Record<string, string>[] = [
      {},
      { authorization: 'Bearer' },
      { authorization: `Bearer ${secret}x` },
      { 'x-croft-secret': '' },
      { 'x-hub-signature-256': 'sha256=' },
      { 'webhook-id': 'm1', 'webhook-timestamp': old, 'webhook-signature': sign('m1', old) },
      { 'webhook-id': 'm2', 'webhook-timestamp': seconds, 'webhook-signature': sign('m1', seconds) },
      { 'webhook-id': 'm1', 'webhook-timestamp': seconds, 'webhook-signature': sign('m1', seconds, '{"n":2}') },
      { 'webhook-id': 'm1', 'webhook-timestamp': 'soon', 'webhook-signature': sign('m1', 'soon') },
    ];
    for (const headers of refused) expect([headers, accept(headers)]).toEqual([headers, undefined]);
  });

  it('takes a body that is not JSON as text', () => {
    const request = { headers: { 'x-croft-secret': secret, 'content-type': 'text/plain' }, body: Buffer.from('hi') };
    expect(acceptWebhook(webhook, request, now)?.inputs).toEqual({ 'Webhook-a': { payload: 'hi' } });
  });
});
