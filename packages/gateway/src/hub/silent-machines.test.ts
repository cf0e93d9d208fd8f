import { afterEach, describe, expect, it } from 'vitest';
import type { Connection } from './connection.ts';
import { SilentMachines } from './silent-machines.ts';
import { openTestStream, postTo, serveTestHub, type TestHub, type TestHubOptions, type TestStream } from './testing.ts';

// A machine that disappears silently: its stream looks open, but nothing comes back.

const EXPLORED = ['get-file-tree', 'list-files', 'read-file', 'search-files'];
const TREE = { rootPath: '/p', tree: [{ path: 'a', type: 'file' }], treeText: '' };
const CROFT = { ...TREE, croft: { version: '1', protocol: 1, tools: EXPLORED, answersPings: true } };
const OLDER = { ...TREE, croft: { version: '1', protocol: 1, tools: EXPLORED } };
const LATER = { rootPath: '/p', tools: [{ name: 'look', inputSchema: { type: 'object' } }] };
const QUICK = { pingMs: 100, silenceMs: 50, answerMs: 100, callTimeoutMs: 60, blipMs: 50 };
const ASKED = { type: 'ping', answer: true };

const open: TestHub[] = [];
afterEach(async () => {
  for (const served of open.splice(0)) await served.close();
});

async function connect(body: object, options: TestHubOptions = QUICK) {
  const served = await serveTestHub(options);
  open.push(served);
  const { token } = (await postTo(`${served.base}/gateway/create-link`, { user: 'ann' })).body;
  const key = (await postTo(`${served.base}/gateway/init`, { key: token, body })).body.sessionKey as string;
  const events = await openTestStream(`${served.base}/gateway/events`, { key });
  return { served, key, events, isConnected: () => served.hub.status('ann').connected };
}

const rest = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const asked = ({ seen }: TestStream) => seen.filter(({ data }) => data.answer === true).length;

async function until(check: () => boolean): Promise<void> {
  while (!check()) await rest(5);
}

describe('a machine that answers pings', () => {
  it('gets a ping when it is looked at after a silence, and is cut off if no answer comes', async () => {
    const { served, key, events, isConnected } = await connect(CROFT);
    expect(isConnected()).toBe(true);
    expect(asked(events)).toBe(0);
    await until(() => !isConnected());
    expect(events.seen.find(({ data }) => data.answer)?.data).toEqual(ASKED);
    await events.ended;
    expect(served.hub.toolsFor('ann')).toEqual([]);
    expect(await served.hub.call('ann', { name: 'read-file', input: { filePath: 'a' } })).toMatchObject({
      ok: false,
      data: { reason: 'not_connected' },
    });
    // It reconnects as after any break.
    expect((await openTestStream(`${served.base}/gateway/events`, { key })).status).toBe(200);
    expect(isConnected()).toBe(true);
  });

  it('stays when its answer comes, however often it is looked at', async () => {
    const { served, key, events, isConnected } = await connect(CROFT, { ...QUICK, answerMs: 5_000 });
    const started = performance.now();
    let answered = 0;
    for (let n = 0; n < 60; n++) {
      expect(isConnected()).toBe(true);
      expect(served.hub.toolsFor('ann')).toHaveLength(4);
      for (; answered < asked(events); answered++)
        expect((await postTo(`${served.base}/gateway/alive`, { key, body: {} })).status).toBe(200);
      await rest(10);
    }
    expect(answered).toBeGreaterThan(2);
    // One ping per silence, not one per look.
    expect(answered).toBeLessThanOrEqual((performance.now() - started) / QUICK.silenceMs + 1);
  });

  it('gets no ping while it is not looked at, or if it answered recently', async () => {
    const { served, key, events } = await connect(CROFT, { ...QUICK, silenceMs: 10_000 });
    await rest(300);
    for (let n = 0; n < 5; n++) served.hub.status('ann');
    expect(asked(events)).toBe(0);
    expect(events.seen.filter(({ data }) => data.type === 'ping').length).toBeGreaterThan(0);
    expect((await postTo(`${served.base}/gateway/alive`, { key, body: {} })).body.ok).toBe(true);
  });

  it('gets a ping every ten minutes if it is not looked at', async () => {
    let late = 0;
    const { served, events } = await connect(CROFT, { ...QUICK, now: () => Date.now() + late });
    await rest(150);
    expect(asked(events)).toBe(0);
    late = 10 * 60_000;
    await events.ended;
    expect(asked(events)).toBe(1);
    expect(served.hub.status('ann').connected).toBe(false);
  });
});

it('is asked, and cut without an answer, only once its stream has room for the ping', () => {
  let now = 0;
  const state = { hasRoom: false, asked: 0 };
  const machine = {
    machine: { answersPings: true },
    hasStream: true,
    heardAt: 0,
    askForWord: () => state.hasRoom && ++state.asked > 0,
  } as unknown as Connection;
  const cuts: number[] = [];
  const silent = new SilentMachines({
    now: () => now,
    silenceMs: 30,
    answerMs: 10,
    cut: (_, since) => void cuts.push(since),
  });
  const pass = (ms: number) => {
    now += ms;
    silent.look(machine);
    silent.tick();
  };
  for (let n = 0; n < 9; n++) pass(10);
  expect([state.asked, cuts]).toEqual([0, []]);
  state.hasRoom = true;
  pass(10);
  expect([state.asked, cuts]).toEqual([1, []]);
  pass(10);
  expect([state.asked, cuts]).toEqual([1, [100]]);
});

describe('a client that answers no pings', () => {
  it.each([
    ['of the later dialect', LATER, 'look'],
    ['of Croft’s, an older one', OLDER, 'read-file'],
  ])('%s gets no ping, and its stream is cut after two calls in a row without a response', async (_, body, name) => {
    const { served, events, isConnected } = await connect(body);
    const call = () => served.hub.call('ann', { name, input: { filePath: 'a' } });
    for (let n = 0; n < 20; n++, await rest(10)) expect(isConnected()).toBe(true);
    expect(await call()).toMatchObject({ data: { reason: 'timeout' } });
    expect(isConnected()).toBe(true);
    expect(await call()).toMatchObject({ data: { reason: 'timeout' } });
    await Promise.all([until(() => !isConnected()), events.ended]);
    expect(asked(events)).toBe(0);
  });

  it('keeps it where it says anything at all between two calls that take too long', async () => {
    const { served, key, events, isConnected } = await connect(LATER);
    for (let n = 0; n < 4; n++) {
      expect(await served.hub.call('ann', { name: 'look', input: {} })).toMatchObject({ data: { reason: 'timeout' } });
      const late = events.seen.findLast(({ data }) => data.type === 'filesystem-request')?.data.payload.requestId;
      const answer = { result: { content: [] } };
      expect((await postTo(`${served.base}/gateway/response/${late}`, { key, body: answer })).status).toBe(404);
      expect(isConnected()).toBe(true);
    }
  });
});
