import { EventEmitter, once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { EventStream } from './event-stream.ts';

const MIB = 1024 * 1024;

/** A response whose reader takes a piece when `takes` is set, or `take` is called. */
class FakeResponse extends EventEmitter {
  takes = true;
  status = 0;
  headers: Record<string, string> = {};
  readonly written: string[] = [];
  readonly #untaken: (() => void)[] = [];
  ended = 0;
  destroyed = 0;
  readonly socket = { setNoDelay() {}, setKeepAlive() {}, setTimeout() {} };
  writeHead(status: number, headers: Record<string, string>) {
    Object.assign(this, { status, headers });
  }
  write(piece: Buffer, onTaken?: () => void) {
    this.written.push(piece.toString());
    if (onTaken && this.takes) onTaken();
    else if (onTaken) this.#untaken.push(onTaken);
  }
  /** Takes the oldest piece. */
  take() {
    this.#untaken.shift()?.();
  }
  /** Takes every piece, also those that are written meanwhile. */
  takeAll() {
    while (this.#untaken.length > 0) this.take();
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
    res.takes = false;
    const text = 'x'.repeat(MIB);
    expect([stream.write(text), stream.write('a'), stream.write('b')]).toEqual([true, true, false]);
    res.takeAll();
    expect(res.written.join('')).toBe(`${text}a`);
  });

  it('has room again once its reader has taken all, and says so', () => {
    const { res, stream } = open();
    let room = 0;
    stream.onRoom = () => void room++;
    res.takes = false;
    stream.write('x'.repeat(MIB + 1));
    expect(stream.hasRoom).toBe(false);
    res.take();
    expect([stream.hasRoom, room]).toEqual([true, 0]);
    res.takeAll();
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
    res.takes = false;
    stream.write('x');
    stream.ping(false);
    stream.ping(false);
    res.takeAll();
    stream.ping(false);
    stream.ping(false);
    stream.ping(false);
    expect(res.destroyed).toBe(0);
    stream.ping(false);
    expect([res.destroyed, closed(), stream.isOpen]).toEqual([1, 1, false]);
  });

  it('stays while its reader takes something of a large text, however long that lasts', () => {
    const { res, stream, closed } = open();
    res.takes = false;
    stream.write('x'.repeat(MIB));
    for (let n = 0; n < 20; n++) {
      stream.ping(false);
      stream.ping(false);
      res.take();
    }
    expect([res.destroyed, stream.hasRoom]).toEqual([0, true]);
    for (let n = 0; n < 4; n++) stream.ping(false);
    expect([res.destroyed, closed()]).toEqual([1, 1]);
  });

  it('of a real connection stays while its reader takes one large text, and is cut when it stops', async () => {
    const streams: EventStream[] = [];
    const server = createServer((_, res) => void streams.push(new EventStream(res))).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
    try {
      client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
      await once(client, 'readable');
      const [stream] = streams as [EventStream];
      const over = new AbortController();
      stream.onClose = () => over.abort();
      stream.write('x'.repeat(32 * MIB));
      for (let n = 0; n < 5; n++) {
        for (let read = 0; read < 3 * MIB; ) {
          const part = client.read() as { length: number } | null;
          if (part) read += part.length;
          else await once(client, 'readable', { signal: over.signal });
        }
        stream.ping(false);
      }
      expect([stream.isOpen, stream.hasRoom]).toEqual([true, false]);
      // The kernels still take what fits into their buffers; after that nothing is taken.
      while (stream.isOpen) {
        stream.ping(false);
        await new Promise(setImmediate);
      }
      expect(over.signal.aborted).toBe(true);
    } finally {
      client.destroy();
      server.close();
    }
  });

  it('ends once, and writes nothing afterwards', () => {
    const { res, stream, closed } = open();
    stream.end();
    stream.end();
    expect([res.ended, res.destroyed, closed(), stream.isOpen, stream.write('x')]).toEqual([1, 0, 1, false, false]);
    expect(res.written).toEqual([]);
  });

  it('sends the waiting rest of a text before its end', () => {
    const { res, stream } = open();
    res.takes = false;
    const text = 'x'.repeat(MIB);
    stream.write(text);
    stream.end();
    res.takeAll();
    expect([res.written.join('') === text, res.ended, res.destroyed]).toEqual([true, 1, 0]);
  });

  it('is cut at its end where its reader has not taken very much', () => {
    const { res, stream } = open();
    res.takes = false;
    stream.write('x'.repeat(MIB + 1));
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
