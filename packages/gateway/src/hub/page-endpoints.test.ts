import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openTestStream, postTo, serveTestHub, type TestHub, type TestStream } from './testing.ts';

const NOW = Date.UTC(2026, 0, 1);
let served: TestHub;
const changed: string[] = [];
const streams: TestStream[] = [];
beforeEach(async () => {
  changed.splice(0);
  served = await serveTestHub({ now: () => NOW, onChange: (userId) => changed.push(userId) });
});
afterEach(async () => {
  for (const stream of streams.splice(0)) stream.cut();
  await served.close();
});

const post = (path: string, body?: unknown, user: string | undefined = 'ann') =>
  postTo(`${served.base}${path}`, { user, body });
const status = async (user = 'ann') => (await postTo(`${served.base}/gateway/status`, { method: 'GET', user })).body;

describe('a page', () => {
  it('gets a token with the command that uses it, the same one until it asks for another', async () => {
    const first = (await post('/gateway/create-link')).body;
    expect(first.data).toEqual({
      token: expect.stringMatching(/^gw_/),
      command: `croft connect http://test ${first.token}`,
      url: 'http://test',
      expiresAt: new Date(NOW + 5 * 60_000).toISOString(),
      ttlSeconds: 300,
    });
    expect(changed).toContain('ann');
    expect((await post('/gateway/create-link', {})).body.token).toBe(first.token);
    expect((await post('/gateway/create-link', { renew: true })).body.token).not.toBe(first.token);
    expect((await status()).expiresAt).toBe(first.expiresAt);
    expect((await status('bob')).expiresAt).toBeUndefined();
  });

  it('announces the stored switch with a new token, while changes by other processes do not arrive', async () => {
    const announced: boolean[] = [];
    const other = await serveTestHub({
      store: served.store,
      isFresh: () => false,
      onChange: (_user, { enabled }) => announced.push(enabled),
    });
    const createLink = () => postTo(`${other.base}/gateway/create-link`, { user: 'ann' });
    try {
      await createLink();
      await post('/filesystem/toggle', { enabled: false });
      await createLink();
      expect(announced).toEqual([true, false]);
    } finally {
      await other.close();
    }
  });

  it('switches the machine off and on', async () => {
    expect((await status()).enabled).toBe(true);
    expect((await post('/filesystem/toggle')).body.data).toEqual({ ok: true, enabled: false });
    expect([(await status()).enabled, (await status('bob')).enabled]).toEqual([false, true]);
    expect((await post('/filesystem/toggle', { enabled: false })).body.enabled).toBe(false);
    expect((await post('/filesystem/toggle', {})).body.enabled).toBe(true);
  });

  it('ends the session of its own machine', async () => {
    const pair = async (user: string) => {
      const { token } = (await post('/gateway/create-link', undefined, user)).body;
      const body = { rootPath: '/p', tree: [], treeText: '' };
      const key = (await postTo(`${served.base}/gateway/init`, { key: token, body })).body.sessionKey as string;
      streams.push(await openTestStream(`${served.base}/gateway/events`, { key }));
    };
    await pair('ann');
    await pair('bob');
    expect((await post('/gateway/disconnect-session')).body.data).toEqual({ ok: true });
    expect([(await status()).connected, (await status('bob')).connected]).toEqual([false, true]);
    expect([...served.store.sessions.values()].map(({ userId }) => userId)).toEqual(['bob']);
  });

  it('needs a signed-in user, and a valid body', async () => {
    for (const path of ['/gateway/create-link', '/filesystem/toggle', '/gateway/disconnect-session'])
      expect((await postTo(`${served.base}${path}`)).status, path).toBe(401);
    expect((await post('/filesystem/toggle', { enabled: 'yes' })).status).toBe(400);
    expect((await post('/gateway/status')).status).toBe(405);
  });
});
