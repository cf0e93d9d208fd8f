import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hashKey } from '../tokens.ts';
import { openTestStream, postTo, serveTestHub, type TestHub, type TestStream } from './testing.ts';

const TREE = { rootPath: '/home/ann/p', tree: [{ path: 'a', type: 'file' }], treeText: 'p/', hostIdentifier: 'laptop' };
const NOW = Date.UTC(2026, 0, 1);
const clock = { now: NOW };
const connected: boolean[] = [];
let served: TestHub;
const streams: TestStream[] = [];
beforeEach(async () => {
  clock.now = NOW;
  connected.splice(0);
  served = await serveTestHub({
    now: () => clock.now,
    staticKey: { key: 'static-key', userId: 'robot' },
    onChange: (_user, status) => connected.push(status.connected),
  });
});
afterEach(async () => {
  for (const stream of streams.splice(0)) stream.cut();
  await served.close();
});

const init = (key: string | undefined, body: object = TREE) => postTo(`${served.base}/gateway/init`, { key, body });
const link = async (user = 'ann') =>
  (await postTo(`${served.base}/gateway/create-link`, { user })).body.token as string;
async function connect(key: string, user: string) {
  streams.push(await openTestStream(`${served.base}/gateway/events`, { key }));
  return served.hub.toolsFor(user).map(({ name }) => name);
}

describe('a machine that introduces itself', () => {
  it('uses up its token for a session, which is stored by its hash', async () => {
    const token = await link();
    const { body } = await init(token);
    expect(body.data).toEqual({ ok: true, sessionKey: expect.any(String) });
    expect(served.store.sessions.get(hashKey(body.sessionKey as string))).toMatchObject({
      userId: 'ann',
      host: 'laptop',
      directory: '/home/ann/p',
      createdAt: new Date(NOW),
    });
    expect((await init(token)).status).toBe(403);
    expect((await init(body.sessionKey as string)).body.data).toEqual({ ok: true });
  });

  it('needs a key that is known and has not expired', async () => {
    const token = await link();
    clock.now += 5 * 60_000;
    expect([(await init(token)).status, (await init('gw_unknown')).status, (await init(undefined)).status]).toEqual([
      403, 403, 403,
    ]);
    expect(served.store.sessions.size).toBe(0);
  });

  it('keeps its token where its description is not valid', async () => {
    const token = await link();
    expect((await init(token, { rootPath: '/p' })).status).toBe(400);
    expect((await init(token)).status).toBe(200);
  });

  it('is shown with its cleaned name, and as disconnected until it listens again', async () => {
    const status = async () => (await postTo(`${served.base}/gateway/status`, { method: 'GET', user: 'ann' })).body;
    const key = (await init(await link(), { ...TREE, hostIdentifier: 'lap\ntop' })).body.sessionKey as string;
    await connect(key, 'ann');
    expect(await status()).toMatchObject({ connected: true, hostIdentifier: 'lap top', directory: '/home/ann/p' });
    const [listing] = served.hub.toolsFor('ann').filter(({ name }) => name === 'get-file-tree');
    const input = { dirPath: '.', maxDepth: 2 };
    expect((await listing?.run(input as never, {}))?.data).toEqual({ tree: './\n  a', truncated: false });
    connected.splice(0);
    await init(await link());
    expect([(await status()).connected, connected.at(-1)]).toEqual([false, false]);
  });

  it('may have the configured key, which stays valid', async () => {
    for (let i = 0; i < 2; i++) expect((await init('static-key')).body.data).toEqual({ ok: true });
    expect(served.store.sessions.size).toBe(0);
  });

  it('has a new time of its session', async () => {
    const key = (await init(await link())).body.sessionKey as string;
    clock.now += 7_000;
    await init(key);
    expect(served.store.sessions.get(hashKey(key))?.lastSeenAt).toEqual(new Date(NOW + 7_000));
  });
});

describe('the tools of a machine', () => {
  const EXPLORE = ['get-file-tree', 'list-files', 'read-file', 'search-files'];

  it('of the first dialect are those that read', async () => {
    const key = (await init(await link())).body.sessionKey as string;
    expect(await connect(key, 'ann')).toEqual(EXPLORE);
  });

  it('of the later dialect are those that it announces', async () => {
    const tools = [{ name: 'my_tool', description: 'Does it', inputSchema: { type: 'object' } }];
    const key = (await init(await link(), { rootPath: '/p', tools })).body.sessionKey as string;
    expect(await connect(key, 'ann')).toEqual(['my_tool']);
  });

  it("of Croft's daemon are those that it serves, and the reply says so", async () => {
    const tools = ['write_file', 'other'].map((name) => ({ name, inputSchema: { type: 'object' } }));
    const croft = { version: '1', protocol: 1, tools: [...EXPLORE, 'write_file'] };
    const { body } = await init(await link(), { ...TREE, tools, croft });
    expect(body.croft).toEqual({ protocol: 1 });
    const names = await connect(body.sessionKey as string, 'ann');
    expect(names).toEqual(expect.arrayContaining([...EXPLORE, 'write_file']));
    expect(names).not.toContain('other');
  });
});
