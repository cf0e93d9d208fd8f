import { beforeEach, expect, it } from 'vitest';
import { openTestDesk } from '../../../../tests/store/open-test-desk.ts';
import { useSharedDatabase } from '../../../../tests/store/use-shared-database.ts';
import { createFlow } from '../flows/create-flow.ts';
import type { Db } from '../store/database.ts';
import { documentOf } from '../testing.ts';
import { GRAPH_TOOLS } from './graph-tools.ts';
import { shownTools } from './testing.ts';

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

it('finds a flow by its name among many newer ones whose names contain it', async () => {
  const others = Array.from({ length: 60 }, (_, at) => createFlow(db, userId, { ...document, name: `${name} ${at}` }));
  await Promise.all(others);
  expect(await call('get_flow_structure_summary', {}, name)).toMatchObject({ flow_id: id });
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
  const { ascii_graph, text_repr, ...counts } = drawn;
  expect(counts).toEqual({ flow_id: id, flow_name: name, vertex_count: 2, edge_count: 1 });
  expect(ascii_graph).toBe('[ChatInput]\n  message -> ChatOutput.input_value\n    [ChatOutput]');
  expect(text_repr).toContain('A.message -> B.input_value');
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
  const { fields, ...details } = await call('get_flow_component_details', { component_id: 'A' });
  const { edges } = document;
  expect(edges).toHaveLength(1);
  expect(details).toEqual({
    flow_id: id,
    flow_name: name,
    component_id: 'A',
    type: 'ChatInput',
    display_name: 'Chat input',
    incoming: [],
    outgoing: edges,
  });
  expect(fields).toMatchObject({ sender_name: 'Me' });
  expect(JSON.stringify(fields)).not.toContain('canary');
  expect(await call('get_flow_component_details', { component_id: 'B' })).toMatchObject({
    incoming: edges,
    outgoing: [],
  });
  await expect(call('get_flow_component_details', { component_id: 'Z' })).rejects.toThrow();
});

it('reads one value with its kind, and lists all', async () => {
  const shown = {
    field_name: 'sender_name',
    value: 'Me',
    field_type: 'text',
    display_name: 'Sender name',
    required: false,
  };
  expect(await call('get_flow_component_field_value', field)).toEqual({ ...shown, component_id: 'A', flow_id: id });
  await expect(call('get_flow_component_field_value', { ...field, field_name: 'nothing' })).rejects.toThrow('nothing');
  await expect(call('get_flow_component_field_value', { ...field, component_id: 'Z' })).rejects.toThrow('Z');
  const { fields, field_count, ...head } = await call('list_flow_component_fields', { component_id: 'A' });
  expect(head).toEqual({ flow_id: id, flow_name: name, component_id: 'A' });
  expect(fields).toHaveLength(field_count);
  expect(fields.find((each: { field_name: string }) => each.field_name === 'sender_name')).toEqual(shown);
  await expect(call('list_flow_component_fields', { component_id: 'Z' })).rejects.toThrow('Z');
});

it('sets one value, and gives the old and the new one', async () => {
  expect(await call('update_flow_component_field', { ...field, new_value: 'You', if_revision: 1 })).toEqual({
    success: true,
    field_name: 'sender_name',
    flow_name: name,
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
  await expect(call('update_flow_component_field', { ...field, new_value: null })).rejects.toThrow(
    "'sender_name' of A must be a text.",
  );
});

it('shows its tools to models and people in these words', () => {
  expect(shownTools(GRAPH_TOOLS)).toEqual([
    'visualize_flow_graph | Draw flow | Draws a flow and gives its text form, without secrets. | {"readOnlyHint":true,"destructiveHint":false,"idempotentHint":true,"openWorldHint":false} | undoable',
    '- flow_id_or_name: {"type":"string","minLength":1,"maxLength":200} The id of the flow, or its name.',
    '=> flow_id: {"type":"string"}',
    '=> flow_name: {"type":"string"}',
    '=> ascii_graph: {"type":["string","null"]}',
    '=> text_repr: {"type":"string"}',
    '=> vertex_count: {"type":"number"}',
    '=> edge_count: {"type":"number"}',
    'get_flow_ascii_diagram | Drawing of a flow | Draws a flow: one line for each component. | {"readOnlyHint":true,"destructiveHint":false,"idempotentHint":true,"openWorldHint":false} | undoable',
    '- flow_id_or_name: {"type":"string","minLength":1,"maxLength":200} The id of the flow, or its name.',
    '=> result: {"type":"string"}',
    'get_flow_text_representation | Text of a flow | Gives the text form of a flow with its values, without secrets. | {"readOnlyHint":true,"destructiveHint":false,"idempotentHint":true,"openWorldHint":false} | undoable',
    '- flow_id_or_name: {"type":"string","minLength":1,"maxLength":200} The id of the flow, or its name.',
    '=> result: {"type":"string"}',
    'get_flow_structure_summary | Structure of a flow | Lists the components and connections of a flow, without values. | {"readOnlyHint":true,"destructiveHint":false,"idempotentHint":true,"openWorldHint":false} | undoable',
    '- flow_id_or_name: {"type":"string","minLength":1,"maxLength":200} The id of the flow, or its name.',
    '=> flow_id: {"type":"string"}',
    '=> flow_name: {"type":"string"}',
    '=> vertex_count: {"type":"number"}',
    '=> edge_count: {"type":"number"}',
    '=> vertices: {"type":"array","items":{"type":"string"}}',
    '=> edges: {"type":"array","items":{"type":"array","items":{"type":"string"}}}',
    'get_flow_component_details | Component of a flow | Reads a component of a flow: its type, values and connections. Secret values are not shown. | {"readOnlyHint":true,"destructiveHint":false,"idempotentHint":true,"openWorldHint":false} | undoable',
    '- flow_id_or_name: {"type":"string","minLength":1,"maxLength":200} The id of the flow, or its name.',
    '- component_id: {"type":"string","minLength":1,"maxLength":200} The id of the component.',
    '=> component_id: {"type":"string"}',
    '=> flow_id: {"type":"string"}',
    '=> flow_name: {"type":"string"}',
    '=> type: {"type":"string"}',
    '=> display_name: {"type":"string"}',
    '=> fields: {"type":"object","properties":{},"additionalProperties":{}}',
    'get_flow_component_field_value | Value of a field | Reads one value of a component. A secret value is not shown. | {"readOnlyHint":true,"destructiveHint":false,"idempotentHint":true,"openWorldHint":false} | undoable',
    '- flow_id_or_name: {"type":"string","minLength":1,"maxLength":200} The id of the flow, or its name.',
    '- component_id: {"type":"string","minLength":1,"maxLength":200} The id of the component.',
    '- field_name: {"type":"string","minLength":1,"maxLength":200}',
    '=> component_id: {"type":"string"}',
    '=> flow_id: {"type":"string"}',
    '=> field_name: {"type":"string"}',
    '=> value: {}',
    '=> field_type: {"type":"string"}',
    '=> display_name: {"type":"string"}',
    '=> required: {"type":"boolean"}',
    'update_flow_component_field | Set a field | Sets one value of a component. | {"readOnlyHint":false,"destructiveHint":true,"idempotentHint":true,"openWorldHint":false} | undoable',
    '- flow_id_or_name: {"type":"string","minLength":1,"maxLength":200} The id of the flow, or its name.',
    '- component_id: {"type":"string","minLength":1,"maxLength":200} The id of the component.',
    '- field_name: {"type":"string","minLength":1,"maxLength":200}',
    '- new_value: {}',
    '- if_revision?: {"type":"integer","minimum":1,"maximum":9007199254740991} Refuses the change if the flow has another revision. Tools that read a flow give it.',
    '=> component_id: {"type":"string"}',
    '=> flow_id: {"type":"string"}',
    '=> success: {"type":"boolean"}',
    '=> field_name: {"type":"string"}',
    '=> old_value: {}',
    '=> new_value: {}',
    '=> flow_name: {"type":"string"}',
    '=> revision: {"type":"number"}',
    'list_flow_component_fields | Fields of a component | Lists the fields of a component with their kinds and values. Secret values are not shown. | {"readOnlyHint":true,"destructiveHint":false,"idempotentHint":true,"openWorldHint":false} | undoable',
    '- flow_id_or_name: {"type":"string","minLength":1,"maxLength":200} The id of the flow, or its name.',
    '- component_id: {"type":"string","minLength":1,"maxLength":200} The id of the component.',
    '=> component_id: {"type":"string"}',
    '=> flow_id: {"type":"string"}',
    '=> flow_name: {"type":"string"}',
    '=> fields: {"type":"array","items":{"type":"object","properties":{},"additionalProperties":{}}}',
    '=> field_count: {"type":"number"}',
  ]);
});
