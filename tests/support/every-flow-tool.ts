import { expect } from 'vitest';

/** The result of a call of a tool over MCP. */
export interface Called {
  readonly isError: boolean;
  readonly data: any;
  /** The first text of the result. */
  readonly text: string;
}

/** A client of flows over MCP. */
export interface FlowToolCaller {
  call(name: string, args?: Record<string, unknown>): Promise<Called>;
}

/** A flow that answers with its message, as text. */
export const ECHO_SPEC = `name: Echo
nodes:
  A: ChatInput
  B: ChatOutput
edges:
  A.message -> B.input_value
config:
  A.input_value: hello`;

/** Tools of the first server that Langflow's clients know, without `login`. */
export const CORE_FLOW_TOOLS: readonly string[] =
  'create_flow create_flow_from_spec update_flow_from_spec list_flows get_flow_info rename_flow export_flow delete_flow duplicate_flow list_starter_projects use_starter_project add_component remove_component configure_component list_components get_component_info search_component_types describe_component_type connect_components disconnect_components run_flow build_flow get_build_results get_component_output validate_flow freeze_component unfreeze_component layout_flow notify_done batch run_assistant'.split(
    ' ',
  );
/** Tools of the second one. */
export const OLDER_FLOW_TOOLS: readonly string[] =
  'search_templates get_template list_all_tags count_templates create_flow_from_template search_components get_component list_component_types count_components get_components_by_type_tool visualize_flow_graph get_flow_ascii_diagram get_flow_text_representation get_flow_structure_summary get_flow_component_details get_flow_component_field_value update_flow_component_field list_flow_component_fields'.split(
    ' ',
  );

export interface FlowToolSession {
  /** For the names of flows. */
  readonly label: string;
  /** Of the server. */
  readonly url: string;
  /** Reads a file of the caller's user. */
  readFile(path: string): Promise<string>;
}

/** Calls every tool as an agent would that builds, changes, runs and removes a flow. */
export async function callEveryFlowTool(
  agent: FlowToolCaller,
  { label, url, readFile }: FlowToolSession,
): Promise<void> {
  const called = new Set<string>();
  const ok = async (name: string, args: Record<string, unknown> = {}) => {
    called.add(name);
    const { isError, data, text } = await agent.call(name, args);
    expect({ name, isError, text }).toMatchObject({ isError: false });
    // Clients that show a model only the text see the same.
    expect(JSON.parse(text)).toEqual(data);
    return data;
  };
  const { id: flow_id } = await ok('create_flow', { name: `Made ${label}` });
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
  const name = `Renamed ${label}`;
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
  const built = await ok('create_flow_from_spec', { spec: ECHO_SPEC });
  expect(built).toMatchObject({
    node_count: 2,
    edge_count: 1,
    node_id_map: { A: expect.stringMatching(/^ChatInput-/) },
  });
  const input = built.node_id_map.A;
  const spec = ECHO_SPEC.replace(/A\b/g, input).replace('  B: ChatOutput', '  B: TextOutput');
  const updated = await agent.call('update_flow_from_spec', { flow_id: built.id, spec: spec.split('\nconfig')[0] });
  called.add('update_flow_from_spec');
  expect({ text: updated.text, isError: updated.isError }).toMatchObject({ isError: false });
  // The component that stays keeps the value that the text does not name.
  expect(
    await ok('get_component_info', { flow_id: built.id, component_id: input, field_name: 'input_value' }),
  ).toMatchObject({ value: 'hello' });
  expect((await ok('list_starter_projects')).result.length).toBeGreaterThan(10);
  await ok('use_starter_project', { starter_name: 'chat', new_name: `Chat ${label}` });
  expect((await ok('search_templates', { query: 'chat' })).result[0]).toMatchObject({ tags: expect.any(Array) });
  expect((await ok('get_template', { template_id: 'chat' })).spec).toContain('nodes:');
  expect((await ok('list_all_tags')).result).toContain('models');
  const { result: count } = await ok('count_templates');
  expect(count).toBeGreaterThan(10);
  const fromTemplate = await ok('create_flow_from_template', { template_id: 'chat' });
  expect(fromTemplate.link).toBe(`${url}/flows/${fromTemplate.id}`);
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
      { tool: 'create_flow', args: { name: `Batch ${label}` } },
      { tool: 'add_component', args: { flow_id: '$0.id', component_type: 'ChatInput' } },
    ],
  });
  expect(batch.result[1]).toMatchObject({ display_name: expect.any(String) });
  const deleted = await ok('delete_flow', { flow_id: copy.id });
  expect(JSON.parse(await readFile(deleted.kept_as))).toMatchObject({ name: copy.name });
  expect((await agent.call('get_flow_info', { flow_id: copy.id })).isError).toBe(true);
  for (const each of [...CORE_FLOW_TOOLS, ...OLDER_FLOW_TOOLS]) expect([...called]).toContain(each);
}
