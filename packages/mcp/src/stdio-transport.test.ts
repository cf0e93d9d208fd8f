import { PassThrough, Readable, Writable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import type { QuotedAnswer } from './answer-now.ts';
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

/** An output that takes everything at once. */
function recorded() {
  const writes: string[] = [];
  const output = new Writable({
    write(chunk: Buffer, _encoding, done) {
      writes.push(chunk.toString());
      done();
    },
  });
  return { output, writes };
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

  it('answers a line that is not a message with an error, and ignores empty lines', async () => {
    const input = new PassThrough();
    const output = new PassThrough();
    const transport = createStdioTransport(input, output);
    const seen: unknown[] = [];
    transport.onmessage = (message: JSONRPCMessage) => void seen.push(message);
    await transport.start();
    const lines = async (...messages: unknown[]) => {
      for (const message of messages)
        input.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`);
      await turns(5);
      return [
        seen.splice(0),
        String(output.read() ?? '')
          .split('\n')
          .slice(0, -1)
          .map((line) => JSON.parse(line)),
      ];
    };
    const good = [
      { jsonrpc: '2.0', id: 1, method: 'm' },
      { jsonrpc: '2.0', id: 'a', method: 'm', params: {} },
      { jsonrpc: '2.0', method: 'm' },
      { jsonrpc: '2.0', id: 1, result: {} },
      { jsonrpc: '2.0', id: 1, error: { code: 1, message: 'm' } },
    ];
    expect(await lines('', ' \t\r', ...good)).toEqual([good, []]);
    const error = (id: unknown, code: number, message: string) => ({ jsonrpc: '2.0', id, error: { code, message } });
    const notJson = error(null, -32_700, 'Not JSON: one message a line is expected');
    const notMessage = (id: unknown) => error(id, -32_600, 'Not a JSON-RPC 2.0 message');
    expect(await lines('{"jsonrpc"', 'x')).toEqual([[], [notJson, notJson]]);
    expect(
      await lines(
        'null',
        '5',
        [good[0]],
        { jsonrpc: '1.0', id: 7, method: 'm' },
        { id: 'b', method: 'm' },
        { jsonrpc: '2.0', id: true, method: 'm' },
        { jsonrpc: '2.0', id: null, method: 'm' },
        { jsonrpc: '2.0', id: 1.5, method: 'm' },
        { jsonrpc: '2.0', id: 8 },
        { jsonrpc: '2.0', id: 9, method: 5 },
        { jsonrpc: '2.0', id: 9, method: 'm', params: null },
        { jsonrpc: '2.0', id: 9, method: 'm', params: [] },
        { jsonrpc: '2.0', id: 9, method: 'm', params: 'text' },
        { jsonrpc: '2.0', id: 9, method: 'm', result: {} },
      ),
    ).toEqual([[], [null, null, null, 7, 'b', null, null, 1.5, 8, 9, 9, 9, 9, 9].map(notMessage)]);
  });

  it('writes responses that are ready together in one call, in their order, and larger ones separately', async () => {
    const { output, writes } = recorded();
    const transport = createStdioTransport(new PassThrough(), output);
    await transport.start();
    const rest = JSON.stringify({ jsonrpc: '2.0', id: 1, result: { t: '' } }).length;
    /** Sends responses whose lines have these lengths, and returns the ids in each write. */
    const send = async (...lengths: number[]) => {
      for (const [id, length] of lengths.entries())
        void transport.send({ jsonrpc: '2.0', id, result: { t: 'x'.repeat(length - rest) } });
      await turns(1);
      return writes.splice(0).map((text) => [...text.matchAll(/"id":(\d)/g)].map(([, id]) => id).join(' '));
    };
    expect(await send(50, 50, 50_000, 50, 50)).toEqual(['0 1', '2', '3 4']);
    // A character may take three bytes of the 131,072.
    expect([await send(45, 43_675), await send(46, 43_675)]).toEqual([['0 1'], ['0', '1']]);
    expect([await send(43_690, 50), await send(43_691, 50)]).toEqual([['0 1'], ['0', '1']]);
    await transport.close();
  });

  it('keeps responses that the output has not taken yet', async () => {
    const slow = slowOutput();
    const transport = createStdioTransport(new PassThrough(), slow.output);
    await transport.start();
    for (const id of [1, 2, 3]) {
      void transport.send({ jsonrpc: '2.0', id, result: {} });
      await turns(1);
    }
    await slow.takeAll();
    expect(slow.taken).toEqual([1, 2, 3].map((id) => `{"jsonrpc":"2.0","id":${id},"result":{}}\n`));
    await transport.close();
  });

  it('writes answers of the shortcut, and passes its other messages on', async () => {
    const { output, writes } = recorded();
    const input = new PassThrough();
    const message = (id: number) => ({ jsonrpc: '2.0' as const, id, result: { id } });
    const sent: unknown[] = [];
    const quoted = (id: number, length: number): QuotedAnswer => ({
      message: () => message(id),
      write: (into, at) => (at + length > into.length ? -1 : at + into.write(`${id}`.repeat(length), at, 'latin1')),
    });
    const answers = [quoted(1, 5), message(2), undefined, quoted(4, 131_050), quoted(5, 131_072), quoted(6, 131_073)];
    const transport = createStdioTransport(input, output, {
      answer: (request) => answers[(request as { id: number }).id - 1],
      sent: (one) => void sent.push(one),
      takeCall: () => undefined,
    });
    const seen: unknown[] = [];
    transport.onmessage = (one: JSONRPCMessage) => void seen.push((one as { id: number }).id);
    await transport.start();
    input.write(Array.from({ length: 6 }, (_, i) => request(i + 1)).join(''));
    await turns(5);
    expect(writes.map((text) => (text.length > 1_000 ? `${text[0]} ${text.length}` : text))).toEqual([
      `11111\n${JSON.stringify(message(2))}\n`,
      '4 131051',
      `${JSON.stringify(message(5))}\n`,
      `${JSON.stringify(message(6))}\n`,
    ]);
    expect([seen, sent]).toEqual([[3], []]);
    await transport.send(message(3));
    expect(sent).toEqual([message(3)]);
    await transport.close();
  });

  it('reports an error of the input, and closes when the input closes', async () => {
    const input = new PassThrough();
    const transport = createStdioTransport(input, new PassThrough());
    const events: string[] = [];
    transport.onerror = (error) => events.push(error.message);
    transport.onclose = () => events.push('closed');
    await transport.start();
    input.destroy(new Error('broken'));
    await turns(5);
    expect(events).toEqual(['broken', 'closed']);
    const late = createStdioTransport(input, new PassThrough());
    late.onclose = () => events.push('late');
    await late.start();
    await turns(2);
    expect(events).toEqual(['broken', 'closed', 'late']);
  });

  it('writes what is ready when it is closed, and reads no more', async () => {
    const input = new PassThrough();
    const { output, writes } = recorded();
    const transport = createStdioTransport(input, output);
    const seen: unknown[] = [];
    transport.onmessage = (message: JSONRPCMessage) => void seen.push(message);
    await transport.start();
    void transport.send({ jsonrpc: '2.0', id: 1, result: {} });
    await transport.close();
    input.write(request(1));
    await turns(5);
    expect([writes, seen, input.isPaused()]).toEqual([['{"jsonrpc":"2.0","id":1,"result":{}}\n'], [], true]);
    expect(['data', 'error', 'end', 'close'].map((name) => input.listenerCount(name))).toEqual(
      ['data', 'error', 'end', 'close'].map((name) => new PassThrough().listenerCount(name)),
    );
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
    await expect(transport.send({ jsonrpc: '2.0', id: 1, result: {} })).rejects.toThrow('The connection is closed');
  });

  it('handles all messages of an input that ended before it closes', async () => {
    const input = new Readable({ read() {} });
    input.push(Array.from({ length: 100 }, (_, id) => request(id)).join(''));
    input.push(null);
    const transport = createStdioTransport(input, new PassThrough());
    const seen: unknown[] = [];
    transport.onmessage = (message: JSONRPCMessage) => {
      const { id } = message as { id: number };
      seen.push(id);
      void transport.send({ jsonrpc: '2.0', id, result: {} });
    };
    const closed = new Promise<void>((resolve) => {
      transport.onclose = resolve;
    });
    await transport.start();
    await closed;
    await turns(5);
    expect(seen).toEqual(Array.from({ length: 100 }, (_, id) => id));
  });

  /** A transport whose input was this text. Lists the messages that it passed on, and that it closed. */
  async function endedAfter(text: string) {
    const input = new PassThrough();
    const { output, writes } = recorded();
    const transport = createStdioTransport(input, output);
    const events: unknown[] = [];
    transport.onmessage = (message: JSONRPCMessage) => void events.push(message);
    transport.onclose = () => events.push('closed');
    await transport.start();
    input.end(text);
    await turns(20);
    return {
      events,
      output,
      writes,
      send: async (message: object) => {
        void transport.send({ jsonrpc: '2.0', ...message } as JSONRPCMessage);
        await turns(3);
      },
    };
  }
  /** The same with these messages, without a newline after the last one. Lists what follows them. */
  async function ended(...messages: object[]) {
    const lines = messages.map((message) => JSON.stringify({ jsonrpc: '2.0', ...message }));
    const transport = await endedAfter(lines.join('\n'));
    transport.events.splice(0, messages.length);
    return transport;
  }
  const call = (id: number | string) => ({ id, method: 'tools/call' });

  it('closes only after the responses to all requests of an input that ended', async () => {
    const { events, writes, send } = await ended(call(1), call(2), call(2), { method: 'note' });
    const responses = [
      { id: 2, result: {} },
      { id: 1, error: { code: 1, message: 'm' } },
    ];
    for (const response of responses) await send(response);
    await send({ method: 'notifications/progress' });
    expect(events).toEqual([]);
    await send({ id: 2, result: { last: true } });
    expect(events).toEqual(['closed']);
    expect(writes.join('').trim().split('\n')).toHaveLength(4);
  });

  it('takes the last line of an input that ends without a newline', async () => {
    const input = new PassThrough();
    const transport = createStdioTransport(input, new PassThrough());
    const seen: unknown[] = [];
    transport.onmessage = (message: JSONRPCMessage) => void seen.push((message as { id: number }).id);
    await transport.start();
    input.end(`${request(1)}${request(2).trim()}`);
    await turns(20);
    expect(seen).toEqual([1, 2]);
    await transport.close();
  });

  it('refuses a last line that is cut off', async () => {
    const { events, writes } = await endedAfter(request(1).slice(0, -3));
    expect(writes.map((line) => JSON.parse(line) as unknown)).toMatchObject([{ id: null, error: { code: -32_700 } }]);
    expect(events).toEqual(['closed']);
  });

  it('does not wait for requests that get no response: cancelled ones and subscriptions', async () => {
    const cancel = (requestId: unknown) => ({ method: 'notifications/cancelled', params: { requestId } });
    expect((await ended(call('a'), cancel('a'), { id: 3, method: 'subscriptions/listen' })).events).toEqual(['closed']);
    // Neither another id nor a response of the client settles the request.
    expect((await ended(call(1), cancel('1'), { id: 1, result: {} })).events).toEqual([]);
  });

  it('closes the questions of calls when the input ends, and later ones at once', async () => {
    const input = new PassThrough();
    const { output } = recorded();
    const transport = createStdioTransport(input, output);
    const events: unknown[] = [];
    transport.onmessage = (message: JSONRPCMessage) => void events.push(message);
    transport.onclose = () => events.push('closed');
    await transport.start();
    const question = (id: number) => ({ jsonrpc: '2.0' as const, id, method: 'elicitation/create', params: {} });
    for (const id of [5, 6]) void transport.send(question(id));
    input.write(request(5));
    input.end(JSON.stringify({ jsonrpc: '2.0', id: 6, result: { action: 'decline' } }));
    await turns(20);
    const closed = (id: number) => ({ jsonrpc: '2.0', id, result: { action: 'cancel' } });
    expect(events.splice(0)).toMatchObject([{ id: 5, method: 'ping' }, { result: { action: 'decline' } }, closed(5)]);
    void transport.send(question(7));
    await turns(3);
    expect(events.splice(0)).toEqual([closed(7)]);
    await transport.send({ jsonrpc: '2.0', id: 5, result: {} });
    await turns(3);
    expect(events).toEqual(['closed']);
  });

  it('closes at once when the output fails after the end of the input', async () => {
    const { events, output } = await ended(call(1));
    expect(events).toEqual([]);
    output.destroy(new Error('EPIPE'));
    await turns(3);
    expect(events).toEqual(['closed']);
  });

  it('handles no further message once its output failed', async () => {
    const input = new PassThrough();
    const output = new PassThrough();
    const transport = createStdioTransport(input, output);
    const seen: unknown[] = [];
    transport.onmessage = (message: JSONRPCMessage) => {
      seen.push(message);
      output.destroy(new Error('EPIPE'));
    };
    await transport.start();
    input.write(Array.from({ length: 100 }, (_, id) => request(id)).join(''));
    await turns(10);
    expect(seen).toHaveLength(32);
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
