import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openTestStream, postTo, serveTestHub, type TestHub, type TestStream } from './testing.ts';

const BODY = { rootPath: '/p', tree: [{ path: 'a', type: 'file' }], treeText: 'p/' };
let served: TestHub;
const streams: TestStream[] = [];
beforeEach(async () => {
  served = await serveTestHub({ staticKey: { key: 'static-key', userId: 'robot' } });
});
afterEach(async () => {
  for (const stream of streams.splice(0)) stream.cut();
  await served.close();
});

const send = (path: string, key: string | undefined, body: unknown = {}) =>
  postTo(`${served.base}/gateway/${path}`, { key, body });
const link = async (user = 'ann') =>
  (await postTo(`${served.base}/gateway/create-link`, { user })).body.token as string;
const pair = async (user = 'ann') => (await send('init', await link(user), BODY)).body.sessionKey as string;
async function listen(key: string) {
  const stream = await openTestStream(`${served.base}/gateway/events`, { key });
  streams.push(stream);
  return stream;
}

describe('the stream of a machine', () => {
  it('opens for a session that has begun, and not before', async () => {
    expect((await listen('static-key')).status).toBe(403);
    const stream = await listen(await pair());
    expect([stream.status, served.hub.status('ann').connected]).toEqual([200, true]);
  });

  it('may wait for its init with a pairing token, and for a valid one only', async () => {
    const token = await link();
    const early = await listen(token);
    expect([early.status, served.hub.status('ann').connected]).toEqual([200, false]);
    await send('init', token, BODY);
    expect(served.hub.status('ann').connected).toBe(true);
    expect((await listen('gw_unknown')).status).toBe(403);
  });

  it('may have its key in the URL', async () => {
    const stream = await openTestStream(`${served.base}/gateway/events?apiKey=${await pair()}`);
    streams.push(stream);
    expect(stream.status).toBe(200);
  });
});

describe('a response', () => {
  it('is taken from the session that was asked, once', async () => {
    const [ann, bob] = [await pair(), await pair('bob')];
    const stream = await listen(ann);
    const call = served.hub.call('ann', { name: 'read-file', input: { filePath: '/p/a' } });
    const { data } = await stream.next();
    const { requestId } = data.payload as { requestId: string };
    const answer = { data: { path: 'a', content: 'text', truncated: false, totalLines: 1 } };
    expect((await send(`response/${requestId}`, bob, answer)).status).toBe(404);
    expect((await send(`response/${requestId}`, ann, {})).status).toBe(400);
    expect((await send(`response/${requestId}`, ann, answer)).status).toBe(200);
    expect((await send(`response/${requestId}`, ann, answer)).status).toBe(404);
    expect((await call).ok).toBe(true);
  });

  it('to nothing is refused', async () => {
    expect((await send('response/unknown', await pair(), { data: 1 })).status).toBe(404);
    expect((await send('response/unknown', await link(), { data: 1 })).status).toBe(403);
  });
});

it('takes a new tree and root of the current session', async () => {
  const key = await pair();
  await listen(key);
  expect((await send('tree', key, { ...BODY, rootPath: '/q' })).status).toBe(200);
  expect(served.hub.status('ann').directory).toBe('/q');
  expect((await send('tree', 'static-key', BODY)).status).toBe(403);
  expect((await send('tree', key, { rootPath: '/q' })).status).toBe(400);
});

it('takes a word from a session, and from no other key', async () => {
  const key = await pair();
  expect([(await send('alive', key)).status, (await send('alive', 'static-key')).status]).toEqual([200, 403]);
  expect((await send('alive', await link('bob'))).status).toBe(403);
  expect((await send('alive', undefined)).status).toBe(403);
});

describe('a machine that leaves', () => {
  it('has no session any more', async () => {
    const key = await pair();
    await listen(key);
    expect((await send('disconnect', key)).status).toBe(200);
    expect([served.hub.status('ann').connected, served.store.sessions.size]).toEqual([false, 0]);
    expect((await send('alive', key)).status).toBe(403);
    expect((await send('disconnect', await link())).status).toBe(403);
  });

  it('with the configured key may come back', async () => {
    await send('init', 'static-key', BODY);
    await listen('static-key');
    expect(served.hub.status('robot').connected).toBe(true);
    expect((await send('disconnect', 'static-key')).status).toBe(200);
    expect(served.hub.status('robot').connected).toBe(false);
    expect((await send('disconnect', 'static-key')).status).toBe(200);
    expect((await send('init', 'static-key', BODY)).status).toBe(200);
  });
});
