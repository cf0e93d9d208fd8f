import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as FirstHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ADMIN, startTestServer, type TestServer, type Visitor } from '../testing.ts';

let server: TestServer;
let page: Visitor;
let secret: string;

beforeAll(async () => {
  server = await startTestServer();
  await server.running.ready;
  page = await server.signIn(ADMIN.login, ADMIN.password);
  const made = await page.json<{ secret: string }>('/api/v1/keys', { method: 'POST', json: { name: 'agent' } });
  secret = made.body.secret;
}, 60_000);
afterAll(() => server?.stop());

type Called = { readonly isError: boolean; readonly data: any; readonly text: string };
interface Caller {
  call(name: string, args?: Record<string, unknown>): Promise<Called>;
  tools(): Promise<readonly { name: string; outputSchema?: unknown; annotations?: any }[]>;
  resources(): Promise<readonly { uri: string; name: string }[]>;
  read(uri: string): Promise<string>;
}

const address = (toolset = 'all') => new URL(`${server.url}/mcp/flows?toolset=${toolset}`);
const requestInit = () => ({ headers: { authorization: `Bearer ${secret}` } });

/** The official clients: of the versions until 2025, and of 2026. Both check results by the tool's own schema. */
const ERAS = {
  async '2025'(toolset?: string): Promise<Caller> {
    const client = new FirstClient({ name: 'test', version: '1' });
    await client.connect(new FirstHttp(address(toolset), { requestInit: requestInit() }) as never);
    return callerOf(client as never);
  },
  async '2026'(toolset?: string): Promise<Caller> {
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } });
    await client.connect(new StreamableHTTPClientTransport(address(toolset), { requestInit: requestInit() }));
    return callerOf(client);
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

const SPEC = `name: Echo
nodes:
  A: ChatInput
  B: ChatOutput
edges:
  A.message -> B.input_value
config:
  A.input_value: hello`;

/** Tools of the two servers that Langflow's clients know, without `login`. */
const CORE =
  'create_flow create_flow_from_spec update_flow_from_spec list_flows get_flow_info rename_flow export_flow delete_flow duplicate_flow list_starter_projects use_starter_project add_component remove_component configure_component list_components get_component_info search_component_types describe_component_type connect_components disconnect_components run_flow build_flow get_build_results get_component_output validate_flow freeze_component unfreeze_component layout_flow notify_done batch run_assistant'.split(
    ' ',
  );
const OLDER =
  'search_templates get_template list_all_tags count_templates create_flow_from_template search_components get_component list_component_types count_components get_components_by_type_tool visualize_flow_graph get_flow_ascii_diagram get_flow_text_representation get_flow_structure_summary get_flow_component_details get_flow_component_field_value update_flow_component_field list_flow_component_fields'.split(
    ' ',
  );

describe.each(Object.keys(ERAS) as (keyof typeof ERAS)[])('flows over MCP, with the client of %s', (era) => {
  it('offers every tool with annotations and the schema of its result', async () => {
    const core = (await (await ERAS[era]('core')).tools()).map(({ name }) => name);
    const all = await (await ERAS[era]('all')).tools();
    for (const name of CORE) expect(core).toContain(name);
    for (const name of OLDER) expect(core).not.toContain(name);
    for (const name of [...CORE, ...OLDER]) expect(all.map((tool) => tool.name)).toContain(name);
    for (const { name, outputSchema, annotations } of all) {
      expect({ name, outputSchema }).toMatchObject({ outputSchema: { type: 'object' } });
      expect(typeof annotations?.readOnlyHint).toBe('boolean');
    }
    expect(all.find(({ name }) => name === 'delete_flow')?.annotations).toMatchObject({ destructiveHint: true });
    expect(all.map(({ name }) => name)).not.toContain('login');
  });

  it('every tool works in one session of an agent', async () => {
    const agent = await ERAS[era]();
    const called = new Set<string>();
    const ok = async (name: string, args: Record<string, unknown> = {}) => {
      called.add(name);
      const { isError, data, text } = await agent.call(name, args);
      expect({ name, isError, text }).toMatchObject({ isError: false });
      // Clients that show a model only the text see the same.
      expect(JSON.parse(text)).toEqual(data);
      return data;
    };
    const { id: flow_id } = await ok('create_flow', { name: `Made ${era}` });
    const found = await ok('search_component_types', { query: 'chat output' });
    expect(found.results.map((each: any) => each.type)).toContain('ChatOutput');
    const described = await ok('describe_component_type', { component_type: 'ChatInput' });
    expect(described.outputs.map((each: any) => each.name)).toContain('message');
    const a = await ok('add_component', { flow_id, component_type: 'ChatInput' });
    const b = await ok('add_component', { flow_id, component_type: 'ChatOutput' });
    const ends = { source_id: a.id, source_output: 'message', target_id: b.id, target_input: 'input_value' };
    await ok('connect_components', { flow_id, ...ends });
    const set = await ok('configure_component', {
      flow_id,
      component_id: a.id,
      params: { input_value: 'hello from an agent' },
    });
    expect(set).toMatchObject({ component_id: a.id, configured: ['input_value'] });
    const warned = await ok('configure_component', { flow_id, component_id: b.id, params: '{"input_value": "x"}' });
    expect(warned.warnings[0]).toContain('is connected');
    expect((await ok('list_components', { flow_id })).result).toHaveLength(2);
    expect(await ok('get_component_info', { flow_id, component_id: a.id, field_name: 'input_value' })).toMatchObject({
      value: 'hello from an agent',
    });
    expect(await ok('validate_flow', { flow_id })).toMatchObject({ valid: true, component_count: 2, errors: [] });
    const ran = await ok('run_flow', { flow_id });
    expect(ran).toMatchObject({ status: 'completed', text: 'hello from an agent' });
    expect(await ok('run_flow', { flow_id, input_value: 'other', output_type: 'debug' })).toMatchObject({
      text: 'other',
      outputs: expect.any(Object),
    });
    const { job_id } = await ok('build_flow', { flow_id });
    await expect
      .poll(async () => (await ok('get_build_results', { flow_id, job_id })).status, { timeout: 30_000 })
      .toBe('completed');
    expect((await ok('get_build_results', { flow_id })).builds.map((each: any) => each.component_id)).toContain(a.id);
    expect(await ok('get_component_output', { flow_id, component_id: b.id, job_id })).toMatchObject({
      status: 'finished',
    });
    await ok('freeze_component', { flow_id, component_id: a.id });
    expect((await ok('get_flow_info', { flow_id })).components).toContainEqual(
      expect.objectContaining({ id: a.id, frozen: true }),
    );
    await ok('unfreeze_component', { flow_id, component_id: a.id });
    await ok('layout_flow', { flow_id });
    const name = `Renamed ${era}`;
    expect(await ok('rename_flow', { flow_id, name })).toMatchObject({ name });
    expect((await ok('list_flows', { query: name })).result).toMatchObject([{ id: flow_id, node_count: 2 }]);
    expect((await ok('export_flow', { flow_id })).flow.nodes).toHaveLength(2);
    const at = { flow_id_or_name: name };
    expect(await ok('visualize_flow_graph', at)).toMatchObject({ flow_id, vertex_count: 2, edge_count: 1 });
    expect((await ok('get_flow_ascii_diagram', at)).result).toContain('ChatInput');
    expect((await ok('get_flow_text_representation', at)).result).toContain('hello from an agent');
    expect((await ok('get_flow_structure_summary', at)).edges).toEqual([[a.id, b.id]]);
    expect((await ok('get_flow_component_details', { ...at, component_id: a.id })).outgoing).toHaveLength(1);
    const field = { ...at, component_id: a.id, field_name: 'input_value' };
    expect(await ok('get_flow_component_field_value', field)).toMatchObject({ value: 'hello from an agent' });
    expect(await ok('update_flow_component_field', { ...field, new_value: 'new' })).toMatchObject({
      success: true,
      old_value: 'hello from an agent',
      new_value: 'new',
    });
    const fields = await ok('list_flow_component_fields', { ...at, component_id: a.id });
    expect(fields.fields).toContainEqual(expect.objectContaining({ field_name: 'input_value', value: 'new' }));
    await ok('notify_done', { flow_id, summary: 'Built an echo' });
    expect(await ok('disconnect_components', { flow_id, source_id: a.id, target_id: b.id })).toMatchObject({
      removed_count: 1,
    });
    expect(await ok('remove_component', { flow_id, component_id: b.id })).toMatchObject({ removed: b.id });
    const copy = await ok('duplicate_flow', { flow_id });
    expect(copy.name).toContain('(copy)');
    const built = await ok('create_flow_from_spec', { spec: SPEC });
    expect(built).toMatchObject({
      node_count: 2,
      edge_count: 1,
      node_id_map: { A: expect.stringMatching(/^ChatInput-/) },
    });
    const input = built.node_id_map.A;
    const spec = SPEC.replace(/A\b/g, input).replace('  B: ChatOutput', '  B: TextOutput');
    const updated = await agent.call('update_flow_from_spec', { flow_id: built.id, spec: spec.split('\nconfig')[0] });
    called.add('update_flow_from_spec');
    expect({ text: updated.text, isError: updated.isError }).toMatchObject({ isError: false });
    // The component that stays keeps the value that the text does not name.
    expect(
      await ok('get_component_info', { flow_id: built.id, component_id: input, field_name: 'input_value' }),
    ).toMatchObject({ value: 'hello' });
    expect((await ok('list_starter_projects')).result.length).toBeGreaterThan(10);
    await ok('use_starter_project', { starter_name: 'chat', new_name: `Chat ${era}` });
    expect((await ok('search_templates', { query: 'chat' })).result[0]).toMatchObject({ tags: expect.any(Array) });
    expect((await ok('get_template', { template_id: 'chat' })).spec).toContain('nodes:');
    expect((await ok('list_all_tags')).result).toContain('models');
    const { result: count } = await ok('count_templates');
    expect(count).toBeGreaterThan(10);
    const fromTemplate = await ok('create_flow_from_template', { template_id: 'chat' });
    expect(fromTemplate.link).toBe(`${server.url}/flows/${fromTemplate.id}`);
    expect((await ok('search_components', { query: 'chat input' })).result[0]).toHaveProperty('text');
    expect(await ok('get_component', { component_name: 'ChatInput' })).toMatchObject({ name: 'ChatInput' });
    const categories = (await ok('list_component_types')).result;
    const { result: all } = await ok('count_components');
    const { result: some } = await ok('count_components', { component_type: categories[0] });
    expect(some).toBeLessThan(all);
    expect((await ok('get_components_by_type_tool', { component_type: categories[0] })).count).toBe(some);
    const assisted = await ok('run_assistant', { instruction: 'build a flow that shows the text of a chat message' });
    expect(['complete', 'running']).toContain(assisted.status);
    expect(await ok('get_assistant_result', { job_id: assisted.job_id })).toMatchObject({ flow_id: assisted.flow_id });
    const batch = await ok('batch', {
      actions: [
        { tool: 'create_flow', args: { name: `Batch ${era}` } },
        { tool: 'add_component', args: { flow_id: '$0.id', component_type: 'ChatInput' } },
      ],
    });
    expect(batch.result[1]).toMatchObject({ display_name: expect.any(String) });
    const deleted = await ok('delete_flow', { flow_id: copy.id });
    const kept = await page.request(`/api/v1/files/content?path=${encodeURIComponent(deleted.kept_as)}`);
    expect(JSON.parse(await kept.text())).toMatchObject({ name: copy.name });
    expect((await agent.call('get_flow_info', { flow_id: copy.id })).isError).toBe(true);
    for (const each of [...CORE, ...OLDER]) expect([...called]).toContain(each);
  }, 120_000);

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
    await expect.poll(() => seen, { timeout: 20_000 }).toContain(`"version":2`);
    await expect.poll(() => seen, { timeout: 20_000 }).toContain('Added an output');
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
