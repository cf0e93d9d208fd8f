import { beforeEach, expect, it } from 'vitest';
import { openTestDesk } from '../../../../tests/store/open-test-desk.ts';
import { useSharedDatabase } from '../../../../tests/store/use-shared-database.ts';
import { createFlow } from '../flows/create-flow.ts';
import type { Db } from '../store/database.ts';
import { documentOf } from '../testing.ts';
import { GRAPH_TOOLS } from './graph-tools.ts';

let db: Db;
let id: string;
let count = 0;
let name: string;
const userId = 'gt-ann';
useSharedDatabase((database) => void (db = database.db), [userId, 'gt-bob']);
const document = documentOf(
  'name: F\nnodes:\n  A: ChatInput\n  B: ChatOutput\nedges:\n  A.message -> B.input_value',
  (_, each) => each,
);
beforeEach(async () => {
  name = `Graph ${count++}`;
  const [first, ...rest] = document.nodes;
  const nodes = [{ ...first, values: { ...first?.values, sender_name: 'Me', password: 'canary' } } as never, ...rest];
  id = (await createFlow(db, userId, { ...document, nodes, name })).flow.id;
});

const call = (tool: string, args: object = {}, of = id, by = userId): Promise<any> =>
  openTestDesk(db, by).call(GRAPH_TOOLS, tool, { flow_id_or_name: of, ...args });
const field = { component_id: 'A', field_name: 'sender_name' };

it('finds a flow by its id or its name, and none of another user', async () => {
  for (const of of [id, name])
    expect(await call('get_flow_structure_summary', {}, of)).toMatchObject({ flow_id: id, flow_name: name });
  await expect(call('get_flow_structure_summary', {}, 'none')).rejects.toMatchObject({ code: 'not_found' });
  await expect(call('get_flow_structure_summary', {}, id, 'gt-bob')).rejects.toMatchObject({ code: 'not_found' });
  const second = (await createFlow(db, userId, { ...document, name })).flow.id;
  const ambiguous = call('get_flow_structure_summary', {}, name);
  await expect(ambiguous).rejects.toThrow(/several flows with this name/);
  await expect(ambiguous).rejects.toThrow(second);
});

it('takes an id for the flow of that id, also where a flow has it as its name', async () => {
  await createFlow(db, userId, { ...document, name: id });
  expect(await call('get_flow_structure_summary')).toMatchObject({ flow_id: id, flow_name: name });
});

it('shows the structure of a flow', async () => {
  expect(await call('get_flow_structure_summary')).toEqual({
    flow_id: id,
    flow_name: name,
    vertex_count: 2,
    edge_count: 1,
    vertices: ['A', 'B'],
    edges: [['A', 'B']],
  });
});

it('draws a flow and gives its text, without secrets', async () => {
  const drawn = await call('visualize_flow_graph');
  expect(drawn).toMatchObject({ flow_id: id, flow_name: name, vertex_count: 2, edge_count: 1 });
  expect(drawn.text_repr).toContain('A.message -> B.input_value');
  expect((await call('get_flow_text_representation')).result).toBe(drawn.text_repr);
  expect((await call('get_flow_ascii_diagram')).result).toBe(drawn.ascii_graph);
  expect(JSON.stringify(drawn)).not.toContain('canary');
});

it('does not draw a flow that is too large', async () => {
  const nodes = Array.from({ length: 201 }, (_, at) => ({ ...document.nodes[0], id: `N${at}` }) as never);
  const large = (await createFlow(db, userId, { ...document, nodes, edges: [] })).flow.id;
  await expect(call('get_flow_ascii_diagram', {}, large)).rejects.toThrow('Use get_flow_text_representation');
  expect((await call('visualize_flow_graph', {}, large)).ascii_graph).toBeNull();
});

it('reads a component with its connections, and no secret', async () => {
  const details = await call('get_flow_component_details', { component_id: 'A' });
  expect(details).toMatchObject({ component_id: 'A', type: 'ChatInput', fields: { sender_name: 'Me' }, incoming: [] });
  expect(details.outgoing.map(({ to }: { to: { node: string } }) => to.node)).toEqual(['B']);
  expect(JSON.stringify(details)).not.toContain('canary');
  expect((await call('get_flow_component_details', { component_id: 'B' })).incoming).toHaveLength(1);
  await expect(call('get_flow_component_details', { component_id: 'Z' })).rejects.toThrow();
});

it('reads one value with its kind, and lists all', async () => {
  expect(await call('get_flow_component_field_value', field)).toMatchObject({
    field_name: 'sender_name',
    value: 'Me',
    field_type: 'text',
    required: false,
  });
  await expect(call('get_flow_component_field_value', { ...field, field_name: 'nothing' })).rejects.toThrow();
  const { fields, field_count } = await call('list_flow_component_fields', { component_id: 'A' });
  expect(fields).toHaveLength(field_count);
  expect(fields.find((each: { field_name: string }) => each.field_name === 'sender_name')).toMatchObject({
    value: 'Me',
    display_name: expect.stringMatching(/name/i),
  });
});

it('sets one value, and gives the old and the new one', async () => {
  expect(await call('update_flow_component_field', { ...field, new_value: 'You', if_revision: 1 })).toMatchObject({
    success: true,
    old_value: 'Me',
    new_value: 'You',
    component_id: 'A',
    flow_id: id,
    revision: 2,
  });
  await expect(call('update_flow_component_field', { ...field, new_value: 'x', if_revision: 1 })).rejects.toMatchObject(
    { code: 'changed' },
  );
  expect((await call('get_flow_component_field_value', field)).value).toBe('You');
});
