import * as fs from 'node:fs';
import * as http from 'node:http';
import * as net from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { runGuardHook } from '../../apps/cli/src/commands/guard-hook.ts';
import { createMcpFilter } from '../../packages/guard/src/mcp/mcp-filter.ts';
import { foreignRequest, LOOPBACK_NAMES } from '../../packages/guard/src/decisions/own-host.ts';
import type { GuardProxyOptions } from '../../packages/guard/src/proxy/proxy.ts';
import { WIRES } from './replies.mjs';
import { type FakeReply, type GuardedPair, startGuarded } from './wire/fake-upstream.ts';
import { allowAll, blockOutside } from '../../packages/guard/src/wire/testing.ts';

const input = vi.hoisted(() => ({ text: Buffer.alloc(0), said: [] as string[], reader: 'there' }));
vi.mock('node:fs', async (load) => {
  const real = await load<typeof fs>();
  return {
    ...real,
    readSync: (descriptor: number, buffer: Buffer, ...rest: []) => {
      if (descriptor !== 0) return real.readSync(descriptor, buffer, ...rest);
      const count = input.text.copy(buffer);
      input.text = input.text.subarray(count);
      return count;
    },
    fstatSync: (descriptor: number, ...rest: []) =>
      descriptor === 1 && input.reader === 'nobody' ? real.statSync('/dev/null') : real.fstatSync(descriptor, ...rest),
    writeSync: (descriptor: number, bytes: Buffer) => {
      if (descriptor === 1 && input.reader === 'gone') throw Object.assign(new Error('write EPIPE'), { code: 'EPIPE' });
      input.said.push(`${descriptor} ${bytes.toString()}`);
      return bytes.length;
    },
  };
});

describe('the hook', () => {
  afterEach(() => {
    process.exitCode = undefined;
    input.reader = 'there';
  });
  const run = (text: string | Uint8Array, flags = {}) => {
    input.text = Buffer.from(text);
    input.said = [];
    runGuardHook(flags);
    return { code: process.exitCode, said: input.said.join('') };
  };
  const call = JSON.stringify({ hook_event_name: 'PreToolUse', tool_name: 'Read', tool_input: { file_path: 'a' } });

  it('blocks with code 2 a message it cannot read', () => {
    expect(run('nope')).toMatchObject({ code: 2, said: expect.stringMatching(/^2 .*blocked/) as string });
  });

  it('blocks with code 2 a message with a key twice', () => {
    expect(run('{"hook_event_name":"PreToolUse","hook_event_name":"x"}').code).toBe(2);
  });

  const DENIED = '{"hook_event_name":"PreToolUse","tool_name":"Write","tool_input":7}';
  it('blocks with code 2 if its response cannot be written', () => {
    expect(run(DENIED)).toMatchObject({ code: undefined, said: expect.stringMatching(/^1 .*deny/) as string });
    input.reader = 'gone';
    expect(run(DENIED)).toMatchObject({ code: 2, said: expect.stringMatching(/^2 .*blocked/) as string });
  });

  it('blocks with code 2 if its output is closed', () => {
    input.reader = 'nobody';
    expect(run(DENIED)).toMatchObject({ code: 2, said: expect.stringMatching(/2 .*blocked/) as string });
  });

  it('blocks with code 2 a message that is not UTF-8', () => {
    expect(run(Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xff]), Buffer.from('"}')])).code).toBe(2);
  });

  it('blocks with code 2 an event it does not know', () => {
    expect(run('{"hook_event_name":"PostToolUse"}').code).toBe(2);
  });

  it('blocks with code 2 if its configuration is invalid', () => {
    expect(run(call, { root: '/nowhere/at/all' }).code).toBe(2);
  });
});

describe('the guard of an MCP server', () => {
  const filter = (judge = blockOutside) => createMcpFilter({ judge, mode: 'enforce' });
  const line = (params: string) => Buffer.from(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}\n`);

  it('forwards no call that is blocked', () => {
    const found = filter().line(line('{"name":"w","arguments":{"path":"/etc/x"}}'));
    expect(found.forward).toBeUndefined();
    expect(found.answer).toContain('isError');
  });

  it('forwards no call when the judge throws', () => {
    const failing = () => {
      throw new Error('no');
    };
    expect(filter(failing).line(line('{"name":"w","arguments":{}}')).forward).toBeUndefined();
  });

  it('forwards no call when the judge gives no decision', () => {
    const odd = () => ({ ...allowAll(), decision: 'perhaps' as 'allow' });
    expect(filter(odd).line(line('{"name":"w","arguments":{}}')).forward).toBeUndefined();
  });

  it('forwards no call that cannot be judged', () => {
    expect(filter(allowAll).line(line('{"name":"w","name":"v","arguments":{}}')).forward).toBeUndefined();
  });

  it('forwards nothing it refuses', () => {
    expect(filter(allowAll).line(Buffer.from('[]\n')).forward).toBeUndefined();
  });

  it('forwards nothing that is too large', () => {
    expect(filter(allowAll).tooLarge({ id: '1' }).forward).toBeUndefined();
  });

  it('judges the arguments as they were written', () => {
    let seen: unknown;
    filter((call) => {
      seen = call.arguments;
      return allowAll();
    }).line(line('{"name":"w","arguments":{"a":1,"a":2}}'));
    expect(seen).toBe('{"a":1,"a":2}');
  });
});

describe('the proxy', () => {
  let pair: GuardedPair;
  afterEach(() => pair?.close());
  const [chat] = WIRES;
  const SSE = { 'content-type': 'text/event-stream' };
  const hostile = { name: 'w', arguments: '{"path":"/etc/x"}' };

  async function ask(
    path: string,
    reply: FakeReply = { body: '{}' },
    { method = 'POST', ...options }: Partial<GuardProxyOptions> & { method?: string } = {},
  ): Promise<{ status: number; body: string; asked: number }> {
    pair = await startGuarded(options);
    pair.upstream.replies = [reply];
    return await new Promise((resolve, reject) => {
      const request = http.request(`${pair.url}${path}`, { method }, (answer) => {
        const chunks: Buffer[] = [];
        const end = () =>
          resolve({
            status: answer.statusCode ?? 0,
            body: Buffer.concat(chunks).toString(),
            asked: pair.upstream.requests.length,
          });
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('end', end).on('error', end);
      });
      request.on('error', reject);
      request.end(method === 'POST' ? '{"model":"m","messages":[]}' : undefined);
    });
  }
  const CHAT = '/v1/chat/completions';

  it('refuses an unknown endpoint without asking upstream', async () => {
    expect(await ask('/v1/new/thing')).toMatchObject({ status: 403, asked: 0 });
  });

  it('knows an endpoint spelled in another way', async () => {
    const { body } = await ask('/v1/chat/%2563ompletions', {
      headers: SSE,
      body: chat?.stream(hostile) as string,
    });
    expect(body).not.toContain('/etc/');
    expect(body).toContain('refused');
  });

  it('refuses stored replies that may hold calls', async () => {
    expect(await ask('/v1/chat/completions/c1', undefined, { method: 'GET' })).toMatchObject({ status: 403, asked: 0 });
  });

  it('refuses a websocket', async () => {
    pair = await startGuarded();
    const answer = await new Promise<string>((resolve) => {
      const socket = net.connect(Number(new URL(pair.url).port), '127.0.0.1', () =>
        socket.write('GET /v1/realtime HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'),
      );
      let text = '';
      socket.on('data', (chunk) => (text += chunk.toString()));
      socket.on('close', () => resolve(text));
    });
    expect(answer).toMatch(/^HTTP\/1\.1 426 Upgrade Required\r\nUpgrade: [^]*websockets/);
  });

  it('refuses a content type it does not know', async () => {
    const reply = { headers: { 'content-type': 'application/vnd.amazon.eventstream' }, body: 'x' };
    expect((await ask(CHAT, reply)).status).toBe(502);
  });

  it('refuses a charset it does not read', async () => {
    const reply = { headers: { 'content-type': 'text/event-stream; charset=utf-16' }, body: 'x' };
    expect((await ask(CHAT, reply)).status).toBe(502);
  });

  it('refuses a coding it does not know', async () => {
    expect((await ask(CHAT, { headers: { 'content-encoding': 'zstd' }, body: 'x' })).status).toBe(502);
  });

  it('refuses a redirect', async () => {
    const reply = { status: 307, headers: { location: 'https://elsewhere/' }, body: '' };
    expect((await ask(CHAT, reply)).status).toBe(502);
  });

  it('refuses a reply in one piece that is too large', async () => {
    const reply = { body: chat?.body({ name: 'w', arguments: '{"path":"a"}' }) as string };
    expect((await ask(CHAT, reply, { limits: { maxBody: 64 } })).status).toBe(502);
  });

  it('refuses a reply in one piece that cannot be read', async () => {
    expect((await ask(CHAT, { body: '{"choices":[{"message":{"tool_calls":[' })).status).toBe(502);
  });

  it('refuses bytes that some clients would read as another encoding', async () => {
    const hidden = Buffer.from(chat?.body(hostile) as string, 'utf16le');
    expect((await ask(CHAT, { body: hidden })).status).toBe(502);
  });

  it('passes no request on that a foreign page could have sent', async () => {
    const reply = { body: chat?.plain.body as string };
    expect(await ask(CHAT, reply, { hostnames: ['guard.lan'] })).toMatchObject({ status: 403, asked: 0 });
  });

  it('drops a call in which upstream breaks off, and says so', async () => {
    const whole = chat?.stream({ name: 'w', arguments: '{"path":"a"}' }) as string;
    const cut = whole.slice(0, whole.indexOf('"finish_reason":"tool_calls"'));
    const { body } = await ask(CHAT, { headers: SSE, body: [cut.slice(0, cut.lastIndexOf('data:'))], cut: true });
    expect(body).not.toContain('tool_calls');
    expect(body).toContain('"error"');
  });

  it('lets no call through when no judge can be made', async () => {
    const judgeFor = () => {
      throw new Error('no root');
    };
    const reply = { headers: SSE, body: chat?.stream({ name: 'w', arguments: '{"path":"a"}' }) as string };
    expect((await ask(CHAT, reply, { judgeFor })).body).not.toContain('tool_calls');
  });

  it('lets no call through when its decision cannot be written down', async () => {
    const onDecision = () => {
      throw new Error('disk full');
    };
    const reply = { headers: SSE, body: chat?.stream({ name: 'w', arguments: '{"path":"a"}' }) as string };
    expect((await ask(CHAT, reply, { onDecision })).body).not.toContain('tool_calls');
  });

  it('takes no request past its limit', async () => {
    expect(await ask(CHAT, undefined, { limits: { maxOpen: 0 } })).toMatchObject({ status: 503, asked: 0 });
  });

  it('asks again with the calls refused, and no more often than it may', async () => {
    const reply = { headers: SSE, body: chat?.stream(hostile) as string };
    const { body, asked } = await ask(CHAT, reply, { limits: { maxRetries: 2 } });
    expect(asked).toBe(3);
    expect(body).not.toContain('/etc/');
  });
});

describe('a request for the guard itself', () => {
  const asked = (headers: http.IncomingHttpHeaders) => foreignRequest(headers, LOOPBACK_NAMES);

  it('is refused from a foreign page: another host', () => {
    expect(asked({ host: 'evil.example:1' })).toBe('Host not allowed');
    expect(asked({ host: 'localhost:1' })).toBeUndefined();
  });

  it('is refused from a foreign page: another origin', () => {
    expect(asked({ host: 'localhost:1', origin: 'http://evil.example:1' })).toBe('Origin not allowed');
    expect(asked({ host: 'localhost:1', origin: 'http://localhost:2' })).toBe('Origin not allowed');
    expect(asked({ host: 'localhost:1', origin: 'http://localhost:1' })).toBeUndefined();
  });
});
