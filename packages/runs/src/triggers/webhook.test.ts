import { createHmac, randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { acceptWebhook, newWebhookSecret } from './webhook.ts';

const secret = newWebhookSecret();
const now = new Date('2026-01-01T12:00:00Z');
const body = Buffer.from('{"n":1}');
const seconds = String(now.getTime() / 1_000);
const sign = (id: string, time: string, text = '{"n":1}') =>
  `v1,${createHmac('sha256', Buffer.from(secret.slice(6), 'base64'))
    .update(`${id}.${time}.${text}`)
    .digest('base64')}`;
const json = { 'content-type': 'application/json' };
const accept = (headers: Record<string, string>, text: string | Buffer = body) =>
  acceptWebhook(secret, { headers: { ...json, ...headers }, query: {}, body: Buffer.from(text) }, now);

describe('a webhook', () => {
  it('accepts its secret, and signatures of the body', () => {
    const delivery = { payload: { n: 1 }, headers: json, query: {} };
    expect(accept({ authorization: `Bearer ${secret}` })).toEqual(delivery);
    expect(accept({ 'x-croft-token': secret })).toEqual(delivery);
    expect(
      accept({ 'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}` }),
    ).toEqual(delivery);
    const signed = {
      'webhook-id': 'm1',
      'webhook-timestamp': seconds,
      'webhook-signature': `v1,other ${sign('m1', seconds)}`,
    };
    expect(accept(signed)).toMatchObject({ payload: { n: 1 }, id: 'm1' });
  });

  it('gives one id to each delivery', () => {
    const id = (given: string) => accept({ 'x-croft-token': secret, 'x-github-delivery': given })?.id;
    expect(id('a')).toBe('a');
    expect(id('x'.repeat(10_000))?.length).toBeLessThan(100);
    expect(id('x'.repeat(10_000))).not.toBe(id('x'.repeat(10_001)));
  });

  it('passes on no header that may hold a secret or that a proxy added', () => {
    const secrets = ['cookie', 'x-api-key', 'x-gitlab-token', 'x-custom-auth', 'proxy-authorization'];
    const proxies = ['x-forwarded-for', 'via', 'cf-connecting-ip', 'connection'];
    const sent = Object.fromEntries([...secrets, ...proxies].map((name) => [name, 'canary']));
    const found = accept({ ...sent, 'x-croft-token': secret, 'x-other': `has ${secret}`, 'x-github-event': 'push' });
    expect(found?.headers).toEqual({ ...json, 'x-github-event': 'push' });
  });

  it('passes on the headers that describe a delivery, of GitHub, GitLab, Slack, Shopify and CloudEvents', () => {
    const described = {
      'x-github-event': 'push',
      'x-github-delivery': 'd1',
      'x-github-hook-installation-target-type': 'repository',
      'x-gitlab-event': 'Push Hook',
      'x-gitlab-webhook-uuid': 'u1',
      'x-slack-request-timestamp': seconds,
      'x-slack-retry-num': '1',
      'x-shopify-topic': 'orders/create',
      'x-shopify-shop-domain': 'shop.example',
      'ce-type': 'order',
      'x-event-key': 'repo:push',
      'user-agent': 'GitHub-Hookshot/1',
    };
    expect(accept({ 'x-croft-token': secret, ...described })?.headers).toEqual({ ...json, ...described });
  });

  it('passes on no header that it does not know, because its name may hide a key', () => {
    const keys = [
      'x-webhook-key',
      'x-jwt',
      'x-goog-iap-jwt-assertion',
      'x-pass',
      'x-csrf',
      'x-access',
      'stripe-signature',
    ];
    const described = ['x-pass-id', 'x-jwt-type', 'x-session-id', 'ce-token', 'x-forwarded-host'];
    const sent = Object.fromEntries([...keys, ...described].map((name) => [name, 'canary']));
    expect(accept({ ...sent, 'x-croft-token': secret })?.headers).toEqual(json);
  });

  it('removes its own secret from the query, also where it is not encoded', () => {
    const plus = `whsec_${Buffer.from([0xfb, 0xef, 0xbe, ...randomBytes(29)]).toString('base64')}`;
    const query = {
      shop: '7',
      token: plus,
      raw: plus.replaceAll('+', ' '),
      tag: ['a', `x${plus.slice(6)}`],
      [plus]: '',
    };
    const sent = { headers: { 'x-croft-token': plus }, query, body };
    expect(acceptWebhook(plus, sent, now)?.query).toEqual({ shop: '7', tag: ['a'] });
  });

  it('refuses a request without the secret, with another one, and a signature that is old or for something else', () => {
    const old = String(now.getTime() / 1_000 - 600);
    const refused: Record<string, string>[] = [
      {},
      { authorization: 'Bearer' },
      { authorization: `Bearer ${secret}x` },
      { 'x-croft-token': '' },
      { 'x-croft-token': secret.toLowerCase() },
      { 'x-hub-signature-256': 'sha256=' },
      { 'webhook-id': 'm1', 'webhook-timestamp': old, 'webhook-signature': sign('m1', old) },
      { 'webhook-id': 'm2', 'webhook-timestamp': seconds, 'webhook-signature': sign('m1', seconds) },
      { 'webhook-id': 'm1', 'webhook-timestamp': seconds, 'webhook-signature': sign('m1', seconds, '{"n":2}') },
      { 'webhook-id': 'm1', 'webhook-timestamp': 'soon', 'webhook-signature': sign('m1', 'soon') },
    ];
    for (const headers of refused) expect([headers, accept(headers)]).toEqual([headers, undefined]);
  });

  it('takes a form as its fields, and other bodies that are not JSON as text, also JSON that is too deep', () => {
    const payload = (type: string, text: string) =>
      accept({ 'x-croft-token': secret, 'content-type': type }, text)?.payload;
    expect(payload('text/plain', 'hi')).toBe('hi');
    expect(payload('application/json', '{"n":')).toBe('{"n":');
    expect(payload('application/cloudevents+json', '[1]')).toEqual([1]);
    const form = { a: '1 2', b: ['x', 'y'] };
    expect(payload('application/x-www-form-urlencoded; charset=utf-8', 'a=1+2&b=x&b=y')).toEqual(form);
    const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
    expect(payload('application/json', nested(90))).toBeInstanceOf(Array);
    expect(payload('application/json', nested(100_000))).toBe(nested(100_000));
  });
});
