import { PassThrough, Writable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import { createStdioTransport } from './stdio-transport.ts';

/** An output with a slow reader: each write completes when `take` is called. */
function slowOutput() {
  const taken: string[] = [];
  let release: (() => void) | undefined;
  const output = new Writable({
    write(chunk: Buffer, _encoding, done) {
      taken.push(chunk.toString());
      release = done;
    },
  });
  return {
    output,
    taken,
    async takeAll() {
      while (release) {
        const done = release;
        release = undefined;
        done();
        await nextTurn();
      }
    },
  };
}

const request = (id: number) => `${JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' })}\n`;

async function turns(n: number): Promise<void> {
  for (let i = 0; i < n; i++) await nextTurn();
}

describe('the stdio transport', () => {
  it('stops reading requests while the client does not read responses, and continues afterwards', async () => {
    const input = new PassThrough();
    const slow = slowOutput();
    const transport = createStdioTransport(input, slow.output);
    const seen: number[] = [];
    transport.onmessage = (message: JSONRPCMessage) => {
      const { id } = message as { id: number };
      seen.push(id);
      void transport.send({ jsonrpc: '2.0', id, result: { text: 'x'.repeat(100_000) } });
    };
    await transport.start();
    // One chunk, as from a pipe.
    input.write(Array.from({ length: 1_000 }, (_, i) => request(i)).join(''));
    await turns(50);
    expect(seen.length).toBeLessThanOrEqual(64);
    expect(slow.output.writableLength).toBeLessThan(8 * 1024 * 1024);
    for (let i = 0; i < 200 && seen.length < 1_000; i++) await slow.takeAll();
    await slow.takeAll();
    expect(seen).toEqual(Array.from({ length: 1_000 }, (_, i) => i));
    expect(slow.taken.join('').trim().split('\n')).toHaveLength(1_000);
    await transport.close();
  });

  it('parses messages for any split of the bytes, also inside a character', async () => {
    const input = new PassThrough();
    const transport = createStdioTransport(input, new PassThrough());
    const seen: unknown[] = [];
    transport.onmessage = (message: JSONRPCMessage) => void seen.push(message);
    await transport.start();
    const message = { jsonrpc: '2.0', id: 'ä€🙂', method: 'm', params: { text: 'ü' } };
    for (const byte of Buffer.from(`${JSON.stringify(message)}\r\n`)) input.write(Buffer.from([byte]));
    await turns(5);
    expect(seen).toEqual([message]);
  });

  it('continues when a handler throws, and reports the error', async () => {
    const input = new PassThrough();
    const transport = createStdioTransport(input, new PassThrough());
    const problems: string[] = [];
    const seen: unknown[] = [];
    transport.onerror = (error) => problems.push(error.message);
    transport.onmessage = (message: JSONRPCMessage) => {
      if ((message as { id: number }).id === 1) throw new Error('boom');
      seen.push((message as { id: number }).id);
    };
    await transport.start();
    input.write(request(1) + request(2));
    await turns(5);
    expect(problems).toEqual(['boom']);
    expect(seen).toEqual([2]);
  });

  it('closes once when the input ends, and refuses to send afterwards', async () => {
    const input = new PassThrough();
    const transport = createStdioTransport(input, new PassThrough());
    let closed = 0;
    transport.onclose = () => closed++;
    await transport.start();
    input.end();
    await turns(5);
    await transport.close();
    expect(closed).toBe(1);
    await expect(transport.send({ jsonrpc: '2.0', id: 1, result: {} })).rejects.toThrow('closed');
  });

  it('closes when the output fails, and ignores later errors', async () => {
    const input = new PassThrough();
    const output = new PassThrough();
    const transport = createStdioTransport(input, output);
    const problems: string[] = [];
    let closed = 0;
    transport.onerror = (error) => problems.push(error.message);
    transport.onclose = () => closed++;
    await transport.start();
    output.destroy(new Error('EPIPE'));
    await turns(5);
    output.emit('error', new Error('late'));
    expect({ problems, closed }).toEqual({ problems: ['EPIPE'], closed: 1 });
  });
});
