import { Client } from '@modelcontextprotocol/client';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as FirstHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { describe, expect, it } from 'vitest';
import {
  type Called,
  callEveryFlowTool,
  CORE_FLOW_TOOLS,
  ECHO_SPEC as SPEC,
  OLDER_FLOW_TOOLS,
} from '../../../../tests/support/every-flow-tool.ts';
import { type TestServer, type Visitor } from '../testing.ts';
import { connectMcp } from '../testing-mcp.ts';
import { useKeyedServer } from '../use-test-server.ts';

let server: TestServer;
let page: Visitor;
let secret: string;

useKeyedServer((...started) => void ([server, page, secret] = started));

interface Caller {
  call(name: string, args?: Record<string, unknown>): Promise<Called>;
  tools(): Promise<readonly { name: string; outputSchema?: unknown; annotations?: any }[]>;
  resources(): Promise<readonly { uri: string; name: string }[]>;
  read(uri: string): Promise<string>;
}

const pathOf = (toolset = 'all') => `/mcp/flows?toolset=${toolset}`;

/** The official clients: of the versions until 2025, and of 2026. Both check results by the tool's own schema. */
const ERAS = {
  async '2025'(toolset?: string): Promise<Caller> {
    const client = new FirstClient({ name: 'test', version: '1' });
    const requestInit = { headers: { authorization: `Bearer ${secret}` } };
    await client.connect(new FirstHttp(new URL(`${server.url}${pathOf(toolset)}`), { requestInit }) as never);
    return callerOf(client as never);
  },
  async '2026'(toolset?: string): Promise<Caller> {
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } });
    return callerOf(await connectMcp(server, secret, pathOf(toolset), client));
  },
};

async function callerOf(client: Client): Promise<Caller> {
  const listed = (await client.listTools()).tools;
  return {
    async call(name, args = {}) {
      const result: any = await client.callTool({ name, arguments: args });
      const text = result.content[0]?.text ?? '';
      return { isError: result.isError === true, data: result.structuredContent, text };
    },
    tools: async () => listed,
    resources: async () => (await client.listResources()).resources,
    read: async (uri) => String((await client.readResource({ uri })).contents[0]?.['text' as never]),
  };
}

describe.each(Object.keys(ERAS) as (keyof typeof ERAS)[])('flows over MCP, with the client of %s', (era) => {
  it('offers every tool with annotations and the schema of its result', async () => {
    const core = (await (await ERAS[era]('core')).tools()).map(({ name }) => name);
    const all = await (await ERAS[era]('all')).tools();
    for (const name of CORE_FLOW_TOOLS) expect(core).toContain(name);
    for (const name of OLDER_FLOW_TOOLS) expect(core).not.toContain(name);
    for (const name of [...CORE_FLOW_TOOLS, ...OLDER_FLOW_TOOLS]) expect(all.map((tool) => tool.name)).toContain(name);
    for (const { name, outputSchema, annotations } of all) {
      expect({ name, outputSchema }).toMatchObject({ outputSchema: { type: 'object' } });
      expect(typeof annotations?.readOnlyHint).toBe('boolean');
    }
    expect(all.find(({ name }) => name === 'delete_flow')?.annotations).toMatchObject({ destructiveHint: true });
    expect(all.map(({ name }) => name)).not.toContain('login');
  });

  it('every tool works in one session of an agent', async () => {
    const readFile = async (path: string) =>
      (await page.request(`/api/v1/files/content?path=${encodeURIComponent(path)}`)).text();
    await callEveryFlowTool(await ERAS[era](), { label: era, url: server.url, readFile });
  });

  it('reads flows as resources, without secrets', async () => {
    const agent = await ERAS[era]();
    const { data } = await agent.call('create_flow_from_spec', {
      spec: `name: Keyed ${era}\nnodes:\n  A: APIRequest\n  B: ChatOutput\nedges:\n  A.data -> B.input_value\nconfig:\n  A.url_input: https://api.example?api_key=abcdef123456`,
      validate: false,
    });
    const uri = `croft://flows/${data?.id}`;
    expect((await agent.resources()).map((each) => each.uri)).toContain(uri);
    const text = await agent.read(uri);
    expect(JSON.parse(text)).toMatchObject({ flow: { name: `Keyed ${era}` } });
    expect(text).not.toContain('abcdef123456');
    await expect(agent.read('croft://flows/f9b2f3f0-0000-4000-8000-000000000000')).rejects.toThrow();
  });
});

describe('changes of flows over MCP', () => {
  const make = async (agent: Caller) => (await agent.call('create_flow_from_spec', { spec: SPEC })).data;
  const documentOf = async (id: string) => (await page.json<any>(`/api/v1/flows/${id}`)).body.flow;

  it('refuses an edit of another revision, and says which one there is', async () => {
    const agent = await ERAS['2026']();
    const { id, revision } = await make(agent);
    const args = { flow_id: id, component_type: 'ChatOutput', if_revision: revision };
    expect((await agent.call('add_component', args)).isError).toBe(false);
    const second = await agent.call('add_component', args);
    expect(second).toMatchObject({ isError: true });
    expect(second.text).toContain(`revision ${revision + 1}`);
    expect((await documentOf(id)).document.nodes).toHaveLength(3);
  });

  it('keeps what others change while a text replaces the flow', async () => {
    const agent = await ERAS['2026']();
    for (let round = 0; round < 12; round++) {
      const { id, node_id_map } = await make(agent);
      const text = SPEC.replace(/A\b/g, node_id_map.A)
        .replace('  B: ChatOutput', '  B: TextOutput')
        .split('\nconfig')[0];
      const edit = { kind: 'configure', id: node_id_map.A, values: { input_value: `round ${round}` } };
      const [updated, edited] = await Promise.all([
        agent.call('update_flow_from_spec', { flow_id: id, spec: text }),
        page.json<any>(`/api/v1/flows/${id}/edits`, { method: 'POST', json: { base: 1, edits: [edit] } }),
      ]);
      expect([updated.isError, edited.status]).toEqual([false, 200]);
      const { document } = await documentOf(id);
      const node = document.nodes.find((each: any) => each.id === node_id_map.A);
      expect(node.values.input_value).toBe(`round ${round}`);
    }
  });

  it('lists large flows in more pages, each flow once', async () => {
    const agent = await ERAS['2026']();
    const value = 'x'.repeat(200_000);
    for (let at = 0; at < 5; at++)
      await agent.call('create_flow_from_spec', {
        spec: SPEC.replace('name: Echo', `name: Large ${at}`).replace('hello', value),
      });
    const seen: string[] = [];
    let pages = 0;
    let cursor: string | undefined;
    do {
      const { data } = await agent.call('list_flows', { query: 'Large', ...(cursor && { cursor }) });
      seen.push(...data.result.map((each: any) => each.name));
      pages++;
      cursor = data.next_cursor;
    } while (cursor !== undefined);
    expect(seen.sort()).toEqual([0, 1, 2, 3, 4].map((at) => `Large ${at}`));
    expect(pages).toBeGreaterThan(1);
  });

  it('gives the outputs of a frozen component again until it is unfrozen or its inputs change', async () => {
    const agent = await ERAS['2026']();
    const write = (content: string) =>
      page.json('/api/v1/tools/full/write_file', { method: 'POST', json: { path: 'frozen.md', content } });
    const spec =
      'name: Frozen\nnodes:\n  F: File\n  O: ChatOutput\nedges:\n  F.message -> O.input_value\nconfig:\n  F.path: frozen.md';
    const { data } = await agent.call('create_flow_from_spec', { spec, validate: false });
    const at = { flow_id: data.id, component_id: data.node_id_map.F };
    const run = async () => (await agent.call('run_flow', { flow_id: data.id })).data.text;
    await write('first');
    await agent.call('freeze_component', at);
    expect(await run()).toContain('first');
    await write('second');
    expect(await run()).toContain('first');
    const set = (path: string) => agent.call('configure_component', { ...at, params: { path } });
    await page.json('/api/v1/tools/full/write_file', { method: 'POST', json: { path: 'other.md', content: 'other' } });
    await set('other.md');
    expect(await run()).toContain('other');
    await set('frozen.md');
    expect(await run()).toContain('second');
    await write('third');
    expect(await run()).toContain('second');
    await agent.call('unfreeze_component', at);
    expect(await run()).toContain('third');
  });

  it('keeps a restore point before a change that removes something', async () => {
    const agent = await ERAS['2026']();
    const { id, node_id_map } = await make(agent);
    await agent.call('remove_component', { flow_id: id, component_id: node_id_map.B });
    const { body } = await page.json<any>(`/api/v1/flows/${id}/restore-points`);
    expect(body.restorePoints).toMatchObject([{ name: 'Before an MCP client: remove_component' }]);
    const base = (await documentOf(id)).version;
    const point = body.restorePoints[0].id;
    await page.json(`/api/v1/flows/${id}/restore-points/${point}/restore`, { method: 'POST', json: { base } });
    expect((await documentOf(id)).document.nodes).toHaveLength(2);
  });

  it('tells open pages of each edit and of the end', async () => {
    const agent = await ERAS['2026']();
    const { id } = await make(agent);
    const stop = new AbortController();
    const stream = await fetch(`${server.url}/api/v1/events`, {
      headers: { cookie: page.cookie ?? '', 'sec-fetch-site': 'same-origin' },
      signal: stop.signal,
    });
    const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
    let seen = '';
    void (async () => {
      for (;;) {
        const read = await reader?.read().catch(() => undefined);
        if (read === undefined || read.done) return;
        seen += read.value;
      }
    })();
    await agent.call('add_component', { flow_id: id, component_type: 'ChatOutput' });
    await agent.call('notify_done', { flow_id: id, summary: 'Added an output' });
    await expect.poll(() => seen).toContain(`"version":2`);
    await expect.poll(() => seen).toContain('Added an output');
    stop.abort();
  });

  it('undoes a whole atomic batch where an action fails, and keeps the earlier ones otherwise', async () => {
    const agent = await ERAS['2026']();
    const { id, node_id_map } = await make(agent);
    const before = (await documentOf(id)).document;
    const actions = [
      { tool: 'create_flow', args: { name: 'never kept' } },
      { tool: 'configure_component', args: { flow_id: id, component_id: node_id_map.A, params: { input_value: 'b' } } },
      { tool: 'remove_component', args: { flow_id: id, component_id: node_id_map.B } },
      { tool: 'remove_component', args: { flow_id: id, component_id: 'missing' } },
    ];
    const atomic = await agent.call('batch', { actions, atomic: true });
    expect(atomic).toMatchObject({ isError: true });
    expect(atomic.text).toMatch(
      /Action 3 \('remove_component'\) failed: Component 'missing' not found.*All actions were undone/,
    );
    expect((await documentOf(id)).document).toEqual(before);
    expect((await agent.call('list_flows', { query: 'never kept' })).data.result).toEqual([]);
    const plain = await agent.call('batch', { actions });
    expect(plain).toMatchObject({ isError: true });
    expect(JSON.parse(plain.text).results).toHaveLength(3);
    expect((await documentOf(id)).document.nodes).toHaveLength(1);
  });

  it('makes a batch one step of undo for the user', async () => {
    const agent = await ERAS['2026']();
    const { id } = await make(agent);
    const add = { tool: 'add_component', args: { flow_id: id, component_type: 'ChatOutput' } };
    expect((await agent.call('batch', { actions: [add, add, add] })).isError).toBe(false);
    const { version, document } = await documentOf(id);
    expect(document.nodes).toHaveLength(5);
    await page.json(`/api/v1/flows/${id}/undo`, { method: 'POST', json: { base: version } });
    expect((await documentOf(id)).document.nodes).toHaveLength(2);
  });

  it('explains wrong batches', async () => {
    const agent = await ERAS['2026']();
    const text = async (actions: unknown[], atomic = false) =>
      JSON.parse((await agent.call('batch', { actions, atomic })).text).error as string;
    expect(await text([{ tool: 'create_flow', args: { name: '$3.id' } }])).toBe(
      'Reference $3 is out of range (only 0 results so far)',
    );
    const made = { tool: 'create_flow', args: {} };
    expect(await text([made, { tool: 'get_flow_info', args: { flow_id: '$0.nothing' } }])).toBe(
      "$0.nothing: field 'nothing' not found in result 0",
    );
    expect(await text([{ tool: 'nothing' }])).toMatch(/^Action 0: unknown tool 'nothing'\. Available: add_component/);
    expect(await text([{ tool: 'batch', args: { actions: [made] } }])).toMatch(/^Action 0: unknown tool 'batch'/);
    expect(await text([made, { tool: 'run_flow', args: { flow_id: '$0.id' } }], true)).toContain('cannot be undone');
  });

  it('runs a flow that reaches the network only if a person allows it', async () => {
    const agent = await ERAS['2026']();
    const spec =
      'name: Net\nnodes:\n  A: URLComponent\n  B: ChatOutput\nedges:\n  A.raw_results -> B.input_value\nconfig:\n  A.urls: https://example.test';
    const made = await agent.call('create_flow_from_spec', { spec, validate: false });
    expect(made.text).toContain('"id"');
    const ran = await agent.call('run_flow', { flow_id: made.data.id });
    expect(ran.isError).toBe(true);
    expect(ran.text).toContain(`${server.url}/flows/${made.data.id}`);
    expect((await page.json<any>(`/api/v1/runs?flow=${made.data.id}`)).body.runs).toEqual([]);
  });

  it('refuses tweaks of code, commands and secrets', async () => {
    const agent = await ERAS['2026']();
    const { data } = await agent.call('create_flow_from_spec', {
      spec: 'name: Code\nnodes:\n  A: ChatInput\n  B: TypeScriptCode\n  C: ChatOutput\nedges:\n  A.message -> B.value\n  B.result -> C.input_value',
      validate: false,
    });
    expect(data).toBeDefined();
    const id = data.node_id_map.B;
    const ran = await agent.call('run_flow', { flow_id: data.id, tweaks: { [id]: { code: 'export default 1' } } });
    expect(ran.isError).toBe(true);
    expect(ran.text).toContain('tweaks');
  });

  it('needs a key, and knows two toolsets', async () => {
    const post = (path: string, headers: Record<string, string>) =>
      fetch(`${server.url}${path}`, { method: 'POST', headers, body: '{}' });
    expect((await post('/mcp/flows', { 'content-type': 'application/json' })).status).toBe(401);
    const key = { 'content-type': 'application/json', authorization: `Bearer ${secret}` };
    expect((await post('/mcp/flows?toolset=everything', key)).status).toBe(400);
  });
});
