import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import type { Connection } from './connection.ts';
import type { EventStream } from './event-stream.ts';
import type { Machines } from './machines.ts';
import type { Pairings } from './pairings.ts';
import { WaitingStreams } from './waiting-streams.ts';

function response() {
  const state = { ended: 0, written: '' };
  const res = Object.assign(new EventEmitter(), {
    writeHead() {},
    write(piece: Buffer, onTaken: () => void) {
      state.written += piece.toString();
      onTaken();
    },
    end() {
      state.ended++;
      res.emit('close');
    },
    destroy() {},
  });
  return { res: res as unknown as ServerResponse, state, close: () => res.emit('close') };
}

function setUp() {
  const valid = new Set(['a', 'b']);
  const attached: EventStream[] = [];
  const machines = { attach: (_: Connection, stream: EventStream) => attached.push(stream) } as unknown as Machines;
  const pairings = { peek: (hash: string) => (valid.has(hash) ? 'ann' : undefined) } as unknown as Pairings;
  return { waiting: new WaitingStreams(machines, pairings), valid, attached };
}
const connection = {} as Connection;

describe('a stream that waits for its init', () => {
  it('moves to the connection of its token, once', () => {
    const { waiting, attached } = setUp();
    waiting.open('a', response().res);
    waiting.adopt('b', connection);
    expect(attached).toHaveLength(0);
    waiting.adopt('a', connection);
    waiting.adopt('a', connection);
    expect(attached).toHaveLength(1);
  });

  it('is one for each token: a newer one ends the older', () => {
    const { waiting, attached } = setUp();
    const [first, second] = [response(), response()];
    waiting.open('a', first.res);
    waiting.open('a', second.res);
    expect([first.state.ended, second.state.ended]).toEqual([1, 0]);
    waiting.adopt('a', connection);
    expect(attached).toHaveLength(1);
  });

  it('is forgotten when it closes', () => {
    const { waiting, attached } = setUp();
    const { res, close } = response();
    waiting.open('a', res);
    close();
    waiting.adopt('a', connection);
    expect(attached).toHaveLength(0);
  });

  it('is pinged while its token is valid, and ended afterwards', () => {
    const { waiting, valid } = setUp();
    const { res, state } = response();
    waiting.open('a', res);
    waiting.ping();
    expect([state.written.includes(': ping'), state.ended]).toEqual([true, 0]);
    valid.delete('a');
    waiting.ping();
    expect(state.ended).toBe(1);
  });

  it('ends with the hub', () => {
    const { waiting } = setUp();
    const { res, state } = response();
    waiting.open('a', res);
    waiting.endAll();
    expect(state.ended).toBe(1);
  });
});
