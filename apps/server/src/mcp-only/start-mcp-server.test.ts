import { connect as connectSocket } from 'node:net';
import { READS, type AnyTool } from '@croft/tools';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type McpServerOptions, type RunningMcpServer, startMcpServer } from './start-mcp-server.ts';

const TOKEN = `croft_${'t'.repeat(43)}`;
const OVERVIEW = {
  url: '',
  token: TOKEN,
  roots: [],
  tools: [],
  toolset: 'full',
  readOnly: false,
  resolver: 'walk',
  secondWall: 'on',
  version: '1',
  recent: [],
  advice: [],
};
const running: RunningMcpServer[] = [];

afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.close()));
});

function fakeTool(run: AnyTool['run']): AnyTool {
  return {
    name: 'wait',
    title: 'Wait',
    description: 'Waits.',
    tags: ['wait'],
    input: z.object({}),
    annotations: READS,
    run,
  };
}

async function start(options: Partial<McpServerOptions> = {}): Promise<RunningMcpServer> {
  const server = await startMcpServer({
    host: '127.0.0.1',
    port: 0,
    identity: { name: 'test', version: '1' },
    table: { tools: [] },
    token: TOKEN,
    overview: () => {
      throw new Error('not asked for here');
    },
    ...options,
  });
  running.push(server);
  return server;
}

function post(server: RunningMcpServer, body: object, signal?: AbortSignal): Promise<Response> {
  const headers = {
    Authorization: `Bearer ${TOKEN}`,
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
  };
  return fetch(`${server.url}/mcp`, { method: 'POST', headers, body: JSON.stringify(body), ...(signal && { signal }) });
}

/** The status line a server gives to exactly these bytes. */
function raw(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connectSocket(port, '127.0.0.1', () => socket.end(text));
    socket
      .on('data', (part) => (answer += part.toString()))
      .on('close', () => resolve(answer.split('\r\n')[0] ?? ''))
      .on('error', reject);
  });
}

describe('a started server', () => {
  it('opens its page with a key of its own start', async () => {
    const [one, other] = [await start({ overview: () => OVERVIEW }), await start({ overview: () => OVERVIEW })];
    const keyOf = async (server: RunningMcpServer) =>
      /'croft',"([^"]+)"/.exec(await (await fetch(server.oneTimeUrl)).text())?.[1] ?? '';
    const [own, foreign] = [await keyOf(one), await keyOf(other)];
    const status = async (key: string) => (await fetch(`${one.url}/page`, { headers: { 'X-Croft-Key': key } })).status;
    expect(await status(own)).toBe(200);
    // A key of another server is not valid: the two share the token, but not the signing secret.
    expect(await status(foreign)).toBe(401);
  });

  it('says where it listens, and answers there', async () => {
    const server = await start();
    expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(server.oneTimeUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/open\?code=[\w-]{32}$/);
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    expect(server.oneTimeUrl).not.toContain(TOKEN);
  });

  it('refuses a foreign Host on the wire, as a page would send after rebinding a name', async () => {
    const server = await start();
    const port = Number(new URL(server.url).port);
    expect(await raw(port, `GET /healthz HTTP/1.1\r\nHost: evil.com:${port}\r\nConnection: close\r\n\r\n`)).toContain(
      '403',
    );
    expect(await raw(port, `GET /healthz HTTP/1.1\r\nHost: localhost:${port}\r\nConnection: close\r\n\r\n`)).toContain(
      '200',
    );
    expect(await raw(port, 'GET /healthz HTTP/1.0\r\n\r\n')).toMatch(/40[03]/);
    // The name in the request line counts for nothing beside the header.
    expect(
      await raw(port, `GET http://localhost/healthz HTTP/1.1\r\nHost: evil.com\r\nConnection: close\r\n\r\n`),
    ).toMatch(/40[03]/);
  });

  it('rejects with the code of the system when the port is taken', async () => {
    const first = await start();
    await expect(start({ port: Number(new URL(first.url).port) })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });

  it('writes an address of IPv6 in brackets', async (context) => {
    const server = await start({ host: '::1' }).catch((error: NodeJS.ErrnoException) => error);
    // Some containers have no IPv6.
    if (server instanceof Error) return context.skip();
    expect(server.url).toMatch(/^http:\/\/\[::1\]:\d+$/);
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  });

  it('stops in time though an answer is streaming and a call is running, and ends that call', {
    timeout: 60_000,
  }, async () => {
    let began: () => void = () => {};
    const begun = new Promise<void>((resolve) => (began = resolve));
    let aborted = false;
    const tool = fakeTool((_input, { signal, onProgress }) => {
      onProgress?.(1);
      began();
      return new Promise((resolve) => {
        signal?.addEventListener('abort', () => {
          aborted = true;
          resolve({ ok: false, data: {} });
        });
      });
    });
    const server = await start({ table: { tools: [tool] } });
    const answer = post(server, {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'wait', arguments: {}, _meta: { progressToken: 1 } },
    })
      .then((response) => response.text())
      .catch(() => 'cut');
    await begun;
    const started = Date.now();
    await server.close();
    expect(Date.now() - started).toBeLessThan(10_000);
    await answer;
    await expect.poll(() => aborted).toBe(true);
    await expect(fetch(`${server.url}/healthz`)).rejects.toThrow();
  });

  it('may be closed twice', async () => {
    const server = await start();
    await server.close();
    await server.close();
  });

  it('keeps the answers of clients apart that use the same request id at once', async () => {
    const echo: AnyTool = {
      ...fakeTool(async (input: { text: string }) => ({ ok: true, data: { echo: input.text } })),
      input: z.object({ text: z.string() }),
    };
    const server = await start({ table: { tools: [echo] } });
    const texts = Array.from({ length: 50 }, (_, i) => `text-${i}.`);
    const answers = await Promise.all(
      texts.map(async (text) =>
        (
          await post(server, {
            jsonrpc: '2.0',
            id: 1,
            method: 'tools/call',
            params: { name: 'wait', arguments: { text } },
          })
        ).text(),
      ),
    );
    for (const [i, answer] of answers.entries()) {
      expect(answer).toContain(texts[i]);
      expect(answer.match(/text-\d+\./g)).toHaveLength(1);
    }
  });
});
