import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { isKey, readConnect, refuseBody, serverAddress } from './connect-request.ts';

const ORIGIN = 'https://croft.example';
const GIVEN = { url: `${ORIGIN}/base/`, token: 'gw_1' };
const request = (body: string, headers: Record<string, string> = { 'content-type': 'application/json' }) =>
  Object.assign(Readable.from([Buffer.from(body)]), { headers }) as unknown as IncomingMessage;
const connect = (body: unknown, origin = ORIGIN) => readConnect(request(JSON.stringify(body)), origin);

describe("a page's request to connect", () => {
  it('names the server of its own origin, and a token', async () => {
    expect(await connect(GIVEN)).toEqual({ origin: ORIGIN, server: `${ORIGIN}/base`, token: 'gw_1' });
    const typed = request(JSON.stringify(GIVEN), { 'content-type': 'Application/JSON; charset=utf-8' });
    expect(await readConnect(typed, ORIGIN)).toMatchObject({ token: 'gw_1' });
  });

  it('may not name the server of another origin', async () => {
    for (const origin of ['https://evil.example', 'http://croft.example', 'https://croft.example:8443', 'null'])
      expect(await connect(GIVEN, origin), origin).toEqual({ status: 403, body: { error: 'Connection rejected.' } });
  });

  it.each([
    [{ url: ORIGIN }, 'Missing required fields: url, token'],
    [{ url: '', token: 'x' }, 'Missing required fields: url, token'],
    [{ url: 7, token: 'x' }, 'Missing required fields: url, token'],
    [[], 'Invalid JSON body'],
    [{ url: 'ftp://croft.example', token: 'x' }, 'Invalid URL'],
    [{ url: ORIGIN, token: 'a b' }, 'Invalid URL'],
  ])('is refused: %j', async (body, error) => {
    expect(await connect(body)).toEqual({ status: 400, body: { error } });
  });

  it('is JSON, which a page cannot send to another origin without asking', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp', '']) {
      const answer = await readConnect(request(JSON.stringify(GIVEN), { 'content-type': type }), ORIGIN);
      expect(answer, type).toEqual({
        status: 415,
        body: { error: 'Send JSON, with Content-Type: application/json' },
      });
    }
    expect(await readConnect(request('{'), ORIGIN)).toEqual({ status: 400, body: { error: 'Invalid JSON body' } });
    expect([refuseBody(request('{')), refuseBody(request('{', {}))?.status]).toEqual([undefined, 415]);
  });

  it('has at most 64 KiB, announced or not', async () => {
    const padded = (size: number) => {
      const text = JSON.stringify({ ...GIVEN, x: '' });
      return JSON.stringify({ ...GIVEN, x: 'x'.repeat(size - text.length) });
    };
    expect(await readConnect(request(padded(65_536)), ORIGIN)).toMatchObject({ token: 'gw_1' });
    expect(await readConnect(request(padded(65_537)), ORIGIN)).toEqual({
      status: 413,
      body: { error: 'The body is larger than 64 KB' },
    });
    const announced = request('{}', { 'content-type': 'application/json', 'content-length': '65537' });
    expect(await readConnect(announced, ORIGIN)).toMatchObject({ status: 413 });
  });
});

it('takes a server address with a path, and nothing that hides where it leads', () => {
  expect(serverAddress('http://a.example:80/x//')).toBe('http://a.example/x');
  expect(serverAddress('HTTPS://A.example')).toBe('https://a.example');
  for (const text of [
    'a.example',
    'file:///etc',
    'https://u@a.example',
    'https://:p@a.example',
    'https://a.example?x',
    'https://a.example/#x',
    `https://a.example/${'x'.repeat(2_048)}`,
  ])
    expect(serverAddress(text), text).toBe(undefined);
});

it('takes a key of 1 to 256 visible characters', () => {
  for (const key of ['x', 'x'.repeat(256), '~!"']) expect(isKey(key)).toBe(true);
  for (const key of ['', 'x'.repeat(257), 'a b', 'a\nb', 'ä']) expect(isKey(key)).toBe(false);
});
