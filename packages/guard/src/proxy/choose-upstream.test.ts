import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { Wire } from '../wire/wire.ts';
import { chooseByModel, modelOf, targetAt, upstreamsFor } from './choose-upstream.ts';
import { HeldBudget } from './held-budget.ts';
import type { Upstream } from './upstream.ts';

const at = (prefix: string, url = 'https://a.example', model?: RegExp): Upstream => ({
  prefix,
  url: new URL(url),
  model,
});

describe('the upstreams of a request', () => {
  it('are those with the longest prefix, which ends at a part of the path', () => {
    const [all, short, long] = [at(''), at('/or'), at('/or/eu')];
    const prefixes = (url: string) => upstreamsFor(url, [all, short, long]).map(({ prefix }) => prefix);
    expect(prefixes('/v1/messages')).toEqual(['']);
    expect(prefixes('/or/v1')).toEqual(['/or']);
    expect(prefixes('/or')).toEqual(['/or']);
    expect(prefixes('/or?x=1')).toEqual(['/or']);
    expect(prefixes('/or/eu/v1')).toEqual(['/or/eu']);
    expect(prefixes('/origin/v1')).toEqual(['']);
    expect(upstreamsFor('/elsewhere', [short, long])).toEqual([]);
  });

  it('are chosen by model, the one for any model last', () => {
    const [claude, any, gpt] = [at('', 'https://a.example', /^claude/), at(''), at('', 'https://b.example', /^gpt/)];
    expect(chooseByModel([claude, any, gpt], 'gpt-5')).toBe(gpt);
    expect(chooseByModel([claude, any, gpt], 'claude-4')).toBe(claude);
    expect(chooseByModel([claude, any, gpt], 'other')).toBe(any);
    expect(chooseByModel([claude, any, gpt], undefined)).toBe(any);
    expect(chooseByModel([claude, gpt], 'other')).toBeUndefined();
    expect(chooseByModel([claude, gpt], undefined)).toBeUndefined();
  });
});

it.each([
  ['', 'https://api.example', '/v1/messages', '/v1/messages'],
  ['/or', 'https://api.example/api', '/or/v1/chat', '/api/v1/chat'],
  ['', 'https://api.example/v1', '/v1/messages', '/v1/messages'],
  ['', 'https://api.example/v1/', '/v1/messages', '/v1/messages'],
  ['', 'https://api.example/v1beta', '/v1beta/models/x', '/v1beta/models/x'],
  ['', 'https://api.example/v1', '/v1beta/models/x', '/v1/v1beta/models/x'],
  ['/or', 'https://api.example', '/or', '/'],
  ['/or', 'https://api.example', '/or?x=1', '/?x=1'],
])('sends a request below %j for %s from %s to %s', (prefix, url, from, to) => {
  expect(targetAt(at(prefix, url), from).path).toBe(to);
});

describe('the model of a request', () => {
  const wire = {
    model: (body: Buffer | undefined, url: string) =>
      /model=(\w+)/.exec(url)?.[1] ?? (body && (JSON.parse(body.toString()) as { model: string }).model),
  } as unknown as Wire;
  const request = (body: string, length: number | undefined = body.length) =>
    Object.assign(Readable.from([Buffer.from(body.slice(0, 3)), Buffer.from(body.slice(3))], { objectMode: false }), {
      headers: length === undefined ? {} : { 'content-length': `${length}` },
    }) as unknown as IncomingMessage;
  const BODY = '{"model":"gpt-5"}';

  it('is read from the body, which can still be sent on completely', async () => {
    const req = request(BODY);
    const budget = new HeldBudget(100);
    expect(await modelOf(req, wire, '/v1', BODY.length, budget)).toBe('gpt-5');
    expect(budget.used).toBe(0);
    const rest: Buffer[] = [];
    for await (const chunk of req) rest.push(chunk as Buffer);
    expect(Buffer.concat(rest).toString()).toBe(BODY);
  });

  it('is not looked for in a body that is too large, of unknown length, or without room to keep it', async () => {
    expect(await modelOf(request(BODY), wire, '/v1', BODY.length - 1, new HeldBudget(100))).toBeUndefined();
    const chunked = Object.assign(request(BODY), { headers: {} });
    expect(await modelOf(chunked, wire, '/v1', 1_000, new HeldBudget(100))).toBeUndefined();
    expect(await modelOf(request(BODY), wire, '/v1', 1_000, new HeldBudget(BODY.length - 1))).toBeUndefined();
    expect(await modelOf(request(BODY), wire, '/v1?model=url', 0, new HeldBudget(0))).toBe('url');
  });

  it('is not known when the client disconnects first', async () => {
    const req = request('{"mo', 1_000);
    const budget = new HeldBudget(1_000);
    await expect(modelOf(req, wire, '/v1', 1_000, budget)).rejects.toThrow('the client is gone');
    expect(budget.used).toBe(0);
  });
});
