import { describe, expect, it } from 'vitest';
import type { Machine } from './connection.ts';
import type { EventStream } from './event-stream.ts';
import { Machines, PING_SLICES } from './machines.ts';

const machineOf = (userId: string, keyHash: string, answersPings = true): Machine =>
  ({ userId, keyHash, dialect: 'croft', rootPath: '/p', answersPings }) as unknown as Machine;

function streamOf() {
  const state = { isOpen: true, pings: 0, written: '' };
  const stream = {
    get isOpen() {
      return state.isOpen;
    },
    onClose: undefined as (() => void) | undefined,
    write: (text: string) => {
      state.written += text;
      return true;
    },
    ping: () => void state.pings++,
    end: () => void (state.isOpen = false),
    cut: () => void (state.isOpen = false),
  };
  return { stream: stream as unknown as EventStream, state, close: () => stream.onClose?.() };
}

function setUp() {
  const clock = { now: 0 };
  const changed: string[] = [];
  const gone: string[] = [];
  const machines = new Machines(
    { maxInFlight: 2, maxQueued: 2, timeoutMs: 1_000, blipMs: 100, now: () => clock.now },
    {
      graceMs: 1_000,
      silenceMs: 10_000,
      answerMs: 1_000,
      onChange: (userId) => changed.push(userId),
      onGone: ({ machine }) => gone.push(machine.keyHash),
    },
  );
  return { machines, clock, changed, gone };
}

describe('the machines of a hub', () => {
  it('are one for each user, the newest, found by user and by key', () => {
    const { machines, gone } = setUp();
    const first = machines.add(machineOf('ann', 'a'), false);
    const { stream, state } = streamOf();
    machines.attach(first, stream, undefined);
    const second = machines.add(machineOf('ann', 'b'), false);
    machines.add(machineOf('bob', 'c'), false);
    expect([machines.ofUser('ann'), machines.ofKey('a'), machines.ofKey('b')]).toEqual([second, undefined, second]);
    expect([machines.size, machines.users(), gone]).toEqual([2, ['ann', 'bob'], ['a']]);
    expect(state.written).toContain('"reason":"superseded"');
    expect(second.generation).toBeGreaterThan(first.generation);
  });

  it('keep the open stream of a client that begins again with its key', () => {
    const { machines, changed } = setUp();
    const { stream, state } = streamOf();
    machines.attach(machines.add(machineOf('ann', 'a'), false), stream, undefined);
    const again = machines.add(machineOf('ann', 'a'), true);
    expect([again.hasStream, state.isOpen, state.written.includes('superseded')]).toEqual([true, true, false]);
    expect(machines.keysInUse()).toEqual(['a']);
    const other = machines.add(machineOf('ann', 'a'), false);
    expect([other.hasStream, changed.length]).toEqual([false, 2]);
  });

  it('report when they connect, and when they are gone for longer than a blip', () => {
    const { machines, clock, changed } = setUp();
    const connection = machines.add(machineOf('ann', 'a'), false);
    const { stream, close } = streamOf();
    machines.attach(connection, stream, undefined);
    expect(changed).toEqual(['ann']);
    close();
    clock.now = 99;
    machines.tick();
    expect(changed).toHaveLength(1);
    clock.now = 100;
    machines.tick();
    machines.tick();
    expect([changed, machines.keysInUse()]).toEqual([['ann', 'ann'], []]);
  });

  it('are forgotten when they have no stream for too long, also if they never had one', () => {
    const { machines, clock, gone } = setUp();
    machines.add(machineOf('ann', 'a'), false);
    clock.now = 999;
    machines.tick();
    expect(machines.size).toBe(1);
    clock.now = 1_000;
    machines.tick();
    expect([machines.size, gone]).toEqual([0, ['a']]);
  });

  it('stay while they have a stream', () => {
    const { machines, clock } = setUp();
    machines.attach(machines.add(machineOf('ann', 'a', false), false), streamOf().stream, undefined);
    clock.now = 5_000;
    machines.tick();
    expect(machines.size).toBe(1);
  });

  it('are each pinged once in a period', () => {
    const { machines } = setUp();
    const streams = ['a', 'b', 'c'].map((key) => {
      const made = streamOf();
      machines.attach(machines.add(machineOf(key, key, false), false), made.stream, undefined);
      return made;
    });
    for (let slice = 0; slice < PING_SLICES; slice++) machines.tick();
    expect(streams.map(({ state }) => state.pings)).toEqual([1, 1, 1]);
  });

  it('are asked for a word when they were silent, and gone if none comes', () => {
    const { machines, clock, changed, gone } = setUp();
    const connection = machines.add(machineOf('ann', 'a'), false);
    const { stream, state } = streamOf();
    machines.attach(connection, stream, undefined);
    clock.now = 9_999;
    machines.lookAt('ann');
    expect(state.written).not.toContain('"answer":true');
    clock.now = 10_000;
    machines.lookAt('ann');
    expect(state.written).toContain('"answer":true');
    clock.now = 11_000;
    machines.tick();
    expect([connection.hasStream, changed, gone]).toEqual([false, ['ann', 'ann'], ['a']]);
  });

  it('are asked for a word from time to time where nothing uses them', () => {
    const { machines, clock } = setUp();
    const { stream, state } = streamOf();
    machines.attach(machines.add(machineOf('ann', 'a'), false), stream, undefined);
    clock.now = 10 * 60_000;
    for (let slice = 0; slice < PING_SLICES; slice++) machines.tick();
    expect(state.written).toContain('"answer":true');
  });

  it('do not lose a new stream by the late end of an older one', () => {
    const { machines, clock } = setUp();
    const connection = machines.add(machineOf('ann', 'a'), false);
    const [first, second] = [streamOf(), streamOf()];
    machines.attach(connection, first.stream, undefined);
    machines.attach(connection, second.stream, undefined);
    first.close();
    clock.now = 5_000;
    machines.tick();
    expect([connection.hasStream, machines.size]).toEqual([true, 1]);
  });

  it('can all be ended', () => {
    const { machines, gone } = setUp();
    machines.add(machineOf('ann', 'a'), false);
    machines.add(machineOf('bob', 'b'), false);
    expect(machines.end('no such', 'closing')).toBe(false);
    machines.endAll('closing');
    expect([machines.size, gone, machines.ofKey('a')]).toEqual([0, ['a', 'b'], undefined]);
  });
});
