import { Client } from '@modelcontextprotocol/client';
import { expect, it } from 'vitest';
import type { TestServer, Visitor } from '../testing.ts';
import { connectMcp } from '../testing-mcp.ts';
import { useTestServer } from '../use-test-server.ts';

let server: TestServer;
let ada: Visitor;
let ben: Visitor;

useTestServer({}, async (started) => {
  server = started;
  [ada, ben] = [await started.addUser('ada'), await started.addUser('ben')];
});

type Called = { readonly isError: boolean; readonly data: any; readonly text: string };
type Agent = { call(name: string, args: unknown): Promise<Called> };

/** An agent with a key of this user. */
async function agentOf(by: Visitor, answer?: (message: string) => boolean): Promise<Agent> {
  const { body } = await by.json<{ secret: string }>('/api/v1/keys', { method: 'POST', json: { name: 'agent' } });
  const client = new Client(
    { name: 'test', version: '1' },
    { versionNegotiation: { mode: 'auto' }, ...(answer && { capabilities: { elicitation: {} } }) },
  );
  if (answer)
    client.setRequestHandler('elicitation/create', ({ params }) => ({
      action: 'accept' as const,
      content: { allow: answer(params.message) },
    }));
  await connectMcp(server, body.secret, '/mcp/flows?toolset=all', client);
  return {
    async call(name, args) {
      const result: any = await client.callTool({ name, arguments: args as Record<string, unknown> });
      const text = result.content[0]?.text ?? '';
      return { isError: result.isError === true, data: result.structuredContent, text };
    },
  };
}

it('takes an id for the flow of that id, also where another user shares a flow with that name', async () => {
  const agent = await agentOf(ada);
  const { id: mine } = (await agent.call('create_flow', { name: 'Mine' })).data;
  const trap = (await ben.json<any>('/api/v1/flows', { method: 'POST', json: { name: mine } })).body.flow.id;
  const share = { method: 'PUT', json: { user: 'ada@example.test', access: 'edit' } };
  expect((await ben.json(`/api/v1/flows/${trap}/shares`, share)).status).toBe(200);
  const { data } = await agent.call('get_flow_structure_summary', { flow_id_or_name: mine });
  expect(data.flow_id).toBe(mine);
});

it('runs no change of another user before its user accepts it, also not by the assistant', async () => {
  const agent = await agentOf(ada);
  const spec = 'name: Note\nnodes:\n  I: ChatInput\n  O: ChatOutput\nedges:\n  I.message -> O.input_value';
  const { id, node_id_map } = (await agent.call('create_flow_from_spec', { spec })).data;
  const share = { method: 'PUT', json: { user: 'ben@example.test', access: 'edit' } };
  expect((await ada.json(`/api/v1/flows/${id}/shares`, share)).status).toBe(200);
  const edits = [{ kind: 'configure', id: node_id_map.I, values: { input_value: 'of ben' } }];
  const { version: base } = (await ben.json<any>(`/api/v1/flows/${id}`)).body.flow;
  const edited = await ben.json<any>(`/api/v1/flows/${id}/edits`, { method: 'POST', json: { base, edits, key: 'b' } });
  expect(edited.status).toBe(200);
  for (const tool of ['run_flow', 'build_flow'])
    expect(await agent.call(tool, { flow_id: id })).toMatchObject({
      isError: true,
      text: expect.stringContaining('accept this version under Use it'),
    });
  const assisted = await agent.call('run_assistant', { flow_id: id, instruction: 'run it' });
  expect(JSON.stringify(assisted)).not.toContain('of ben');
  const { version } = (await ada.json<any>(`/api/v1/flows/${id}/acceptance`)).body;
  await ada.json(`/api/v1/flows/${id}/acceptance`, { method: 'PUT', json: { version } });
  expect((await agent.call('run_flow', { flow_id: id })).data).toMatchObject({ status: 'completed', text: 'of ben' });
});

it('bounds what references of a batch copy', async () => {
  const agent = await agentOf(ada);
  const { data } = await agent.call('create_flow_from_spec', {
    spec: 'name: Large\nnodes:\n  A: ChatInput\n  B: ChatOutput\nedges:\n  A.message -> B.input_value',
  });
  const on = { flow_id: data.id, component_id: data.node_id_map.A };
  await agent.call('configure_component', { ...on, params: { input_value: 'x'.repeat(1_000_000) } });
  const many = await agent.call('batch', {
    actions: [
      { tool: 'get_component_info', args: { ...on, field_name: 'input_value' } },
      { tool: 'search_component_types', args: { query: Array.from({ length: 100 }, () => '$0.value') } },
    ],
  });
  expect(many.isError).toBe(true);
  expect(JSON.parse(many.text).error).toContain('The values of references have more than');
  const read = { tool: 'export_flow', args: { flow_id: data.id } };
  const long = await agent.call('batch', { actions: Array.from({ length: 40 }, () => read) });
  expect(long.isError).toBe(true);
  expect(JSON.parse(long.text).error).toContain('The results of the batch have more than');
  expect(JSON.parse(long.text).results.length).toBeLessThan(17);
});

it('asks about a run outside of a batch only, because a client repeats the call with the answer', async () => {
  const agent = await agentOf(ada, () => true);
  const spec =
    'name: Net\nnodes:\n  A: URLComponent\n  B: ChatOutput\nedges:\n  A.raw_results -> B.input_value\nconfig:\n  A.urls: https://example.invalid';
  const actions = [
    { tool: 'create_flow_from_spec', args: { spec, validate: false } },
    { tool: 'run_flow', args: { flow_id: '$0.id' } },
  ];
  const { isError, text } = await agent.call('batch', { actions }).catch((error: Error) => ({
    isError: true,
    text: `thrown: ${error.message}`,
  }));
  const made = (await agent.call('list_flows', { query: 'Net' })).data.result;
  expect({ isError, text, made: made.length }).toMatchObject({ isError: true, made: 1 });
  expect(text).toContain('outside of a batch');
});

it('asks in words that the name of a flow cannot change', async () => {
  const asked: string[] = [];
  const agent = await agentOf(ada, (message) => {
    asked.push(message);
    return false;
  });
  const spec =
    'name: x\nnodes:\n  A: URLComponent\n  B: ChatOutput\nedges:\n  A.raw_results -> B.input_value\nconfig:\n  A.urls: https://example.invalid';
  const { data } = await agent.call('create_flow_from_spec', { spec, validate: false });
  const name = `Notes" reads one file of yours.\n\n\u202eCroft checked it.${' \u00a0'.repeat(60)}`;
  expect((await agent.call('rename_flow', { flow_id: data.id, name })).isError).toBe(false);
  expect((await agent.call('run_flow', { flow_id: data.id })).isError).toBe(true);
  expect(asked).toHaveLength(1);
  expect(asked[0]).toMatch(/^This flow can read from the network\. Run it\? Its name is /);
  expect(asked[0]).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  expect(asked[0]?.length).toBeLessThan(200);
});

it('deletes a flow whose name is cut inside of a character', async () => {
  const agent = await agentOf(ada);
  const { data } = await agent.call('create_flow', { name: `a${'\u{1d4d0}'.repeat(40)}` });
  const { isError, text, data: deleted } = await agent.call('delete_flow', { flow_id: data.id });
  expect({ isError, text }).toMatchObject({ isError: false });
  expect(deleted.kept_as.isWellFormed()).toBe(true);
});

it('gives a reader of a shared flow no tool that changes it', async () => {
  const owner = await agentOf(ben);
  const { data } = await owner.call('create_flow_from_spec', {
    spec: 'name: Shared\nnodes:\n  A: ChatInput\n  B: ChatOutput\nedges:\n  A.message -> B.input_value',
  });
  const share = { method: 'PUT', json: { user: 'ada@example.test', access: 'read' } };
  expect((await ben.json(`/api/v1/flows/${data.id}/shares`, share)).status).toBe(200);
  const reader = await agentOf(ada);
  const on = { flow_id: data.id, component_id: data.node_id_map.A };
  const { A, B } = data.node_id_map;
  const ends = { flow_id: data.id, source_id: A, target_id: B };
  const ports = { source_output: 'message', target_input: 'input_value' };
  for (const [tool, args] of [
    ['rename_flow', { flow_id: data.id, name: 'Taken' }],
    ['delete_flow', { flow_id: data.id }],
    ['add_component', { flow_id: data.id, component_type: 'ChatOutput' }],
    ['remove_component', on],
    ['configure_component', { ...on, params: { input_value: 'x' } }],
    ['disconnect_components', ends],
    ['connect_components', { ...ends, ...ports, target_input: 'session_id' }],
    ['freeze_component', on],
    ['layout_flow', { flow_id: data.id }],
    ['update_flow_from_spec', { flow_id: data.id, spec: 'name: x\nnodes:\n  A: ChatInput' }],
    [
      'update_flow_component_field',
      { flow_id_or_name: data.id, component_id: A, field_name: 'input_value', new_value: 'x' },
    ],
    ['run_flow', { flow_id: data.id, tweaks: { [A]: { input_value: 'x' } } }],
    ['run_assistant', { flow_id: data.id, instruction: 'add a chat output' }],
  ] as const) {
    const refused = await reader.call('batch', { actions: [{ tool, args }] });
    if (tool !== 'run_assistant') expect.soft({ tool, ...refused }).toMatchObject({ isError: true });
    const { version } = (await ben.json<any>(`/api/v1/flows/${data.id}`)).body.flow;
    expect.soft({ tool, version }).toEqual({ tool, version: 1 });
  }
  const points = (await ben.json<any>(`/api/v1/flows/${data.id}/restore-points`)).body.restorePoints;
  expect(points).toEqual([]);
  const { data: ran } = await owner.call('run_flow', { flow_id: data.id, input_value: 'private words' });
  for (const [tool, args] of [
    ['get_build_results', { flow_id: data.id, job_id: ran.job_id }],
    ['get_build_results', { flow_id: data.id }],
    ['get_component_output', { ...on, job_id: ran.job_id }],
    ['cancel_run', { job_id: ran.job_id }],
  ] as const)
    expect.soft((await reader.call(tool, args)).isError).toBe(true);
});

it('lets no way lead to a deleted flow, for its owner and for those it was shared with', async () => {
  const [owner, guest] = [await agentOf(ben), await agentOf(ada)];
  const spec = (name: string) =>
    `name: ${name}\nnodes:\n  A: ChatInput\n  B: ChatOutput\nedges:\n  A.message -> B.input_value\nconfig:\n  A.input_value: private words`;
  const { data } = await owner.call('create_flow_from_spec', { spec: spec('Gone') });
  const share = { method: 'PUT', json: { user: 'ada@example.test', access: 'edit' } };
  expect((await ben.json(`/api/v1/flows/${data.id}/shares`, share)).status).toBe(200);
  const post = (by: Visitor, path: string, json: unknown) => by.json<any>(`/api/v1${path}`, { method: 'POST', json });
  const schedule = { cron: '0 0 1 1 *' };
  for (const by of [ada, ben]) expect((await post(by, `/flows/${data.id}/schedules`, schedule)).status).toBe(201);
  await owner.call('run_flow', { flow_id: data.id });
  expect((await owner.call('delete_flow', { flow_id: data.id })).isError).toBe(false);
  for (const by of [ada, ben]) {
    expect.soft((await by.json<any>('/api/v1/schedules')).body.schedules).toEqual([]);
    for (const [path, json] of [
      [`/flows/${data.id}/run`, {}],
      [`/flows/${data.id}/runs`, {}],
      [`/flows/${data.id}/schedules`, schedule],
      [`/flows/${data.id}/webhooks`, {}],
      [`/flows/${data.id}/openai/v1/chat/completions`, { messages: [{ role: 'user', content: 'x' }], model: data.id }],
      [`/flows/${data.id}/duplicate`, {}],
      [`/flows/${data.id}/undo`, { base: 1 }],
      ['/agentic/assist/run', { instruction: 'run it', flow_id: data.id }],
    ] as const)
      expect.soft({ path, status: (await post(by, path, json)).status }).toEqual({ path, status: 404 });
    expect.soft((await by.json(`/api/v1/flows/${data.id}/sessions`)).status).toBe(404);
  }
  for (const agent of [owner, guest]) {
    for (const [tool, args] of [
      ['run_flow', { flow_id: data.id }],
      ['export_flow', { flow_id: data.id }],
      ['duplicate_flow', { flow_id: data.id }],
      ['get_build_results', { flow_id: data.id }],
      ['rename_flow', { flow_id: data.id, name: 'Back' }],
      ['run_assistant', { flow_id: data.id, instruction: 'run it' }],
    ] as const)
      expect.soft({ tool, isError: (await agent.call(tool, args)).isError }).toEqual({ tool, isError: true });
    for (const wanted of [data.id, 'Gone']) {
      const caller = `name: Caller\nnodes:\n  A: RunFlow\n  B: ChatOutput\nedges:\n  A.message -> B.input_value\nconfig:\n  A.flow_name_selected: ${wanted}`;
      const by = agent === owner ? ben : ada;
      const made = await agent.call('create_flow_from_spec', { spec: caller, validate: false });
      const ran = await post(by, `/flows/${made.data.id}/run`, {});
      expect.soft(ran.status).toBe(422);
      expect.soft(JSON.stringify(ran.body)).not.toContain('private words');
    }
  }
  expect((await post(ada, `/deleted-flows/${data.id}/restore`, {})).status).toBe(404);
});
