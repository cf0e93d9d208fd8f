import { afterEach, describe, expect, it, vi } from 'vitest';
import type { CallRequest } from './call-request.ts';
import type { DaemonEvent } from './daemon-events.ts';
import type { Answer } from './fetch-answer.ts';
import { type Link, type LinkOptions, openLink } from './link.ts';

const encode = (text: string) => new TextEncoder().encode(text);
const answer = (
  status: number,
  body: object | string = { ok: true },
  headers: Record<string, string> = {},
): Answer => ({
  status,
  headers: { get: (name) => headers[name] ?? null },
  body: (async function* () {
    yield encode(typeof body === 'string' ? body : JSON.stringify(body));
  })(),
});

/** A stream of events that the test writes. */
function stream() {
  const waiting: (string | undefined)[] = [];
  let wake = () => {};
  const push = (text: string | undefined) => {
    waiting.push(text);
    wake();
  };
  const body = (async function* () {
    for (;;) {
      if (waiting.length === 0) await new Promise<void>((resolve) => (wake = resolve));
      const text = waiting.shift();
      if (text === undefined) return;
      yield encode(text);
    }
  })();
  return {
    answer: { status: 200, headers: { get: () => 'text/event-stream' }, body } as Answer,
    send: (frame: object | string, id?: string) =>
      push(
        `${id === undefined ? '' : `id: ${id}\n`}data: ${typeof frame === 'string' ? frame : JSON.stringify(frame)}\n\n`,
      ),
    end: () => push(undefined),
  };
}

const links: Link[] = [];
afterEach(async () => {
  for (const link of links.splice(0)) await link.leave();
});

const CROFT = { ok: true, sessionKey: 'sess_1', croft: { protocol: 1 } };

/** A link to a server that gives these answers by the ends of paths; the last one again and again. */
function open(
  answers: Readonly<Record<string, readonly (Answer | Error | (() => Answer))[]>>,
  more: Partial<LinkOptions> = {},
) {
  const seen: { path: string; key: string; lastId: string | undefined; body: string | undefined }[] = [];
  const told: DaemonEvent[] = [];
  const sessions: (string | undefined)[] = [];
  const taken: (CallRequest & { chars: number })[] = [];
  const cancelled: string[] = [];
  let isClosed = false;
  const counts = new Map<string, number>();
  const link = openLink({
    server: 'https://s',
    credential: { kind: 'token', token: 'gw_1' },
    announce: async () => '{"tree":[]}',
    tryOnce: false,
    tell: (event) => void told.push(event),
    onSession: (key) => void sessions.push(key),
    random: () => 0,
    now: () => 1_000,
    timing: { reconnect: { minMs: 0, maxMs: 0 }, redeliver: { minMs: 0, maxMs: 0 }, stableMs: 10_000 },
    makeCalls: () =>
      ({
        take: (request, chars) => void taken.push({ ...request, chars }),
        cancel: (id) => void cancelled.push(id),
        close: () => void (isClosed = true),
      }) as ReturnType<LinkOptions['makeCalls']>,
    fetch: async (url, { headers, body, signal }) => {
      const path = url.replace(/^.*\/gateway\//, '');
      const name = path.replace(/\?.*/, '');
      seen.push({ path, key: headers['x-gateway-key'] ?? '', lastId: headers['last-event-id'], body });
      const list = answers[name] ?? [() => answer(200)];
      const count = counts.get(name) ?? 0;
      counts.set(name, count + 1);
      const given = list[Math.min(count, list.length - 1)]!;
      if (given instanceof Error) throw given;
      if (typeof given === 'function') return given();
      if (count < list.length) return given;
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))));
    },
    ...more,
  });
  links.push(link);
  const paths = (name: string) => seen.filter(({ path }) => path.startsWith(name));
  return { link, seen, told, sessions, taken, cancelled, paths, isClosed: () => isClosed };
}
const welcome = () => answer(200, CROFT);
const types = (told: readonly DaemonEvent[]) => told.map(({ type }) => type);

describe('a link', () => {
  it('pairs, opens a stream, and says so', async () => {
    const events = stream();
    const { link, told, sessions, paths } = open({ init: [welcome], events: [events.answer] });
    expect(types(told)).toEqual(['connecting']);
    expect(await link.paired).toBeUndefined();
    await vi.waitFor(() => expect(link.openSince).toBe(1_000));
    expect(told).toEqual([
      { type: 'connecting', server: 'https://s' },
      { type: 'connected', server: 'https://s', again: false },
    ]);
    expect([link.server, sessions, link.takesTrees]).toEqual(['https://s', ['sess_1'], true]);
    expect(paths('init')).toEqual([{ path: 'init', key: 'gw_1', lastId: undefined, body: '{"tree":[]}' }]);
    expect(paths('events')).toEqual([{ path: 'events', key: 'sess_1', lastId: undefined, body: undefined }]);
  });

  it('ends when it is not let in', async () => {
    const { link, told, isClosed } = open({ init: [() => answer(403, { message: 'no' })] });
    const end = await link.ended;
    expect(end.reason).toBe('unpaired');
    expect(told.at(-1)).toEqual({ type: 'ended', server: 'https://s', ...end });
    expect(isClosed()).toBe(true);
  });

  it('opens a lost stream again, after its last event', async () => {
    const [first, second] = [stream(), stream()];
    const { link, told, paths } = open({ init: [welcome], events: [first.answer, second.answer] });
    first.send({ type: 'ping' }, '7');
    first.send({ type: 'ping' });
    first.end();
    await vi.waitFor(() => expect(paths('events')).toHaveLength(2));
    await vi.waitFor(() => expect(link.openSince).toBe(1_000));
    expect(paths('events')[1]?.lastId).toBe('7');
    expect(told.slice(1)).toEqual([
      { type: 'connected', server: 'https://s', again: false },
      { type: 'retrying', server: 'https://s', inMs: 0, why: 'the server ended the connection' },
      { type: 'connected', server: 'https://s', again: true },
    ]);
    expect(paths('init')).toHaveLength(1);
  });

  it('waits longer after each loss, until a stream was stable', async () => {
    let now = 0;
    const lost = () => {
      const each = stream();
      each.end();
      return each.answer;
    };
    const stable = () => {
      now += 10_000;
      return lost();
    };
    const { told } = open(
      { init: [welcome], events: [lost, lost, stable, lost, stream().answer] },
      { now: () => now, random: () => 1, timing: { reconnect: { minMs: 1, maxMs: 1_000 }, stableMs: 10_000 } },
    );
    const waits = () => told.flatMap((event) => (event.type === 'retrying' ? [event.inMs] : []));
    await vi.waitFor(() => expect(waits()).toHaveLength(4));
    expect(waits()).toEqual([2, 4, 2, 4]);
  });
});

describe('a refused stream', () => {
  const refused = (status: number, headers = {}) => answer(status, { message: 'why' }, headers);

  it.each([503, 409])('is opened again after %i', async (status) => {
    const { told, paths } = open({ init: [welcome], events: [refused(status), stream().answer] });
    await vi.waitFor(() => expect(types(told)).toContain('connected'));
    expect(told[1]).toEqual({ type: 'retrying', server: 'https://s', inMs: 0, why: 'why' });
    expect([paths('init').length, paths('events').length]).toEqual([1, 2]);
  });

  it('is opened again when the server asks for it', async () => {
    const { told } = open({ init: [welcome], events: [refused(503, { 'retry-after': '1' }), stream().answer] });
    await vi.waitFor(() => expect(told[1]).toMatchObject({ type: 'retrying', inMs: 1_000 }));
  });

  it('ends the link where the server refuses it for good', async () => {
    const { link } = open({ init: [welcome], events: [refused(400)] });
    expect(await link.ended).toEqual({ reason: 'refused', message: 'https://s refuses the connection: why' });
  });

  it('announces the daemon again, four times', async () => {
    const { link, paths, sessions, told } = open({ init: [welcome], events: [() => refused(403)] });
    expect(await link.ended).toMatchObject({ reason: 'unpaired' });
    expect([paths('init').length, paths('events').length]).toEqual([5, 5]);
    expect(sessions.at(-1)).toBeUndefined();
    // The first time without a wait.
    expect(types(told).filter((type) => type === 'retrying')).toHaveLength(3);
  });

  it('has the key in its address for a server of the first dialect only', async () => {
    const old = open({ init: [() => answer(200, { ok: true })], events: [refused(403), stream().answer] });
    await vi.waitFor(() => expect(types(old.told)).toContain('connected'));
    expect(old.paths('events').map(({ path }) => path)).toEqual(['events', 'events?apiKey=gw_1']);
    for (const [init, status] of [
      [welcome, 403],
      [() => answer(200, { ok: true }), 404],
    ] as const) {
      const other = open({ init: [init], events: [refused(status), stream().answer] });
      await vi.waitFor(() => expect(types(other.told)).toContain('connected'));
      expect(other.paths('events?')).toEqual([]);
    }
  });

  it('by another program does not end a link that was open', async () => {
    const first = stream();
    const page = answer(404, '<h1>Not here</h1>');
    const { told, paths } = open({ init: [welcome], events: [first.answer, page, stream().answer] });
    first.end();
    await vi.waitFor(() => expect(types(told).filter((type) => type === 'connected')).toHaveLength(2));
    expect(paths('init')).toHaveLength(1);
  });
});

describe('a frame', () => {
  async function connected(answers: Parameters<typeof open>[0] = {}) {
    const events = stream();
    const made = open({ init: [welcome], events: [events.answer], ...answers });
    await vi.waitFor(() => expect(made.link.openSince).toBeDefined());
    return { ...made, events };
  }

  it('begins and cancels calls', async () => {
    const { events, taken, cancelled } = await connected();
    events.send('not JSON');
    events.send({ type: 'unknown' });
    const toolCall = { name: 'read-file', arguments: { filePath: 'a' } };
    events.send({ type: 'filesystem-request', payload: { requestId: '../x', toolCall } });
    const request = { type: 'filesystem-request', payload: { requestId: 'r1', toolCall } };
    events.send(request);
    events.send({ type: 'filesystem-cancel', payload: { requestId: 'r1' } });
    await vi.waitFor(() => expect(cancelled).toEqual(['r1']));
    expect(taken).toEqual([
      {
        requestId: 'r1',
        deadlineMs: undefined,
        style: 'croft',
        call: { name: 'read-file', input: { filePath: 'a' } },
        chars: JSON.stringify(request).length,
      },
    ]);
  });

  it('is answered where it is a ping that asks for it', async () => {
    const { events, paths } = await connected();
    events.send({ type: 'ping' });
    events.send({ type: 'ping', answer: true });
    await vi.waitFor(() => expect(paths('alive')).toHaveLength(1));
  });

  it('ends the link, and its session', async () => {
    const { events, link, sessions, isClosed } = await connected();
    events.send({ type: 'gateway-disconnect', payload: { reason: 'disconnected' } });
    expect(await link.ended).toEqual({ reason: 'disconnected', message: 'https://s ended the connection' });
    expect([sessions, link.openSince, isClosed()]).toEqual([['sess_1', undefined], undefined, true]);
  });

  it('keeps the session where another daemon took it over', async () => {
    const { events, link, sessions } = await connected();
    events.send({ type: 'gateway-disconnect', payload: { reason: 'superseded' } });
    expect(await link.ended).toEqual({
      reason: 'superseded',
      message: 'Another croft connect took over the connection to https://s; this one stops',
    });
    expect(sessions).toEqual(['sess_1']);
  });

  it.each([
    ['taken', answer(200), { taken: true }],
    ['refused', answer(400), { taken: false }],
    ['put off', answer(503, {}, { 'retry-after': '3' }), { taken: false, againInMs: 3_000 }],
    ['lost', new Error('cut'), { taken: false }],
  ])('a tree is %s', async (_, given, expected) => {
    const { link, paths } = await connected({ tree: [given] });
    expect(await link.sendTree('{"a":1}')).toEqual(expected);
    expect(paths('tree')[0]?.body).toBe('{"a":1}');
  });

  it('a tree is not sent without a stream, or to other servers', async () => {
    const closed = open({ init: [welcome], events: [new Error('cut')] });
    await closed.link.paired;
    expect(await closed.link.sendTree('{}')).toEqual({ taken: false });
    const other = await connected({ init: [() => answer(200, { ok: true })] });
    expect(await other.link.sendTree('{}')).toEqual({ taken: false });
    expect([...closed.paths('tree'), ...other.paths('tree')]).toEqual([]);
  });

  it('leaves once, and says so to the server', async () => {
    const { link, paths, sessions } = await connected();
    await link.leave();
    await link.leave();
    expect(await link.ended).toEqual({ reason: 'left', message: 'Disconnected from https://s' });
    expect([paths('disconnect').length, sessions]).toEqual([1, ['sess_1', undefined]]);
  });

  it('leaves a server that it never reached', async () => {
    const { link, paths, sessions } = open(
      { init: [new Error('cut')] },
      { timing: { reconnect: { minMs: 60_000, maxMs: 60_000 } } },
    );
    await link.leave();
    expect(await link.ended).toEqual({ reason: 'left', message: 'Gave up connecting to https://s' });
    expect([paths('disconnect'), sessions]).toEqual([[], []]);
  });
});
