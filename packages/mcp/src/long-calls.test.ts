import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCroftHere } from '../../../tests/support/run-croft-here.ts';
import {
  connect,
  type Era,
  initialize,
  makeSurroundings,
  openWire,
  startMcpHttp,
  type Surroundings,
} from './testing.ts';

/** Takes far longer than the test: V8's linear engine does not support back-references. */
const SLOW = { pattern: '(a*)\\1b', is_regex: true, path: 'slow' };
const FILES = 5_000;

let surroundings: Surroundings;
let serve: Awaited<ReturnType<typeof startMcpHttp>>;

beforeAll(async () => {
  surroundings = makeSurroundings();
  for (let dir = 0; dir < 50; dir++) {
    mkdirSync(join(surroundings.workspace, `d${dir}`));
    for (let file = 0; file < FILES / 50; file++)
      writeFileSync(join(surroundings.workspace, `d${dir}/f${file}.txt`), 'x');
  }
  mkdirSync(join(surroundings.workspace, 'slow'));
  writeFileSync(join(surroundings.workspace, 'slow/a.txt'), `${'a'.repeat(50_000)}\n`.repeat(100));
  serve = await startMcpHttp([surroundings.workspace], surroundings);
});

afterAll(async () => {
  await serve?.stop();
  surroundings?.remove();
});

const eras: readonly Era[] = ['legacy', 'modern'];
const ways = ['stdio', 'http'] as const;
const everyWay = eras.flatMap((era) => ways.map((way) => ({ era, way })));
const target = (way: (typeof ways)[number]) =>
  way === 'http' ? serve : { args: ['mcp', surroundings.workspace], env: surroundings.env };

describe('a long search', () => {
  it.each(everyWay)('reports its progress ($way, $era)', async ({ era, way }) => {
    const { client, received, close } = await connect(era, target(way));
    try {
      const before = received.length;
      const result = await client.callTool(
        { name: 'glob_search', arguments: { pattern: '**/*.none' } },
        { onprogress: () => undefined },
      );
      expect(result.isError ?? false).toBe(false);
      // Read from the wire: the client drops progress that arrives together with the result.
      const messages = received.slice(before);
      const answeredAt = messages.findIndex((message) => message.result !== undefined);
      const seen = messages
        .slice(0, answeredAt)
        .filter(({ method }) => method === 'notifications/progress')
        .map(({ params }) => (params as { progress: number }).progress);
      expect(seen.length).toBeGreaterThanOrEqual(1);
      expect(seen).toEqual([...seen].sort((a, b) => a - b));
    } finally {
      await close();
    }
  });

  it.each(everyWay)('ends when it is cancelled, and the server continues ($way, $era)', async ({ era, way }) => {
    const { client, close } = await connect(era, target(way));
    try {
      const before = await cancelledSearches();
      // Three for the two search threads: one of them is cancelled while it waits.
      const searches = Array.from({ length: 3 }, () => {
        const abort = new AbortController();
        return {
          abort,
          call: client.callTool({ name: 'grep_search', arguments: SLOW }, { signal: abort.signal }).then(
            () => 'answered',
            () => 'given up',
          ),
        };
      });
      // The server got the searches before this call, and has time to start them.
      await client.callTool({ name: 'file_info', arguments: { path: 'd1' } });
      await sleep(300);
      for (const { abort } of searches) abort.abort();
      expect(await Promise.all(searches.map(({ call }) => call))).toEqual(['given up', 'given up', 'given up']);
      // Needs a free thread: without cancellation the searches would occupy both.
      const next = await client.callTool({ name: 'grep_search', arguments: { pattern: 'nowhere', path: 'd1' } });
      expect(next.isError ?? false, JSON.stringify(next)).toBe(false);
      await expect.poll(cancelledSearches).toBe(before + 3);
    } finally {
      await close();
    }
  });

  it('ends when the client disconnects, and the server continues (http, legacy)', async () => {
    const before = await cancelledSearches();
    const { client, close } = await connect('legacy', serve);
    const search = client.callTool({ name: 'grep_search', arguments: SLOW }).then(
      () => 'answered',
      () => 'given up',
    );
    await client.callTool({ name: 'file_info', arguments: { path: 'd1' } });
    await sleep(300);
    await close();
    expect(await search).toBe('given up');
    await expect.poll(cancelledSearches).toBe(before + 1);
    const other = await connect('legacy', serve);
    const next = await other.client.callTool({ name: 'grep_search', arguments: { pattern: 'nowhere', path: 'd1' } });
    expect(next.isError ?? false).toBe(false);
    await other.close();
  });

  it('sends no progress to a client that did not ask for it', async () => {
    const wire = openWire(['mcp', surroundings.workspace], { env: surroundings.env });
    await initialize(wire);
    wire.send({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'glob_search', arguments: { pattern: '**/*.none' } },
    });
    await wire.next(({ id }) => id === 1);
    expect(wire.stdout()).not.toContain('notifications/progress');
    await wire.kill();
  });
});

/** The number of cancelled searches in the log of the workspace. */
async function cancelledSearches(): Promise<number> {
  const { stdout } = await runCroftHere(['log', '--dir', surroundings.workspace, '--json', '--limit', '1000'], {
    env: surroundings.env,
    cwd: surroundings.workspace,
  });
  return stdout.split('\n').filter((line) => line.includes('"cancelled"')).length;
}

describe('a cancellation over HTTP', () => {
  it('cannot end a call of another client with the same request id', async () => {
    const post = (body: object, session?: string) =>
      fetch(`${serve.url}/mcp`, {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${serve.token}`,
          'Content-Type': 'application/json',
          Accept: 'application/json, text/event-stream',
          'MCP-Protocol-Version': '2025-11-25',
          ...(session && { 'Mcp-Session-Id': session }),
        },
        body: JSON.stringify({ jsonrpc: '2.0', ...body }),
      });
    const cancel = (session?: string) => post({ method: 'notifications/cancelled', params: { requestId: 7 } }, session);
    let ended = false;
    const mine = post({ id: 7, method: 'tools/call', params: { name: 'grep_search', arguments: SLOW } }, 'mine')
      .then((answer) => answer.text())
      .finally(() => (ended = true));
    await sleep(300);
    for (const session of ['yours', undefined]) expect((await cancel(session)).status).toBe(202);
    await sleep(700);
    expect(ended).toBe(false);
    await cancel('mine');
    expect(await mine).toContain('cancelled');
  });
});
