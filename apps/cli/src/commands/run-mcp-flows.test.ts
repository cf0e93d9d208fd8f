import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as FirstStdio } from '@modelcontextprotocol/sdk/client/stdio.js';
import {
  connect,
  type Connected,
  initialize,
  makeSurroundings,
  openWire,
  PROGRAM,
  type Surroundings,
} from '@croft/mcp/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callEveryFlowTool } from '../../../../tests/support/every-flow-tool.ts';
import { runCroftHere } from '../../../../tests/support/run-croft-here.ts';
import type { TestServer, Visitor } from '../../../server/src/testing.ts';
import { useKeyedServer } from '../../../server/src/use-test-server.ts';

let server: TestServer;
let surroundings: Surroundings;
let page: Visitor;
let key: string;

useKeyedServer((...started) => void ([server, page, key] = started));
/** Clients of both eras, with all tools. */
let first: FirstClient;
let modern: Connected;
beforeAll(async () => {
  surroundings = makeSurroundings();
  first = await firstClient(withKey(), '--flow-tools', 'all');
  modern = await connect('modern', { args: args('--flow-tools', 'all'), env: withKey() });
});
afterAll(async () => {
  await Promise.all([first?.close(), modern?.close()]);
  surroundings?.remove();
});

const args = (...more: string[]) => ['mcp', '--flows', '--server', server.url, ...more];
const withKey = () => ({ ...surroundings.env, CROFT_API_KEY: key });

async function firstClient(env: Record<string, string>, ...more: string[]) {
  const client = new FirstClient({ name: 'test', version: '1' });
  await client.connect(new FirstStdio({ command: process.execPath, args: [PROGRAM, ...args(...more)], env }) as never);
  return client;
}

describe('croft mcp --flows', () => {
  it('answers the calls of an input that ends, and ends then', async () => {
    const wire = openWire(args(), { env: withKey() });
    await initialize(wire);
    const params = { name: 'list_flows', arguments: {} };
    wire.child.stdin?.end(JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/call', params }));
    expect((await wire.ended).code).toBe(0);
    expect(
      wire
        .stdout()
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as object)
        .at(-1),
    ).toMatchObject({
      id: 7,
      result: { structuredContent: { result: expect.any(Array) } },
    });
  });

  it('offers the tools of the server, and login beside them, to clients of both eras', async () => {
    const { client } = modern;
    const there = new Set((await first.listTools()).tools.map(({ name }) => name));
    expect((await client.listTools()).tools.map(({ name }) => name).sort()).toEqual([...there].sort());
    for (const name of ['login', 'batch', 'create_flow_from_spec', 'visualize_flow_graph'])
      expect(there).toContain(name);
    const add = (await client.listTools()).tools.find(({ name }) => name === 'add_component');
    expect(add).toMatchObject({
      inputSchema: { type: 'object', required: ['flow_id', 'component_type'], additionalProperties: false },
      outputSchema: { type: 'object', required: ['id', 'display_name', 'revision'] },
      annotations: { readOnlyHint: false, destructiveHint: false },
    });
    for (const each of [first, client] as FirstClient[]) {
      const made: any = await each.callTool({ name: 'create_flow', arguments: { name: 'over stdio' } });
      const { id } = made.structuredContent;
      const found: any = await each.callTool({ name: 'list_flows', arguments: { query: 'over stdio' } });
      expect(found.structuredContent.result.map((flow: any) => flow.id)).toContain(id);
      expect(JSON.parse(found.content[0].text)).toEqual(found.structuredContent);
      const read: any = await each.readResource({ uri: `croft://flows/${id}` });
      expect(JSON.parse(read.contents[0].text)).toMatchObject({ flow: { name: 'over stdio' } });
      expect((await each.listResources()).resources.map(({ uri }) => uri)).toContain(`croft://flows/${id}`);
      const refused: any = await each.callTool({ name: 'get_flow_info', arguments: { flow_id: 'none' } });
      expect(refused).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('no such flow') }] });
    }
  });

  it.each(['2025', '2026'])('calls every tool of the server for the client of %s', async (era) => {
    const client = era === '2025' ? first : modern.client;
    const agent = {
      async call(name: string, given: Record<string, unknown> = {}) {
        const result: any = await (client as FirstClient).callTool({ name, arguments: given });
        const text = result.content[0]?.text ?? '';
        return { isError: result.isError === true, data: result.structuredContent, text };
      },
    };
    const readFile = async (path: string) =>
      (await page.request(`/api/v1/files/content?path=${encodeURIComponent(path)}`)).text();
    await callEveryFlowTool(agent, { label: `stdio ${era}`, url: server.url, readFile });
  });

  it('signs in on a page of this machine, and the key reaches neither client nor model', async () => {
    // A program that writes the address to a file replaces the browser.
    const programs = join(surroundings.root, 'programs');
    const opened = join(surroundings.root, 'opened');
    mkdirSync(programs);
    writeFileSync(join(programs, 'xdg-open'), `#!/bin/sh\necho "$1" >> ${opened}\n`, { mode: 0o755 });
    const env = { ...surroundings.env, PATH: `${programs}:${surroundings.env.PATH}` };
    const client = await firstClient(env);
    let changes = 0;
    client.fallbackNotificationHandler = async ({ method }) => {
      if (method === 'notifications/tools/list_changed') changes++;
    };
    try {
      expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['login']);
      const calling = client.callTool({ name: 'login', arguments: {} });
      await expect.poll(() => statSync(opened, { throwIfNoEntry: false })?.size ?? 0).toBeGreaterThan(20);
      // A second call while the page is open does not open another one.
      const again = client.callTool({ name: 'login', arguments: {} });
      const url = readFileSync(opened, 'utf8').trim();
      const foreign = await fetch(url.replace('127.0.0.1', 'localhost')).catch(() => undefined);
      expect(foreign?.status ?? 404).toBe(404);
      expect(await (await fetch(url)).text()).toContain(server.url);
      const give = (secret: string) => fetch(url, { method: 'POST', body: new URLSearchParams({ key: secret }) });
      expect((await give('croft_wrongwrongwrongwrongwrong')).status).toBe(400);
      expect((await give(key)).status).toBe(200);
      const result: any = await calling;
      expect(result.structuredContent).toEqual({ status: 'authenticated', server_url: server.url });
      expect(((await again) as any).structuredContent).toEqual(result.structuredContent);
      expect(readFileSync(opened, 'utf8').trim().split('\n')).toEqual([url]);
      expect(JSON.stringify(result)).not.toContain(key);
      await expect.poll(() => changes).toBeGreaterThan(0);
      expect((await client.listTools()).tools.length).toBeGreaterThan(20);
      expect((await client.callTool({ name: 'list_flows', arguments: {} })).isError ?? false).toBe(false);
      const kept = join(surroundings.base, 'server-keys.json');
      expect(statSync(kept).mode & 0o777).toBe(0o600);
    } finally {
      await client.close();
    }
    const again = await firstClient(surroundings.env);
    expect((await again.listTools()).tools.length).toBeGreaterThan(20);
    await again.close();
  });

  it('says why it cannot serve', async () => {
    const here = (...given: string[]) =>
      runCroftHere(['mcp', ...given], { env: withKey(), cwd: surroundings.workspace });
    expect(await here('--flows', '--server', 'http://127.0.0.1:9')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('No server answers at http://127.0.0.1:9'),
    });
    expect((await here('--flows', '.')).stderr).toContain('--flows takes no directory');
    expect((await here('.', '--server', 'http://x')).stderr).toContain('--server is for --flows');
  });
});
