import { beforeEach, expect, it } from 'vitest';
import { openTestDesk, type TestDesk } from '../../../../tests/store/open-test-desk.ts';
import { useSharedDatabase } from '../../../../tests/store/use-shared-database.ts';
import { createFlow } from '../flows/create-flow.ts';
import { getFlow } from '../flows/get-flow.ts';
import { listRestorePoints } from '../flows/restore-points.ts';
import type { Db } from '../store/database.ts';
import { documentOf } from '../testing.ts';
import { COMPONENT_TOOLS } from './component-tools.ts';
import { shownTools } from './testing.ts';

let db: Db;
let desk: TestDesk;
let flow_id: string;
const userId = 'ct-ann';
useSharedDatabase((database) => void (db = database.db), [userId]);
beforeEach(async () => {
  const spec = 'name: F\nnodes:\n  A: ChatInput\n  B: ChatOutput\nedges:\n  A.message -> B.input_value';
  flow_id = (
    await createFlow(
      db,
      userId,
      documentOf(spec, (_, id) => id),
    )
  ).flow.id;
  desk = openTestDesk(db, userId);
});

const call = (name: string, args: object = {}): Promise<any> => desk.call(COMPONENT_TOOLS, name, { flow_id, ...args });
const ends = { source_id: 'A', source_output: 'message', target_id: 'B', target_input: 'input_value' };
const flow = async () => (await getFlow(db, userId, flow_id))?.document;
const points = async () => (await listRestorePoints(db, flow_id)).map(({ name }) => name);

it('adds a component under a free id', async () => {
  const { id, display_name, revision } = await call('add_component', { component_type: 'ChatInput' });
  expect([id === 'A', display_name, revision]).toEqual([false, expect.any(String), 2]);
  expect((await flow())?.nodes.map((node) => node.type)).toEqual(['ChatInput', 'ChatOutput', 'ChatInput']);
  await expect(call('add_component', { component_type: 'Nothing' })).rejects.toThrow('search_component_types');
});

it('removes a component with its connections, after a restore point', async () => {
  expect(await call('remove_component', { component_id: 'A' })).toEqual({ removed: 'A', revision: 2 });
  const { nodes = [], edges = [] } = (await flow()) ?? {};
  expect([nodes.map(({ id }) => id), edges, await points()]).toEqual([
    ['B'],
    [],
    ['Before an MCP client: remove_component'],
  ]);
  await expect(call('remove_component', { component_id: 'A' })).rejects.toThrow(/A/);
});

it('sets values, and warns of a field that a connection fills', async () => {
  const done = await call('configure_component', {
    component_id: 'B',
    params: { sender_name: 'Bot', input_value: 'x' },
  });
  expect(done).toMatchObject({ component_id: 'B', configured: ['sender_name', 'input_value'], revision: 2 });
  expect(done.warnings).toEqual(["'input_value' of B is connected: a run uses the value that the connection brings."]);
  expect((await flow())?.nodes[1]?.values).toMatchObject({ sender_name: 'Bot' });
  expect(await call('configure_component', { component_id: 'A', params: '{"sender_name": "Me"}' })).not.toHaveProperty(
    'warnings',
  );
  for (const params of [{}, 'no json', { nothing: 1 }])
    await expect(call('configure_component', { component_id: 'A', params })).rejects.toThrow();
});

it('reads the components and their values', async () => {
  await call('configure_component', { component_id: 'A', params: { sender_name: 'Me', input_value: 'hi' } });
  const { result, revision } = await call('list_components');
  expect([result.map(({ id, type }: { id: string; type: string }) => [id, type]), revision]).toEqual([
    [
      ['A', 'ChatInput'],
      ['B', 'ChatOutput'],
    ],
    2,
  ]);
  expect(await call('get_component_info', { component_id: 'A' })).toMatchObject({
    type: 'ChatInput',
    fields: { sender_name: 'Me' },
    revision: 2,
  });
  expect(await call('get_component_info', { component_id: 'A', field_name: 'sender_name' })).toMatchObject({
    value: 'Me',
  });
  await expect(call('get_component_info', { component_id: 'A', field_name: 'nothing' })).rejects.toThrow();
  await expect(call('get_component_info', { component_id: 'Z' })).rejects.toThrow();
});

it('connects and disconnects, all connections or those of one port', async () => {
  expect(await call('disconnect_components', { source_id: 'A', target_id: 'B' })).toEqual({
    removed_count: 1,
    revision: 2,
  });
  expect([(await flow())?.edges, await points()]).toEqual([[], ['Before an MCP client: disconnect_components']]);
  await expect(call('disconnect_components', { source_id: 'A', target_id: 'B' })).rejects.toThrow(/A.*B/);
  expect(await call('connect_components', ends)).toEqual({ ...ends, revision: 3 });
  expect((await flow())?.edges).toHaveLength(1);
  await expect(
    call('disconnect_components', { source_id: 'A', target_id: 'B', target_input: 'other' }),
  ).rejects.toThrow();
  expect(await call('disconnect_components', ends)).toMatchObject({ removed_count: 1 });
  await expect(call('connect_components', { ...ends, target_input: 'nothing' })).rejects.toThrow();
});

it('freezes a component and keeps its other options', async () => {
  expect(await call('freeze_component', { component_id: 'A' })).toEqual({ frozen: 'A', revision: 2 });
  expect(await call('freeze_component', { component_id: 'A' })).toEqual({ frozen: 'A', revision: 2 });
  expect((await flow())?.nodes[0]?.run).toEqual({ frozen: true });
  expect((await call('list_components')).result.map(({ frozen }: { frozen: boolean }) => frozen)).toEqual([
    true,
    false,
  ]);
  expect(await call('unfreeze_component', { component_id: 'A' })).toEqual({ unfrozen: 'A', revision: 3 });
  expect((await flow())?.nodes[0]?.run ?? null).toBeNull();
  expect(await call('unfreeze_component', { component_id: 'B' })).toMatchObject({ revision: 3 });
});

it('arranges a flow, and does nothing to an empty one', async () => {
  const before = (await flow())?.nodes.map(({ position }) => position);
  expect(await call('layout_flow')).toMatchObject({ laid_out: flow_id });
  expect((await flow())?.nodes.map(({ position }) => position)).not.toBe(before);
  for (const component_id of ['A', 'B']) await call('remove_component', { component_id });
  const { revision } = await call('list_components');
  expect(await call('layout_flow')).toMatchObject({ revision });
});

it('changes nothing of another revision than the client read', async () => {
  const stale = { if_revision: 9 };
  for (const [name, args] of [
    ['add_component', { component_type: 'ChatInput' }],
    ['remove_component', { component_id: 'A' }],
    ['configure_component', { component_id: 'A', params: { sender_name: 'x' } }],
    ['connect_components', ends],
    ['disconnect_components', { source_id: 'A', target_id: 'B' }],
    ['freeze_component', { component_id: 'A' }],
    ['unfreeze_component', { component_id: 'A' }],
    ['layout_flow', {}],
  ] as const)
    await expect(call(name, { ...args, ...stale })).rejects.toMatchObject({ code: 'changed' });
  expect((await getFlow(db, userId, flow_id))?.version).toBe(1);
});

it('shows its tools to models and people in these words', () => {
  expect(shownTools(COMPONENT_TOOLS)).toEqual([
    'add_component | Add component | Adds a component to a flow. Connect it afterwards. | {"readOnlyHint":false,"destructiveHint":false,"idempotentHint":false,"openWorldHint":false} | undoable',
    '- flow_id: {"type":"string","minLength":1,"maxLength":100} The id of the flow.',
    '- component_type: {"type":"string","minLength":1,"maxLength":200} The type, as search_component_types gives it.',
    '- if_revision?: {"type":"integer","minimum":1,"maximum":9007199254740991} Refuses the change if the flow has another revision. Tools that read a flow give it.',
    '=> id: {"type":"string"}',
    '=> display_name: {"type":"string"}',
    '=> revision: {"type":"number"}',
    'remove_component | Remove component | Removes a component and its connections. A restore point is kept. | {"readOnlyHint":false,"destructiveHint":true,"idempotentHint":false,"openWorldHint":false} | undoable',
    '- flow_id: {"type":"string","minLength":1,"maxLength":100} The id of the flow.',
    '- component_id: {"type":"string","minLength":1,"maxLength":200} The id of the component.',
    '- if_revision?: {"type":"integer","minimum":1,"maximum":9007199254740991} Refuses the change if the flow has another revision. Tools that read a flow give it.',
    '=> removed: {"type":"string"}',
    '=> revision: {"type":"number"}',
    'configure_component | Configure component | Sets values of a component. describe_component_type lists its fields. | {"readOnlyHint":false,"destructiveHint":true,"idempotentHint":true,"openWorldHint":false} | undoable',
    '- flow_id: {"type":"string","minLength":1,"maxLength":100} The id of the flow.',
    '- component_id: {"type":"string","minLength":1,"maxLength":200} The id of the component.',
    '- params: {"anyOf":[{"type":"object","properties":{},"additionalProperties":{}},{"type":"string"}]} Values by the names of the fields.',
    '- if_revision?: {"type":"integer","minimum":1,"maximum":9007199254740991} Refuses the change if the flow has another revision. Tools that read a flow give it.',
    '=> component_id: {"type":"string"}',
    '=> configured: {"type":"array","items":{"type":"string"}}',
    '=> warnings?: {"type":"array","items":{"type":"string"}}',
    '=> revision: {"type":"number"}',
    'list_components | List components of a flow | Lists the components of a flow with their ids and types. | {"readOnlyHint":true,"destructiveHint":false,"idempotentHint":true,"openWorldHint":false} | undoable',
    '- flow_id: {"type":"string","minLength":1,"maxLength":100} The id of the flow.',
    '=> result: {"type":"array","items":{"type":"object","properties":{"id":{"type":"string"},"type":{"type":"string"},"display_name":{"type":"string"},"frozen":{"type":"boolean"}},"required":["id","type","display_name","frozen"],"additionalProperties":false}}',
    '=> revision: {"type":"number"}',
    'get_component_info | Get values of a component | Reads the values of a component, or one of them. Secret values are not shown. | {"readOnlyHint":true,"destructiveHint":false,"idempotentHint":true,"openWorldHint":false} | undoable',
    '- flow_id: {"type":"string","minLength":1,"maxLength":100} The id of the flow.',
    '- component_id: {"type":"string","minLength":1,"maxLength":200} The id of the component.',
    '- field_name?: {"type":"string","maxLength":200}',
    '=> component_id: {"type":"string"}',
    '=> type: {"type":"string"}',
    '=> fields?: {"type":"object","properties":{},"additionalProperties":{}}',
    '=> field?: {"type":"string"}',
    '=> value?: {}',
    '=> revision: {"type":"number"}',
    'connect_components | Connect components | Connects an output of a component to an input of another one. The output component_as_tool makes the component a tool of an agent. | {"readOnlyHint":false,"destructiveHint":false,"idempotentHint":true,"openWorldHint":false} | undoable',
    '- flow_id: {"type":"string","minLength":1,"maxLength":100} The id of the flow.',
    '- source_id: {"type":"string","minLength":1,"maxLength":200} The id of the component.',
    '- source_output: {"type":"string","minLength":1,"maxLength":200}',
    '- target_id: {"type":"string","minLength":1,"maxLength":200} The id of the component.',
    '- target_input: {"type":"string","minLength":1,"maxLength":200}',
    '- if_revision?: {"type":"integer","minimum":1,"maximum":9007199254740991} Refuses the change if the flow has another revision. Tools that read a flow give it.',
    '=> source_id: {"type":"string"}',
    '=> source_output: {"type":"string"}',
    '=> target_id: {"type":"string"}',
    '=> target_input: {"type":"string"}',
    '=> revision: {"type":"number"}',
    'disconnect_components | Disconnect components | Removes the connections between two components, or those of one port. A restore point is kept. | {"readOnlyHint":false,"destructiveHint":true,"idempotentHint":false,"openWorldHint":false} | undoable',
    '- flow_id: {"type":"string","minLength":1,"maxLength":100} The id of the flow.',
    '- source_id: {"type":"string","minLength":1,"maxLength":200} The id of the component.',
    '- target_id: {"type":"string","minLength":1,"maxLength":200} The id of the component.',
    '- source_output?: {"type":"string","minLength":1,"maxLength":200}',
    '- target_input?: {"type":"string","minLength":1,"maxLength":200}',
    '- if_revision?: {"type":"integer","minimum":1,"maximum":9007199254740991} Refuses the change if the flow has another revision. Tools that read a flow give it.',
    '=> removed_count: {"type":"number"}',
    '=> revision: {"type":"number"}',
    'freeze_component | Freeze component | A frozen component gives the outputs of its first run since then while its inputs are the same, instead of running again. | {"readOnlyHint":false,"destructiveHint":false,"idempotentHint":true,"openWorldHint":false} | undoable',
    '- flow_id: {"type":"string","minLength":1,"maxLength":100} The id of the flow.',
    '- component_id: {"type":"string","minLength":1,"maxLength":200} The id of the component.',
    '- if_revision?: {"type":"integer","minimum":1,"maximum":9007199254740991} Refuses the change if the flow has another revision. Tools that read a flow give it.',
    '=> frozen: {"type":"string"}',
    '=> revision: {"type":"number"}',
    'unfreeze_component | Unfreeze component | Lets a frozen component run again. | {"readOnlyHint":false,"destructiveHint":false,"idempotentHint":true,"openWorldHint":false} | undoable',
    '- flow_id: {"type":"string","minLength":1,"maxLength":100} The id of the flow.',
    '- component_id: {"type":"string","minLength":1,"maxLength":200} The id of the component.',
    '- if_revision?: {"type":"integer","minimum":1,"maximum":9007199254740991} Refuses the change if the flow has another revision. Tools that read a flow give it.',
    '=> unfrozen: {"type":"string"}',
    '=> revision: {"type":"number"}',
    'layout_flow | Arrange flow | Arranges the components of a flow from left to right. | {"readOnlyHint":false,"destructiveHint":false,"idempotentHint":true,"openWorldHint":false} | undoable',
    '- flow_id: {"type":"string","minLength":1,"maxLength":100} The id of the flow.',
    '- if_revision?: {"type":"integer","minimum":1,"maximum":9007199254740991} Refuses the change if the flow has another revision. Tools that read a flow give it.',
    '=> laid_out: {"type":"string"}',
    '=> revision: {"type":"number"}',
  ]);
});
