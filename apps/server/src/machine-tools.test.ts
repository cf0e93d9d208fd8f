import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { memoryDir } from '@croft/workspace/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fileDir } from '../../../tests/support/temp-dir.ts';
import { startTestServer, type TestServer, type Visitor } from './testing.ts';
import { withMcp } from './testing-mcp.ts';

/** A daemon of another implementation: a client of the later protocol that takes requests and answers with a text. */
interface Machine {
  readonly asked: { name: string; arguments: unknown }[];
  leave(): Promise<void>;
}

let server: TestServer;
let page: Visitor;
let key: Visitor;
let token: string;
const picked = fileDir();
const baseDir = fileDir(memoryDir());

beforeAll(async () => {
  writeFileSync(join(picked, 'server.txt'), 'of the server itself');
  // Fixed by the environment, so that it is there in a container too.
  server = await startTestServer({ autoLogin: true, filesystemPath: picked, baseDir });
  await server.running.ready;
  page = await server.openPage();
  token = readFileSync(join(server.baseDir, 'mcp-token'), 'utf8').trim();
  key = server.withKey(token);
});
afterAll(() => server?.stop());

const post = (path: string, json: object = {}) => page.json(path, { method: 'POST', json });
const toggle = (enabled: boolean) => post('/instance-ai/filesystem/toggle', { enabled });
const tool = (name: string, json: object) =>
  key.json<{ ok: boolean }>(`/api/v1/gateway/tools/${name}`, { method: 'POST', json });

async function connect(names: readonly string[], answers = true, reading: readonly string[] = []): Promise<Machine> {
  const { body } = await post('/instance-ai/gateway/create-link');
  const gateway = `${server.url}/rest/instance-ai/gateway`;
  const ask = (path: string, withKey: string, json: object) =>
    fetch(`${gateway}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-gateway-key': withKey },
      body: JSON.stringify(json),
    });
  const tools = names.map((name) => ({
    name,
    description: `The machine's ${name}`,
    inputSchema: { type: 'object' },
    annotations: { readOnlyHint: reading.includes(name) },
  }));
  const welcomed = await ask('/init', body.token as string, { rootPath: '/home/me', tools });
  const { sessionKey } = (await welcomed.json()) as { sessionKey: string };
  const ending = new AbortController();
  const stream = await fetch(`${gateway}/events`, { headers: { 'x-gateway-key': sessionKey }, signal: ending.signal });
  const asked: Machine['asked'] = [];
  const follow = async () => {
    let text = '';
    for await (const part of stream.body as unknown as AsyncIterable<Uint8Array>) {
      text += new TextDecoder().decode(part);
      const frames = text.split('\n\n');
      text = frames.pop() as string;
      for (const frame of frames) {
        const data = /^data: ?(.*)$/m.exec(frame)?.[1];
        const { type, payload } = data ? JSON.parse(data) : {};
        if (type !== 'filesystem-request') continue;
        asked.push(payload.toolCall);
        const result = { content: [{ type: 'text', text: 'from the machine' }] };
        if (answers) await ask(`/response/${payload.requestId}`, sessionKey, { result });
      }
    }
  };
  follow().catch(() => {});
  return {
    asked,
    async leave() {
      await ask('/disconnect', sessionKey, {});
      ending.abort();
    },
  };
}

const namesOverMcp = () =>
  withMcp(server, token, async (client) => (await client.listTools()).tools.map(({ name }: { name: string }) => name));

describe('the tools of a machine', () => {
  it("are not offered while it is switched off, nor are tools of the server's own disk in their place", async () => {
    expect((await tool('read-file', { filePath: 'server.txt' })).body.ok).toBe(true);
    const machine = await connect(['peek']);
    try {
      expect(await namesOverMcp()).toContain('peek');
      expect(await namesOverMcp()).not.toContain('list-files');
      expect((await toggle(false)).status).toBe(200);
      expect((await tool('read-file', { filePath: 'server.txt' })).status).toBe(409);
      expect(await namesOverMcp()).not.toContain('list-files');
      expect(await namesOverMcp()).not.toContain('peek');
      await toggle(true);
      expect(await namesOverMcp()).toContain('peek');
    } finally {
      await toggle(true);
      await machine.leave();
    }
    expect((await tool('read-file', { filePath: 'server.txt' })).body.ok).toBe(true);
  });

  it('that offers none is not reported as switched off or not connected', async () => {
    const machine = await connect([]);
    try {
      expect((await tool('read-file', { filePath: 'a' })).body).toMatchObject({
        error: { code: 'not_connected', message: expect.stringMatching(/^The connected machine offers no tools\./) },
      });
    } finally {
      await machine.leave();
    }
  });

  it("do not reach the server's own disk while the switch is off, also when a paused machine leaves", async () => {
    const read = () => tool('read-file', { filePath: 'server.txt' });
    const own = ['get-file-tree', 'list-files', 'read-file', 'search-files'];
    expect(await namesOverMcp()).toEqual(expect.arrayContaining(own));
    try {
      await toggle(false);
      expect((await namesOverMcp()).filter((name) => own.includes(name))).toEqual([]);
      expect(await read()).toMatchObject({ status: 409, body: { error: { code: 'not_connected' } } });
      const machine = await connect(['peek']);
      await machine.leave();
      expect((await namesOverMcp()).filter((name) => own.includes(name))).toEqual([]);
      expect((await read()).status).toBe(409);
    } finally {
      await toggle(true);
    }
    expect((await read()).body.ok).toBe(true);
  });

  it('are not offered right after a restart with the switch off', async () => {
    await toggle(false);
    await server.stop();
    server = await startTestServer({ autoLogin: true, filesystemPath: picked, baseDir });
    await server.running.ready;
    page = await server.openPage();
    key = server.withKey(token);
    expect((await tool('read-file', { filePath: 'server.txt' })).status).toBe(409);
    await toggle(true);
    expect((await tool('read-file', { filePath: 'server.txt' })).body.ok).toBe(true);
  });

  it('are reached beside those of the workspace that have their names, and never instead of them', async () => {
    const machine = await connect(['read_file', 'write_file', 'machine_write_file', 'peek']);
    try {
      const names = await namesOverMcp();
      expect(names).toEqual([...new Set(names)]);
      expect(names).toEqual(expect.arrayContaining(['read_file', 'machine_read_file', 'machine_write_file', 'peek']));
      await withMcp(server, token, async (client) => {
        const own = await client.callTool({ name: 'write_file', arguments: { path: 'a.txt', content: 'own' } });
        expect(own.isError ?? false).toBe(false);
        expect(machine.asked).toEqual([]);
        const { tools } = await client.listTools();
        const listed = tools.find(({ name }: { name: string }) => name === 'machine_read_file');
        expect(listed?.description).toBe(
          "On the connected machine. [Text of the connected machine] The machine's read_file",
        );
        const remote = await client.callTool({ name: 'machine_read_file', arguments: { path: 'b.txt' } });
        expect(JSON.stringify(remote)).toContain('from the machine');
      });
      // The machine hears its own name for it.
      expect(machine.asked).toEqual([{ name: 'read_file', arguments: { path: 'b.txt' } }]);
    } finally {
      await machine.leave();
    }
  });

  it('are described to the model by what they can do on the machine', async () => {
    const instructions = () => withMcp(server, token, async (client) => client.getInstructions());
    await toggle(false);
    try {
      expect(await instructions()).not.toContain('machine');
    } finally {
      await toggle(true);
    }
    const machine = await connect(['read_file', 'delete_path'], true, ['read_file']);
    try {
      const text = await instructions();
      expect(text).toMatch(/ These read it: machine_read_file\. /);
      expect(text).toMatch(/ These can change or delete its files, or have other effects there: machine_delete_path\./);
    } finally {
      await machine.leave();
    }
  });

  it('are refused with a status of its own where more wait than may', async () => {
    const machine = await connect(['peek'], false);
    try {
      const all = Array.from({ length: 32 + 256 + 5 }, () => tool('peek', {}));
      const refused: number[] = [];
      await new Promise<void>((resolve) => {
        for (const one of all)
          void one.then(({ status }) => {
            refused.push(status);
            if (refused.length === 5) resolve();
          });
      });
      expect(refused).toEqual([429, 429, 429, 429, 429]);
      await machine.leave();
      const rest = await Promise.all(all);
      expect(rest.filter(({ status }) => status === 200).every(({ body }) => body.ok === false)).toBe(true);
    } finally {
      await machine.leave().catch(() => {});
    }
  });
});
