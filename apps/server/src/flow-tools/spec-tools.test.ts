import { beforeEach, expect, it } from 'vitest';
import { openTestDesk, type TestDesk } from '../../../../tests/store/open-test-desk.ts';
import { useSharedDatabase } from '../../../../tests/store/use-shared-database.ts';
import { editFlow } from '../flows/edit-flow.ts';
import { getFlow } from '../flows/get-flow.ts';
import { listFlows } from '../flows/list-flows.ts';
import { listRestorePoints } from '../flows/restore-points.ts';
import type { Db } from '../store/database.ts';
import { SPEC_TOOLS } from './spec-tools.ts';
import { SHOWN_FLOW, SHOWN_WHOLE_FLOW, shownTools } from './testing.ts';

let db: Db;
let desk: TestDesk;
const userId = 'st-ann';
useSharedDatabase((database) => void (db = database.db), [userId]);
beforeEach(() => {
  desk = openTestDesk(db, userId);
});

const SPEC =
  'name: Echo\ndescription: Repeats\nnodes:\n  A: ChatInput\n  B: ChatOutput\nedges:\n  A.message -> B.input_value';
const create = (spec: string, more: object = {}): Promise<any> =>
  desk.call(SPEC_TOOLS, 'create_flow_from_spec', { spec, ...more });
const update = (flow_id: string, spec: string, more: object = {}): Promise<any> =>
  desk.call(SPEC_TOOLS, 'update_flow_from_spec', { flow_id, spec, ...more });
const count = async () => (await listFlows(db, userId, { limit: 100 })).flows.length;

it('creates a flow of a text, and says which id each component has', async () => {
  const made = await create(SPEC);
  expect(made).toMatchObject({
    name: 'Echo',
    description: 'Repeats',
    revision: 1,
    node_count: 2,
    edge_count: 1,
    warnings: expect.any(Array),
  });
  expect(Object.keys(made.node_id_map)).toEqual(['A', 'B']);
  expect((await getFlow(db, userId, made.id))?.document.nodes.map(({ id }) => id)).toEqual(
    Object.values(made.node_id_map),
  );
});

it('creates nothing where the text is wrong', async () => {
  const before = await count();
  await expect(create('name: F\nnodes:\n  A: NoSuchType')).rejects.toThrow(/NoSuchType/);
  await expect(create(`${SPEC}\n  A.message -> Z.input`)).rejects.toThrow();
  const orphan =
    'name: F\nnodes:\n  A: ChatInput\n  B: ChatOutput\n  C: ChatOutput\nedges:\n  A.message -> B.input_value';
  await expect(create(orphan)).rejects.toThrow(/Components without a connection: ChatOutput-\w+/);
  expect(await count()).toBe(before);
});

it('replaces a flow by a text: what stays keeps its id, place and other values', async () => {
  const made = await create(SPEC);
  const { A = '', B = '' } = made.node_id_map;
  await editFlow(db, {
    userId,
    flowId: made.id,
    base: 1,
    edits: [{ kind: 'configure', id: A, values: { sender_name: 'Kept', input_value: 'old' } }],
  });
  const before = (await getFlow(db, userId, made.id))?.document.nodes.find(({ id }) => id === A);
  const text = `nodes:\n  ${A}: ChatInput\n  New: ChatOutput\nedges:\n  ${A}.message -> New.input_value\nconfig:\n  ${A}.input_value: new`;
  const done = await update(made.id, text);
  const after = (await getFlow(db, userId, made.id))?.document;
  const kept = after?.nodes.find(({ id }) => id === A);
  expect([kept?.position, kept?.values['sender_name'], kept?.values['input_value']]).toEqual([
    before?.position,
    'Kept',
    'new',
  ]);
  expect([after?.name, after?.description, after?.nodes.some(({ id }) => id === B)]).toEqual([
    'Echo',
    'Repeats',
    false,
  ]);
  expect(done).toMatchObject({ revision: 3, node_count: 2, edge_count: 1, node_id_map: { [A]: A } });
  expect((await listRestorePoints(db, made.id)).map(({ name }) => name)).toEqual([
    'Before an MCP client: update_flow_from_spec',
  ]);
});

it('takes a component of another type for a new one', async () => {
  const made = await create(SPEC);
  const { A = '' } = made.node_id_map;
  const done = await update(
    made.id,
    `name: Other\nnodes:\n  ${A}: TextInput\n  X: ChatOutput\nedges:\n  ${A}.text -> X.input_value`,
  );
  expect([done.name, done.node_id_map[A] === A]).toEqual(['Other', false]);
});

it('changes nothing where the text is wrong, or the revision another one', async () => {
  const made = await create(SPEC);
  await expect(update(made.id, 'nodes:\n  A: NoSuchType')).rejects.toThrow();
  await expect(update(made.id, SPEC, { if_revision: 9 })).rejects.toMatchObject({ code: 'changed' });
  expect([(await getFlow(db, userId, made.id))?.version, await listRestorePoints(db, made.id)]).toEqual([1, []]);
});

it('shows its tools to models and people in these words', () => {
  expect(shownTools(SPEC_TOOLS)).toEqual([
    'create_flow_from_spec | Create flow from text | Creates a flow from its text form. Find types with search_component_types and ports with describe_component_type first. Nothing is created if the text is wrong. | {"readOnlyHint":false,"destructiveHint":false,"idempotentHint":false,"openWorldHint":false} | undoable',
    '- spec: {"type":"string","minLength":1,"maxLength":500000} The flow as text. Example:\nname: Q and A\nnodes:\n  A: ChatInput\n  B: Agent\n  C: ChatOutput\nedges:\n  A.message -> B.input_value\n  B.response -> C.input_value\nconfig:\n  B.system_prompt: |\n    Answer briefly.',
    '- validate: {"default":true,"type":"boolean"} Creates nothing where the flow could not run.',
    ...SHOWN_WHOLE_FLOW,
    '=> node_id_map: {"type":"object","propertyNames":{"type":"string"},"additionalProperties":{"type":"string"}}',
    '=> warnings: {"type":"array","items":{"type":"string"}}',
    'update_flow_from_spec | Update flow from text | Replaces the components and connections of a flow by those of a text. A component with the same id and type stays, with the values that the text does not name; others are removed. A restore point is kept. | {"readOnlyHint":false,"destructiveHint":true,"idempotentHint":false,"openWorldHint":false} | undoable',
    '- flow_id: {"type":"string","minLength":1,"maxLength":100} The id of the flow.',
    '- spec: {"type":"string","minLength":1,"maxLength":500000} The flow as text. Example:\nname: Q and A\nnodes:\n  A: ChatInput\n  B: Agent\n  C: ChatOutput\nedges:\n  A.message -> B.input_value\n  B.response -> C.input_value\nconfig:\n  B.system_prompt: |\n    Answer briefly.',
    '- if_revision?: {"type":"integer","minimum":1,"maximum":9007199254740991} Refuses the change if the flow has another revision. Tools that read a flow give it.',
    ...SHOWN_FLOW,
    '=> node_id_map: {"type":"object","propertyNames":{"type":"string"},"additionalProperties":{"type":"string"}}',
    '=> spec_summary: {"type":"string"}',
  ]);
});
