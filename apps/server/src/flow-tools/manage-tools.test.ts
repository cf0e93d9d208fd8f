import { afterEach, beforeEach, expect, it } from 'vitest';
import { openTestDesk, type TestDesk } from '../../../../tests/store/open-test-desk.ts';
import { useSharedDatabase } from '../../../../tests/store/use-shared-database.ts';
import { testNamespaces } from '../../../../tests/support/test-namespaces.ts';
import type { Namespaces } from '../files/namespaces.ts';
import { editFlow } from '../flows/edit-flow.ts';
import { getFlow } from '../flows/get-flow.ts';
import { shareFlow } from '../flows/share-flow.ts';
import type { Db } from '../store/database.ts';
import { MANAGE_TOOLS } from './manage-tools.ts';
import { RUN_TOOLS } from './run-tools.ts';
import { SHOWN_WHOLE_FLOW, shownTools } from './testing.ts';

let db: Db;
let desk: TestDesk;
let namespaces: Namespaces;
let schedules: unknown[];
const userId = 'mt-ann';
useSharedDatabase((database) => void (db = database.db), [userId, 'mt-bob']);
const deskOf = (user: string) =>
  openTestDesk(db, user, {
    files: {
      open: (of: string) => {
        const namespace = namespaces.mineOf(of);
        return { workspace: namespace.workspace, namespaceOf: () => namespace } as never;
      },
    } as never,
    queuedRuns: { removeSchedulesOf: async (of: object) => void schedules.push(of) } as never,
    log: { error: () => {} } as never,
  });
beforeEach(() => {
  namespaces = testNamespaces();
  schedules = [];
  desk = deskOf(userId);
});
afterEach(() => namespaces.close());

const call = (name: string, args: object = {}): Promise<any> => desk.call(MANAGE_TOOLS, name, args);
const create = async (args: object = {}) => (await call('create_flow', args)).id as string;

it('creates, reads, renames and copies a flow', async () => {
  const made = await call('create_flow', { name: 'Shop', description: 'Sells' });
  expect(made).toEqual({ id: made.id, name: 'Shop', description: 'Sells', revision: 1 });
  expect(await call('create_flow')).toMatchObject({ name: 'Untitled flow', description: '' });
  expect(await desk.call(RUN_TOOLS, 'validate_flow', { flow_id: made.id })).toMatchObject({
    valid: false,
    errors: [{ code: 'empty_flow' }],
  });
  expect(await call('get_flow_info', { flow_id: made.id })).toMatchObject({
    name: 'Shop',
    node_count: 0,
    components: [],
    inputs: [],
    outputs: [],
  });
  expect(await call('rename_flow', { flow_id: made.id, name: 'Store' })).toMatchObject({
    name: 'Store',
    description: 'Sells',
    revision: 2,
  });
  expect(await call('rename_flow', { flow_id: made.id, description: 'x', if_revision: 2 })).toMatchObject({
    description: 'x',
    revision: 3,
  });
  await expect(call('rename_flow', { flow_id: made.id })).rejects.toThrow('Give a name or a description.');
  await expect(call('rename_flow', { flow_id: made.id, name: 'x', if_revision: 2 })).rejects.toMatchObject({
    code: 'changed',
  });
  const copy = await call('duplicate_flow', { flow_id: made.id });
  expect([copy.name, copy.id === made.id]).toEqual(['Store (copy)', false]);
});

it('lists flows in pages, with their shapes and without values', async () => {
  const lister = deskOf('mt-bob');
  for (let count = 0; count < 21; count++) await lister.call(MANAGE_TOOLS, 'create_flow', { name: `Listed ${count}` });
  const first: any = await lister.call(MANAGE_TOOLS, 'list_flows');
  const second: any = await lister.call(MANAGE_TOOLS, 'list_flows', { cursor: first.next_cursor });
  expect([first.result.length, second.result.length, second.next_cursor]).toEqual([20, 1, undefined]);
  expect(first.result[0]).toMatchObject({
    name: 'Listed 20',
    node_count: 0,
    edge_count: 0,
    spec_summary: expect.any(String),
  });
  expect(((await lister.call(MANAGE_TOOLS, 'list_flows', { query: 'listed 7' })) as any).result).toHaveLength(1);
});

it('exports a flow without its secrets', async () => {
  const id = await create();
  await editFlow(db, {
    userId,
    flowId: id,
    base: 1,
    edits: [{ kind: 'set_details', description: 'Bearer sk-abcdefghijklmnopqrstuvwxyz123456' }],
  });
  const { flow, removed, revision } = await call('export_flow', { flow_id: id });
  expect([JSON.stringify(flow).includes('sk-abc'), removed.length, revision]).toEqual([false, 1, 2]);
});

it('deletes a flow, and keeps it in the files of its owner', async () => {
  const id = await create({ name: 'Größe & (x)!' });
  const { deleted, kept_as } = await call('delete_flow', { flow_id: id, if_revision: 1 });
  expect([deleted, kept_as]).toEqual([id, `deleted-flows/Größe-x-${id.slice(0, 8)}.json`]);
  expect(await getFlow(db, userId, id)).toBeUndefined();
  expect(schedules).toEqual([{ flowId: id }]);
  const mine = namespaces.mineOf(userId);
  const { bytes } = await mine.workspace.readBytes(kept_as);
  expect(JSON.parse(bytes.toString())).toMatchObject({ name: 'Größe & (x)!' });
  expect(mine.activity.entries()[0]).toMatchObject({
    tool: 'delete_flow',
    actor: { userId, via: 'mcp', client: 'test client' },
  });
  const other = await create({ name: '!!!' });
  expect((await call('delete_flow', { flow_id: other })).kept_as).toMatch(/^deleted-flows\/flow-/);
});

it('deletes nothing of another owner, or of another revision', async () => {
  const id = await create();
  await expect(call('delete_flow', { flow_id: id, if_revision: 9 })).rejects.toThrow(
    'The flow has revision 1 now, and not 9.',
  );
  await shareFlow(db, { userId, flowId: id, email: 'mt-bob@example.test', access: 'edit' });
  await expect(deskOf('mt-bob').call(MANAGE_TOOLS, 'delete_flow', { flow_id: id })).rejects.toThrow('Only the owner');
  expect([(await getFlow(db, userId, id))?.id, schedules]).toEqual([id, []]);
});

it('tells the user that an agent is done, about a flow of the user only', async () => {
  const id = await create();
  expect(await call('notify_done', { flow_id: id, summary: 'Done.' })).toEqual({ notified: id });
  expect(desk.sent.at(-1)).toBe(`${userId} flow_settled`);
  await expect(call('notify_done', { flow_id: 'none', summary: 'Done.' })).rejects.toMatchObject({ code: 'not_found' });
});

it('shows its tools to models and people in these words', () => {
  expect(shownTools(MANAGE_TOOLS)).toEqual([
    'create_flow | Create flow | Creates an empty flow. To create it with components, use create_flow_from_spec. | {"readOnlyHint":false,"destructiveHint":false,"idempotentHint":false,"openWorldHint":false} | undoable',
    '- name: {"default":"Untitled flow","type":"string","minLength":1,"maxLength":200}',
    '- description: {"default":"","type":"string","maxLength":10000}',
    '=> id: {"type":"string"}',
    '=> name: {"type":"string"}',
    '=> description: {"type":"string"}',
    '=> revision: {"type":"number"}',
    'list_flows | List flows | Lists flows, the latest change first, each with its components and connections and without values. | {"readOnlyHint":true,"destructiveHint":false,"idempotentHint":true,"openWorldHint":false} | undoable',
    '- query?: {"type":"string","maxLength":200} Part of the name.',
    '- cursor?: {"type":"string","maxLength":200} next_cursor of the page before.',
    '=> result: {"type":"array","items":{"type":"object","properties":{"id":{"type":"string"},"name":{"type":"string"},"description":{"type":"string"},"revision":{"type":"number"},"node_count":{"type":"number"},"edge_count":{"type":"number"},"graph":{"type":"string"},"spec_summary":{"type":"string"}},"required":["id","name","description","revision","node_count","edge_count","graph","spec_summary"],"additionalProperties":false}}',
    '=> next_cursor?: {"type":"string"}',
    'get_flow_info | Get flow | Reads a flow: its components, connections, inputs and outputs, without values. | {"readOnlyHint":true,"destructiveHint":false,"idempotentHint":true,"openWorldHint":false} | undoable',
    '- flow_id: {"type":"string","minLength":1,"maxLength":100} The id of the flow.',
    ...SHOWN_WHOLE_FLOW,
    'rename_flow | Rename flow | Changes the name of a flow, or its description. | {"readOnlyHint":false,"destructiveHint":false,"idempotentHint":false,"openWorldHint":false} | undoable',
    '- flow_id: {"type":"string","minLength":1,"maxLength":100} The id of the flow.',
    '- name?: {"type":"string","minLength":1,"maxLength":200}',
    '- description?: {"type":"string","maxLength":10000}',
    '- if_revision?: {"type":"integer","minimum":1,"maximum":9007199254740991} Refuses the change if the flow has another revision. Tools that read a flow give it.',
    '=> id: {"type":"string"}',
    '=> name: {"type":"string"}',
    '=> description: {"type":"string"}',
    '=> revision: {"type":"number"}',
    'export_flow | Export flow | Gives a flow as JSON, without its secrets. `removed` names the places of secrets. | {"readOnlyHint":true,"destructiveHint":false,"idempotentHint":true,"openWorldHint":false} | undoable',
    '- flow_id: {"type":"string","minLength":1,"maxLength":100} The id of the flow.',
    '=> flow: {"type":"object","properties":{},"additionalProperties":{}}',
    '=> removed: {"type":"array","items":{"type":"object","properties":{},"additionalProperties":{}}}',
    '=> revision: {"type":"number"}',
    'delete_flow | Delete flow | Deletes a flow. Its JSON without secrets is kept in the user\'s files, from where it can be imported; `kept_as` names the file. | {"readOnlyHint":false,"destructiveHint":true,"idempotentHint":false,"openWorldHint":false} | final',
    '- flow_id: {"type":"string","minLength":1,"maxLength":100} The id of the flow.',
    '- if_revision?: {"type":"integer","minimum":1,"maximum":9007199254740991} Refuses the change if the flow has another revision. Tools that read a flow give it.',
    '=> deleted: {"type":"string"}',
    '=> kept_as: {"type":"string"}',
    'duplicate_flow | Duplicate flow | Copies a flow. The copy has the same name with (copy). | {"readOnlyHint":false,"destructiveHint":false,"idempotentHint":false,"openWorldHint":false} | undoable',
    '- flow_id: {"type":"string","minLength":1,"maxLength":100} The id of the flow.',
    '=> id: {"type":"string"}',
    '=> name: {"type":"string"}',
    '=> description: {"type":"string"}',
    '=> revision: {"type":"number"}',
    'notify_done | Say that you are done | Tells the user, who may have the flow open, that you have finished, with a summary of your changes. | {"readOnlyHint":false,"destructiveHint":false,"idempotentHint":false,"openWorldHint":false} | final',
    '- flow_id: {"type":"string","minLength":1,"maxLength":100} The id of the flow.',
    '- summary: {"type":"string","minLength":1,"maxLength":2000}',
    '=> notified: {"type":"string"}',
  ]);
});
