import { describe, expect, it } from 'vitest';
import { Connection, type Dialect, type Machine } from './connection.ts';
import type { EventStream } from './event-stream.ts';

/** A stream that keeps what is written to it. */
function streamOf() {
  const state = { frames: [] as Record<string, any>[], ids: [] as string[], ended: 0, cuts: 0, pings: [] as boolean[] };
  const stream = {
    write(text: string) {
      const data = /^data: (.*)$/m.exec(text)?.[1];
      const id = /^id: (.*)$/m.exec(text)?.[1];
      if (id !== undefined) state.ids.push(id);
      if (data !== undefined) state.frames.push(JSON.parse(data));
      return true;
    },
    end: () => void state.ended++,
    cut: () => void state.cuts++,
    ping: (visible: boolean) => void state.pings.push(visible),
  } as unknown as EventStream;
  return { stream, state };
}

function connect(dialect: Dialect = 'croft') {
  const clock = { now: 1_000 };
  const machine = { userId: 'ann', keyHash: 'k', dialect, rootPath: '/p' } as unknown as Machine;
  const limits = { maxInFlight: 2, maxQueued: 2, timeoutMs: 60_000, blipMs: 100, now: () => clock.now };
  return { connection: new Connection(machine, 1, limits), clock };
}
const call = (name: string, isRepeatable = true) => ({
  request: { toolCall: { name, arguments: {} } },
  isRepeatable,
});

describe('a machine', () => {
  it('is connected while it has a stream, and shortly after it', () => {
    const { connection, clock } = connect();
    expect([connection.isConnected, connection.hasStream]).toEqual([false, false]);
    const { stream } = streamOf();
    connection.attach(stream, undefined);
    expect([connection.isConnected, connection.hasStream, connection.droppedAt]).toEqual([true, true, undefined]);
    expect(connection.detach(stream)).toBe(true);
    clock.now += 99;
    expect([connection.isConnected, connection.hasStream, connection.droppedAt]).toEqual([true, false, 1_000]);
    clock.now += 1;
    expect(connection.isConnected).toBe(false);
  });

  it('gets the calls for which its new stream has no room once it has read the others', async () => {
    const { connection } = connect();
    const older = streamOf().stream;
    connection.attach(older, undefined);
    connection.detach(older);
    for (const name of ['first', 'second']) void connection.ask(call(name, false), undefined);
    const { stream, state } = streamOf();
    const narrow = Object.assign({} as EventStream, stream, {
      hasRoom: true,
      write(text: string) {
        if (!narrow.hasRoom) return false;
        Object.assign(narrow, { hasRoom: !text.includes('filesystem-request') });
        return stream.write(text);
      },
    });
    connection.attach(narrow, undefined);
    const names = () => state.frames.map(({ payload }) => payload.toolCall.name);
    expect(names()).toEqual(['first']);
    Object.assign(narrow, { hasRoom: true });
    narrow.onRoom?.();
    expect(names()).toEqual(['first', 'second']);
    expect(state.frames.every(({ payload }) => connection.awaits(payload.requestId))).toBe(true);
  });

  it('gets each call, and its response ends it once', async () => {
    const { connection } = connect();
    const { stream, state } = streamOf();
    connection.attach(stream, undefined);
    const asked = connection.ask(call('read'), undefined);
    const [frame] = state.frames;
    expect(frame).toMatchObject({
      type: 'filesystem-request',
      payload: { deadlineMs: 60_000, toolCall: { name: 'read' } },
    });
    const requestId = frame?.['payload'].requestId as string;
    expect([connection.awaits(requestId), connection.awaits('other')]).toEqual([true, false]);
    expect([connection.answer('other', { data: 1 }), connection.answer(requestId, { data: 2 })]).toEqual([false, true]);
    expect(connection.answer(requestId, { data: 3 })).toBe(false);
    expect(await asked).toEqual({ answer: { data: 2 } });
  });

  it('gets no call while it is not connected, or has ended', async () => {
    const { connection } = connect();
    expect(await connection.ask(call('read'), undefined)).toEqual({ ended: 'not_connected' });
    const { stream, state } = streamOf();
    connection.attach(stream, undefined);
    const open = connection.ask(call('read'), undefined);
    connection.end('superseded', 'superseded');
    connection.end('closing');
    expect([await open, await connection.ask(call('read'), undefined)]).toEqual([
      { ended: 'superseded' },
      { ended: 'superseded' },
    ]);
    expect(state.frames.at(-1)).toEqual({ type: 'gateway-disconnect', payload: { reason: 'superseded' } });
    expect([state.ended, connection.isConnected]).toEqual([1, false]);
  });

  it('gets a notice when the caller cancels a call', async () => {
    const { connection } = connect();
    const { stream, state } = streamOf();
    connection.attach(stream, undefined);
    const cancelled = new AbortController();
    const asked = connection.ask(call('read'), cancelled.signal);
    cancelled.abort();
    expect(await asked).toEqual({ ended: 'cancelled' });
    expect(state.frames.at(-1)).toMatchObject({ type: 'filesystem-cancel' });
  });
});

describe('a new stream', () => {
  it('replaces an older one, which gets the reason', () => {
    const { connection } = connect();
    const [first, second] = [streamOf(), streamOf()];
    connection.attach(first.stream, undefined);
    connection.attach(second.stream, undefined);
    expect(first.state.frames).toEqual([{ type: 'gateway-disconnect', payload: { reason: 'superseded' } }]);
    expect([first.state.ended, second.state.ended]).toEqual([1, 0]);
    // The end of the older one comes late.
    expect([connection.detach(first.stream), connection.hasStream]).toEqual([false, true]);
  });

  it('gets the calls that were made meanwhile, and an id to resume from', () => {
    const { connection } = connect();
    const [first, second] = [streamOf(), streamOf()];
    connection.attach(first.stream, undefined);
    expect(first.state.ids).toHaveLength(1);
    connection.detach(first.stream);
    void connection.ask(call('read'), undefined);
    expect(first.state.frames).toEqual([]);
    connection.attach(second.stream, first.state.ids[0]);
    expect(second.state.frames).toMatchObject([{ payload: { toolCall: { name: 'read' } } }]);
    connection.end('closing');
  });

  it('gets a write again that is larger than the log, only if the client did not receive it', () => {
    const { connection } = connect();
    const [first, second, third] = [streamOf(), streamOf(), streamOf()];
    connection.attach(first.stream, undefined);
    void connection.ask(call('x'.repeat(300 * 1024), false), undefined);
    connection.detach(first.stream);
    connection.attach(second.stream, undefined);
    expect(second.state.frames).toEqual(first.state.frames);
    connection.detach(second.stream);
    connection.attach(third.stream, second.state.ids[0]);
    expect(third.state.frames).toEqual([]);
    connection.end('closing');
  });

  it('of a client that does not know repetitions does not get a write again', () => {
    const { connection } = connect('later');
    const [first, second] = [streamOf(), streamOf()];
    connection.attach(first.stream, undefined);
    void connection.ask(call('write', false), undefined);
    connection.attach(second.stream, undefined);
    expect(second.state.frames).toEqual([]);
    connection.end('closing');
  });
});

it('is pinged on its stream, visibly only for its own daemon', () => {
  const [own, other] = [connect('croft'), connect('seed')];
  const [a, b] = [streamOf(), streamOf()];
  own.connection.ping();
  own.connection.attach(a.stream, undefined);
  other.connection.attach(b.stream, undefined);
  own.connection.ping();
  other.connection.ping();
  expect([a.state.pings, b.state.pings]).toEqual([[true], [false]]);
  expect([own.connection.askForWord(), connect('croft').connection.askForWord()]).toEqual([true, false]);
  expect(a.state.frames.at(-1)).toEqual({ type: 'ping', answer: true });
});

it('can be cut, once, with the time at which it was lost', () => {
  const { connection } = connect();
  const { stream, state } = streamOf();
  expect(connection.cut(5)).toBe(false);
  connection.attach(stream, undefined);
  expect([connection.cut(5), state.cuts, connection.droppedAt, connection.cut(6)]).toEqual([true, 1, 5, false]);
});

it('counts calls without an answer until it hears something', async () => {
  const clock = { now: 0 };
  const machine = { userId: 'ann', keyHash: 'k', dialect: 'croft', rootPath: '/p' } as unknown as Machine;
  const limits = { maxInFlight: 2, maxQueued: 2, timeoutMs: 1, blipMs: 100, now: () => clock.now };
  const connection = new Connection(machine, 1, limits);
  connection.attach(streamOf().stream, undefined);
  expect(await connection.ask(call('read'), undefined)).toEqual({ ended: 'timeout' });
  clock.now = 7;
  expect(connection.unanswered).toBe(1);
  connection.heard();
  expect([connection.unanswered, connection.heardAt]).toEqual([0, 7]);
});
