import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { EventStream } from './event-stream.ts';

const MIB = 1024 * 1024;

/** A response whose reader has taken all but `waiting` bytes. */
class FakeResponse extends EventEmitter {
  writableLength = 0;
  status = 0;
  headers: Record<string, string> = {};
  readonly written: string[] = [];
  ended = 0;
  destroyed = 0;
  readonly socket = { setNoDelay() {}, setKeepAlive() {}, setTimeout() {} };
  writeHead(status: number, headers: Record<string, string>) {
    Object.assign(this, { status, headers });
  }
  write(text: string) {
    this.written.push(text);
  }
  end() {
    this.ended++;
    this.emit('close');
  }
  destroy() {
    this.destroyed++;
    this.emit('close');
  }
}

function open() {
  const res = new FakeResponse();
  const stream = new EventStream(res as unknown as ServerResponse);
  let closed = 0;
  stream.onClose = () => void closed++;
  res.written.splice(0);
  return { res, stream, closed: () => closed };
}

describe('an event stream', () => {
  it('begins with headers that no proxy buffers, and the time to wait before the next one', () => {
    const res = new FakeResponse();
    new EventStream(res as unknown as ServerResponse);
    expect([res.status, res.headers['Content-Type'], res.headers['X-Accel-Buffering']]).toEqual([
      200,
      'text/event-stream; charset=UTF-8',
      'no',
    ]);
    expect(res.headers['Cache-Control']).toContain('no-cache');
    expect(res.written.join('')).toContain('retry: 1000');
  });

  it('writes while its reader takes the text', () => {
    const { res, stream } = open();
    res.writableLength = MIB;
    expect([stream.write('a'), res.written]).toEqual([true, ['a']]);
    res.writableLength = MIB + 1;
    expect([stream.write('b'), res.written]).toEqual([false, ['a']]);
  });

  it('has room again once its reader has taken all, and says so', () => {
    const { res, stream } = open();
    let room = 0;
    stream.onRoom = () => void room++;
    res.writableLength = MIB + 1;
    expect(stream.hasRoom).toBe(false);
    res.writableLength = 0;
    res.emit('drain');
    expect([stream.hasRoom, room]).toEqual([true, 1]);
    stream.end();
    expect(stream.hasRoom).toBe(false);
  });

  it('sends pings that programs do not see, except where they want them', () => {
    const { res, stream } = open();
    stream.ping(false);
    stream.ping(true);
    expect(res.written[0]).toBe(': ping\n\n');
    expect(res.written[1]).toContain('data: {"type":"ping"}');
  });

  it('is cut when nothing could be written over three pings, and not by a short stall', () => {
    const { res, stream, closed } = open();
    res.writableLength = 1;
    stream.ping(false);
    stream.ping(false);
    res.writableLength = 0;
    stream.ping(false);
    res.writableLength = 1;
    stream.ping(false);
    stream.ping(false);
    expect(res.destroyed).toBe(0);
    stream.ping(false);
    expect([res.destroyed, closed(), stream.isOpen]).toEqual([1, 1, false]);
  });

  it('ends once, and writes nothing afterwards', () => {
    const { res, stream, closed } = open();
    stream.end();
    stream.end();
    expect([res.ended, res.destroyed, closed(), stream.isOpen, stream.write('x')]).toEqual([1, 0, 1, false, false]);
    expect(res.written).toEqual([]);
  });

  it('is cut at its end where its reader has not taken very much', () => {
    const { res, stream } = open();
    res.writableLength = MIB + 1;
    stream.end();
    expect([res.ended, res.destroyed]).toEqual([0, 1]);
    const other = open();
    other.stream.cut();
    expect(other.res.destroyed).toBe(1);
  });

  it('survives an error of its socket', () => {
    const { res } = open();
    expect(() => res.emit('error', new Error('reset'))).not.toThrow();
  });
});
