import { describe, expect, it, vi } from 'vitest';
import { refusal, useFakeApi } from '../testing/fake-api.ts';
import { findDaemon, inviteDaemon, mayProbeSilently, readHealth } from './loopback-daemon.ts';

const api = useFakeApi();

it.each([
  ['{"status":"ok","dir":"/p","connected":true}', { connected: true }],
  ['{"status":"ok","dir":"/p","connected":false}', { connected: false }],
  ['OK', { connected: false }],
  ['OK\n', { connected: false }],
])('takes %j on /health for a daemon', (text, daemon) => {
  expect(readHealth(text)).toEqual(daemon);
});

it.each(['', '<h1>OK</h1>', '{"status":"up"}', 'null', '{}', '"OK"', 'ok then'])(
  'invites no other program that answers %j on /health',
  (text) => {
    expect(readHealth(text)).toBeUndefined();
  },
);

describe('a look at this computer without a click', () => {
  /** Whether it may be, at a host with these states of permissions; undefined: the browser does not know the permission. */
  async function mayAt(hostname: string, states: Record<string, string> = {}, isSecureContext = true) {
    vi.stubGlobal('location', { hostname });
    vi.stubGlobal('isSecureContext', isSecureContext);
    const query = async ({ name }: { name: string }) => {
      if (states[name] === undefined) throw new TypeError('unknown permission');
      return { state: states[name] };
    };
    vi.stubGlobal('navigator', { permissions: { query } });
    return mayProbeSilently();
  }

  it.each(['localhost', '[::1]', '127.0.0.1', '127.12.255.3'])('may be at a page of %s', async (hostname) => {
    expect(await mayAt(hostname, { 'loopback-network': 'denied' }, false)).toBe(true);
  });

  it.each(['croft.test', '128.0.0.1', '127.0.0.1.croft.test', 'my.127.0.0.1', 'localhost.croft.test'])(
    'may not be at a page of %s without https',
    async (hostname) => {
      expect(await mayAt(hostname, {}, false)).toBe(false);
    },
  );

  it.each([
    [{ 'loopback-network': 'granted', 'local-network-access': 'denied' }, true],
    [{ 'loopback-network': 'prompt', 'local-network-access': 'granted' }, false],
    [{ 'local-network-access': 'granted' }, true],
    [{ 'local-network-access': 'denied' }, false],
    [{}, true],
  ])('with the permissions %j: %s', async (states, may) => {
    expect(await mayAt('croft.test', states)).toBe(may);
  });
});

describe('a daemon', () => {
  const { signal } = new AbortController();

  it('is found at the first address that answers as one', async () => {
    api.answer('GET http://127.0.0.1:7655/health', { status: 'ok', connected: true });
    expect(await findDaemon(signal)).toEqual({ address: 'http://127.0.0.1:7655', connected: true });
    api.answer('GET http://127.0.0.1:7655/health', refusal(403, 'refused'));
    api.answer('GET http://localhost:7655/health', { status: 'ok' });
    expect(await findDaemon(signal)).toEqual({ address: 'http://localhost:7655', connected: false });
    const all = ['GET http://127.0.0.1:7655/health', 'GET http://localhost:7655/health'];
    expect(api.requests).toEqual([all[0], ...all]);
    const [url, init] = vi.mocked(fetch).mock.calls[0] ?? [];
    expect([url, init]).toEqual([
      'http://127.0.0.1:7655/health',
      {
        mode: 'cors',
        credentials: 'omit',
        cache: 'no-store',
        signal: expect.any(AbortSignal) as AbortSignal,
        targetAddressSpace: 'loopback',
      },
    ]);
  });

  it('is not found where no program, or another one, answers', async () => {
    api.answer('GET http://127.0.0.1:7655/health', { status: 'up' });
    expect(await findDaemon(signal)).toBeUndefined();
    expect(api.requests).toHaveLength(2);
  });

  it('is not looked for after the page left', async () => {
    const left = new AbortController();
    api.answer('GET http://127.0.0.1:7655/health', () => {
      left.abort();
      throw new TypeError('fetch failed');
    });
    expect(await findDaemon(left.signal)).toBeUndefined();
    expect(api.requests).toHaveLength(1);
  });
});

describe('an invitation', () => {
  const { signal } = new AbortController();

  it('has the address of the server and a token', async () => {
    api.answer('POST http://127.0.0.1:7655/connect', {});
    expect(await inviteDaemon('tok', signal)).toEqual({ ok: true });
    expect(api.requests).toEqual(['POST http://127.0.0.1:7655/connect {"url":"http://croft.test/base","token":"tok"}']);
    expect(vi.mocked(fetch).mock.calls[0]?.[1]).toMatchObject({ headers: { 'Content-Type': 'application/json' } });
  });

  it('goes to the address where the daemon answered, and shows its refusal', async () => {
    const route = 'POST http://localhost:7655/connect';
    api.answer(route, () => Response.json({ error: 'Not this page.' }, { status: 403 }));
    expect(await inviteDaemon('t', signal, 'http://localhost:7655')).toEqual({ ok: false, message: 'Not this page.' });
    api.answer(route, () => new Response('<html>', { status: 502 }));
    expect(await inviteDaemon('t', signal, 'http://localhost:7655')).toEqual({
      ok: false,
      message: 'croft on this computer refused (502).',
    });
  });

  it('says what to do without an answer, and fails only for an abort', async () => {
    expect(await inviteDaemon('t', signal)).toEqual({
      ok: false,
      message:
        'No answer yet. If croft on this computer asks about this page in its terminal, allow it there. If it does not ask, run the command above.',
    });
    const reason = new Error('left');
    await expect(inviteDaemon('t', AbortSignal.abort(reason))).rejects.toBe(reason);
  });
});
