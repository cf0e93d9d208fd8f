import { afterEach, describe, expect, it } from 'vitest';
import { FRAME_LIMITS } from '../frames.ts';
import type { HubEvent } from './hub-options.ts';
import { openTestStream, postTo, serveTestHub, type TestHub, type TestHubOptions, type TestStream } from './testing.ts';

const BODY = { rootPath: '/p', tree: [{ path: 'a.ts', type: 'file' }], treeText: 'p/', hostIdentifier: 'laptop' };
let served: TestHub;
const streams: TestStream[] = [];
afterEach(async () => {
  for (const stream of streams.splice(0)) stream.cut();
  await served.close();
});

async function connect(options: TestHubOptions = {}, body: object = BODY) {
  served = await serveTestHub(options);
  return reconnect(body);
}
async function reconnect(body: object = BODY) {
  const { token } = (await postTo(`${served.base}/gateway/create-link`, { user: 'ann' })).body;
  const key = (await postTo(`${served.base}/gateway/init`, { key: token, body })).body.sessionKey as string;
  const stream = await openTestStream(`${served.base}/gateway/events`, { key });
  streams.push(stream);
  return stream;
}
const toggle = (enabled: boolean) => postTo(`${served.base}/filesystem/toggle`, { user: 'ann', body: { enabled } });
const list = { name: 'list-files', input: { dirPath: '/p' } };

describe('the tools of a machine', () => {
  it('are offered to its user while it is connected and switched on', async () => {
    await connect();
    expect([served.hub.toolsFor('ann').length, served.hub.toolsFor('bob')]).toEqual([4, []]);
    await toggle(false);
    expect(served.hub.toolsFor('ann')).toEqual([]);
    await toggle(true);
    expect(served.hub.toolsFor('ann')).toHaveLength(4);
  });

  it('stay the same list for the same connection', async () => {
    await connect();
    expect(served.hub.toolsFor('ann')).toBe(served.hub.toolsFor('ann'));
  });

  it('answer, and each call is logged', async () => {
    const events: HubEvent[] = [];
    const now = Date.now();
    await connect({ log: (event) => events.push(event), now: () => now });
    const result = await served.hub.call('ann', list);
    expect(result.ok).toBe(true);
    expect((await served.hub.call('ann', { name: 'x'.repeat(1_000), input: {} })).ok).toBe(false);
    const called = { event: 'called', userId: 'ann', tookMs: 0 };
    expect(events.filter(({ event }) => event === 'called')).toEqual([
      { ...called, tool: 'list-files', ok: true },
      { ...called, tool: 'x'.repeat(FRAME_LIMITS.maxToolNameChars), ok: false },
    ]);
    const missing = await served.hub.call('bob', list);
    expect([missing.ok, missing.data.reason]).toEqual([false, 'not_connected']);
  });

  it('of an earlier list refuse once another directory is connected', async () => {
    await connect();
    const [, listFiles] = served.hub.toolsFor('ann');
    const run = async () => listFiles?.run({ dirPath: '/p', type: 'all', recursive: true, maxResults: 9 }, {});
    expect((await run())?.ok).toBe(true);
    await reconnect();
    expect((await run())?.ok).toBe(true);
    await reconnect({ ...BODY, hostIdentifier: 'other' });
    expect((await run())?.ok).toBe(false);
  });
});

it('asks the store before each call where changes of other processes do not arrive', async () => {
  await connect({ isFresh: () => false });
  expect((await served.hub.call('ann', list)).ok).toBe(true);
  await served.store.setToggle('ann', false);
  expect((await served.hub.call('ann', list)).ok).toBe(false);
  await served.store.setToggle('ann', true);
  await served.store.removeSessions('ann');
  expect((await served.hub.call('ann', list)).ok).toBe(false);
});
