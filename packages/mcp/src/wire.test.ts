import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { initialize, openWire, startMcpHttp, type Surroundings, useSurroundings, type Wire } from './testing.ts';

let surroundings: Surroundings;

const open = useSurroundings((made) => {
  surroundings = made;
});

function start(...args: string[]): Wire {
  const wire = openWire(['mcp', surroundings.workspace, ...args], { env: surroundings.env });
  open.push(wire);
  return wire;
}

async function stillAlive(wire: Wire, id = 'alive'): Promise<void> {
  wire.send({ jsonrpc: '2.0', id, method: 'ping' });
  expect(await wire.next((message) => message.id === id)).toMatchObject({ result: {} });
}

const call = (id: unknown, name: string, args: unknown) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: args },
});

describe('malformed traffic over stdio', () => {
  const cases: readonly { what: string; line: string; id: string | number | null; code: number }[] = [
    { what: 'a line that is not JSON', line: '{bad json', id: null, code: -32700 },
    {
      what: 'another version of JSON-RPC',
      line: '{"jsonrpc":"1.0","id":5,"method":"tools/list"}',
      id: 5,
      code: -32600,
    },
    { what: 'no version at all', line: '{"id":"six","method":"tools/list"}', id: 'six', code: -32600 },
    { what: 'a batch', line: '[{"jsonrpc":"2.0","id":7,"method":"ping"}]', id: null, code: -32600 },
    { what: 'a bare value', line: '42', id: null, code: -32600 },
    { what: 'an id that is an object', line: '{"jsonrpc":"2.0","id":{"a":1},"method":"ping"}', id: null, code: -32600 },
    {
      what: 'params that are no object',
      line: '{"jsonrpc":"2.0","id":8,"method":"tools/list","params":"all"}',
      id: 8,
      code: -32600,
    },
    { what: 'a method that is no text', line: '{"jsonrpc":"2.0","id":9,"method":17}', id: 9, code: -32600 },
    { what: 'an unknown method', line: '{"jsonrpc":"2.0","id":10,"method":"files/steal"}', id: 10, code: -32601 },
    {
      what: 'a call without a name',
      line: '{"jsonrpc":"2.0","id":11,"method":"tools/call","params":{}}',
      id: 11,
      code: -32602,
    },
    {
      what: 'a call whose arguments are a list',
      line: '{"jsonrpc":"2.0","id":12,"method":"tools/call","params":{"name":"list_dir","arguments":[1]}}',
      id: 12,
      code: -32602,
    },
  ];

  it('gets one protocol error per message, and the server continues', async () => {
    const wire = start();
    await initialize(wire);
    for (const { what, line, id, code } of cases) {
      wire.send(`${line}\n`);
      const answer = await wire.next((message) => message.error !== undefined);
      expect({ id: answer.id, code: answer.error?.code }, what).toEqual({ id, code });
      await stillAlive(wire, what);
    }
  });

  it('gets no response for blank lines, unexpected responses and unknown notifications', async () => {
    const wire = start();
    await initialize(wire);
    const before = wire.stdout().length;
    wire.send('\n\r\n  \n{"jsonrpc":"2.0","id":99,"result":{}}\n{"jsonrpc":"2.0","method":"notifications/unheard"}\n');
    await stillAlive(wire);
    expect(wire.stdout().slice(before).trim().split('\n')).toHaveLength(1);
  });

  it('gets errors before the handshake as well', async () => {
    const wire = start();
    wire.send('nonsense\n');
    expect((await wire.next(({ error }) => error !== undefined)).error?.code).toBe(-32700);
    expect((await initialize(wire)).result).toMatchObject({ serverInfo: { name: 'croft' } });
  });
});

describe('a busy connection', () => {
  it('answers four hundred calls sent at once, each with its own file', async () => {
    for (let i = 0; i < 20; i++) writeFileSync(join(surroundings.workspace, `f${i}.txt`), `content of ${i}`);
    const wire = start();
    await initialize(wire);
    const wanted = Array.from({ length: 400 }, (_, i) => i);
    wire.send(wanted.map((i) => `${JSON.stringify(call(i, 'read_file', { path: `f${i % 20}.txt` }))}\n`).join(''));
    for (const i of wanted) {
      const answer = await wire.next(({ id }) => id === i);
      expect(JSON.stringify(answer.result)).toContain(`content of ${i % 20}`);
    }
    expect(wire.stderr()).toBe('');
  });

  it('sends all responses to a client that first sends all requests and then reads', async () => {
    writeFileSync(join(surroundings.workspace, 'big.txt'), `${'z'.repeat(100)}\n`.repeat(600));
    const wire = start();
    await initialize(wire);
    wire.child.stdout?.pause();
    for (let i = 0; i < 500; i++) wire.send(call(i, 'read_file', { path: 'big.txt' }));
    await sleep(300);
    wire.child.stdout?.resume();
    for (let i = 0; i < 500; i++) await wire.next(({ id }) => id === i);
    expect(wire.stderr()).toBe('');
  });
});

describe('the end of the input', () => {
  async function endsByItself(wire: Wire): Promise<void> {
    wire.child.stdin?.end();
    expect((await wire.ended).code).toBe(0);
  }

  it('ends the process when nothing runs', async () => {
    const wire = start();
    await initialize(wire);
    await endsByItself(wire);
  });

  it('ends the process when there was no message', async () => {
    await endsByItself(start());
  });

  it('answers a search and a read that are running, and ends the process', async () => {
    writeFileSync(join(surroundings.workspace, 'slow.txt'), `${'a'.repeat(20_000)}!\n`.repeat(2_000));
    const wire = start();
    await initialize(wire);
    wire.send(call(1, 'grep_search', { pattern: '(?=(a+))\\1b', is_regex: true }));
    wire.send(call(2, 'read_file', { path: 'slow.txt', offset: 1_999 }));
    await sleep(200);
    await endsByItself(wire);
    expect(
      wire
        .stdout()
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as { id: unknown }).id),
    ).toEqual(expect.arrayContaining([1, 2]));
  });

  it('ends the process when its output is closed', async () => {
    const wire = start();
    await initialize(wire);
    wire.child.stdout?.destroy();
    for (let i = 0; i < 5; i++) {
      wire.send({ jsonrpc: '2.0', id: i, method: 'tools/list' });
      await sleep(50);
    }
    const { code } = await wire.ended;
    expect(code).toBe(0);
  });
});

describe('malformed traffic over HTTP', () => {
  it('gets one protocol error per malformed body', async () => {
    const serve = await startMcpHttp([surroundings.workspace], surroundings);
    open.push(serve.wire);
    const headers = { Authorization: `Bearer ${serve.token}`, Accept: 'application/json, text/event-stream' };
    const post = (body: string, type = 'application/json') =>
      fetch(`${serve.url}/mcp`, { method: 'POST', headers: { ...headers, 'Content-Type': type }, body });
    for (const body of ['{bad', '', '42', '{"jsonrpc":"1.0","id":1,"method":"tools/list"}']) {
      const answer = await post(body);
      expect(answer.status, body).toBe(400);
      expect(await answer.json(), body).toMatchObject({ error: { code: expect.any(Number) as number } });
    }
    expect((await post('{}', 'text/plain')).status).toBe(415);
    expect((await fetch(`${serve.url}/mcp`, { headers })).status).toBe(405);
  });
});
