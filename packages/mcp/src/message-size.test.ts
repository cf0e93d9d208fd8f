import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MAX_MESSAGE_BYTES } from './oversized-message.ts';
import {
  connect,
  type Era,
  initialize,
  makeSurroundings,
  openWire,
  type RunningMcpHttp,
  startMcpHttp,
  type Surroundings,
  useSurroundings,
  type Wire,
} from './testing.ts';

const LIMIT = 10 * 1024 * 1024;
/** Content above the message limit, with one byte of message per byte of content. */
const BEYOND = MAX_MESSAGE_BYTES + 1;
const tooLarge = (bytes: number) => `Content size ${bytes} exceeds limit of ${LIMIT} bytes`;

let surroundings: Surroundings;

const open = useSurroundings((made) => {
  surroundings = made;
});

async function start(...args: string[]): Promise<Wire> {
  const wire = openWire(['mcp', surroundings.workspace, ...args], { env: surroundings.env });
  open.push(wire);
  await initialize(wire);
  return wire;
}

/** Bytes between two texts: encoding a string of this size takes far longer. */
const around = (before: string, unit: string, times: number, after: string) =>
  Buffer.concat([Buffer.from(before), Buffer.alloc(unit.length * times, unit, 'latin1'), Buffer.from(after)]);

/** A `write_file` call whose content repeats `unit`, a piece of JSON. */
const writing = (unit: string, times: number, id: string | number = 1) =>
  around(
    `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"method":"tools/call","params":{"name":"write_file","arguments":{"path":"big.txt","content":"`,
    unit,
    times,
    '"}}}\n',
  );

/** A request that is not a call. */
const listing = (id: string | number) =>
  around(
    '{"method":"tools/list","params":{"filler":"',
    'x',
    BEYOND,
    `"},"jsonrpc":"2.0","id":${JSON.stringify(id)}}\n`,
  );

const written = () => readFileSync(join(surroundings.workspace, 'big.txt'));

describe('a large message over stdio', () => {
  it('accepts content at the limit in any escaping', async () => {
    const wire = await start();
    for (const [unit, byte] of [
      ['\\n', 10],
      ['\\u0001', 1],
    ] as const) {
      wire.child.stdin?.write(writing(unit, LIMIT, unit));
      const { result } = await wire.next(({ id }) => id === unit);
      expect(result).not.toHaveProperty('isError');
      expect(written().equals(Buffer.alloc(LIMIT, byte))).toBe(true);
    }
  });

  it('above the limit is refused by the tool if it is a call, else with an error for its id', async () => {
    const wire = await start();
    for (const bytes of [LIMIT + 1, BEYOND]) {
      wire.child.stdin?.write(writing('x', bytes, bytes));
      const { result } = await wire.next(({ id }) => id === bytes);
      const text = JSON.stringify({ error: tooLarge(bytes), path: 'big.txt' });
      expect(result).toEqual({ content: [{ type: 'text', text }], isError: true });
    }
    expect(readdirSync(surroundings.workspace)).toEqual([]);
    wire.child.stdin?.write(listing('spät'));
    const { error } = await wire.next(({ id }) => id === 'spät');
    const message = `Request is larger than ${MAX_MESSAGE_BYTES} bytes. Send less at once.`;
    expect(error).toEqual({ code: -32600, message });
    wire.send({ jsonrpc: '2.0', id: 'alive', method: 'ping' });
    await wire.next(({ id }) => id === 'alive');
  });
});

describe('a large request over HTTP', () => {
  let served: Surroundings;
  let serve: RunningMcpHttp;

  beforeAll(async () => {
    served = makeSurroundings();
    serve = await startMcpHttp([served.workspace], served);
  });
  afterAll(async () => {
    await serve?.stop();
    served?.remove();
  });

  it.each<Era>(['legacy', 'modern'])('above the limit is refused by the tool (%s)', async (era) => {
    const { client, close } = await connect(era, serve);
    const write = (text: string) =>
      client.callTool({ name: 'write_file', arguments: { path: 'big.txt', content: text } });
    for (const bytes of era === 'legacy' ? [LIMIT + 1, BEYOND] : [BEYOND]) {
      const { isError, content } = await write('x'.repeat(bytes));
      const text = JSON.stringify({ error: tooLarge(bytes), path: 'big.txt' });
      expect({ isError, content }).toEqual({ isError: true, content: [{ type: 'text', text }] });
    }
    expect(existsSync(join(served.workspace, 'big.txt'))).toBe(false);
    await close();
  });

  it('accepts content at the limit in any escaping; above it, a request that is not a call gets 413', async () => {
    const headers = {
      Authorization: `Bearer ${serve.token}`,
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
    };
    const post = (body: string | Buffer<ArrayBuffer>) => fetch(`${serve.url}/mcp`, { method: 'POST', headers, body });
    expect((await post(writing('\\u0001', LIMIT))).status).toBe(200);
    expect(readFileSync(join(served.workspace, 'big.txt')).equals(Buffer.alloc(LIMIT, 1))).toBe(true);
    const refused = await post(listing(5));
    expect(refused.status).toBe(413);
    expect(await refused.json()).toMatchObject({ id: 5, error: { message: expect.stringContaining('larger than') } });
    expect((await post('{"jsonrpc":"2.0","id":5,"method":"tools/list"}')).status).toBe(200);
  });
});
