import { emptyFlow } from '@croft/flow';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { openTestDesk } from '../../../../tests/store/open-test-desk.ts';
import { useSharedDatabase } from '../../../../tests/store/use-shared-database.ts';
import { createFlow } from '../flows/create-flow.ts';
import { deleteForGood } from '../flows/deleted-flows.ts';
import { getFlow } from '../flows/get-flow.ts';
import { listFlows } from '../flows/list-flows.ts';
import type { Db } from '../store/database.ts';
import { batchTool } from './batch-tool.ts';
import { flowTool, type FlowToolCall, refuse, type WithResults } from './flow-tool.ts';
import { MANAGE_TOOLS } from './manage-tools.ts';

let db: Db;
const userId = 'bt-ann';
useSharedDatabase((database) => void (db = database.db), [userId]);

const READS = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };
const tool = (name: string, run: (input: { value?: unknown }, call: FlowToolCall) => unknown, undoable = true) =>
  flowTool({
    name,
    title: name,
    description: name,
    input: { value: z.unknown().optional() },
    output: {},
    annotations: READS,
    undoable,
    run: run as never,
  });
const TOOLS = [
  ...MANAGE_TOOLS,
  tool('echo', ({ value }) => ({ value })),
  tool('fail', () => {
    throw refuse('not today');
  }),
  tool('break', () => {
    throw new TypeError('bug');
  }),
  tool('ask', (_, { confirm }) => confirm?.('May I?', 't')),
  tool('final', () => ({}), false),
  tool('large', () => ({ text: 'x'.repeat(9 * 1024 * 1024) })),
];

type Action = readonly [tool: string, args?: object];
function batch(actions: readonly Action[], { atomic = false, call = {} as Partial<FlowToolCall> } = {}) {
  const { call: send } = openTestDesk(db, userId);
  const list = actions.map(([name, args = {}]) => ({ tool: name, args }));
  return send([batchTool(TOOLS)], 'batch', { actions: list, atomic }, call);
}
const failure = async (running: Promise<unknown>) =>
  (await running.then(
    () => undefined,
    (error: unknown) => error,
  )) as WithResults;
const names = async () => (await listFlows(db, userId, { limit: 50 })).flows.map(({ name }) => name).sort();

it('makes calls in order, which use results of earlier ones', async () => {
  const { result } = await batch([
    ['create_flow', { name: 'Batch' }],
    ['rename_flow', { flow_id: '$0.id', name: 'Renamed' }],
    ['echo', { value: ['$0.name', { deep: '$1.revision' }, 'x $0.id', '$0.id.more'] }],
  ]);
  expect(result).toMatchObject([
    { name: 'Batch' },
    { name: 'Renamed', revision: 2 },
    { value: ['Batch', { deep: 2 }, 'x $0.id', '$0.id.more'] },
  ]);
});

it('stops at the first failure, and gives the results before it', async () => {
  const error = await failure(batch([['echo', { value: 1 }], ['fail'], ['create_flow', { name: 'Never' }]]));
  expect([error.message, error.results]).toEqual(["Action 1 ('fail') failed: not today", [{ value: 1 }]]);
  expect(await names()).not.toContain('Never');
  await expect(batch([['break']])).rejects.toThrow('bug');
});

it('says what is wrong with an action or a reference', async () => {
  const messageOf = async (...actions: Action[]) => (await failure(batch(actions))).message;
  expect(await messageOf(['nothing'])).toMatch(
    /^Action 0: unknown tool 'nothing'\. Available: ask, break, create_flow, /,
  );
  expect(await messageOf(['create_flow', { name: 5 }])).toMatch(/^Action 0 \('create_flow'\) failed: name: /);
  expect(await messageOf(['echo', { value: '$0.id' }])).toBe('Reference $0 is out of range (only 0 results so far)');
  expect(await messageOf(['echo', { value: 1 }], ['echo', { value: '$0.id' }])).toBe(
    "$0.id: field 'id' not found in result 0",
  );
  expect(await messageOf(['echo', { value: 1 }], ['echo', { value: '$0.constructor' }])).toMatch(/not found/);
});

it('does not ask the person within a batch', async () => {
  const confirm = async () => true;
  const error = await failure(batch([['ask']], { call: { confirm: confirm as never } }));
  expect(error.message).toContain('This call has to ask the user. Make it outside of a batch.');
});

it('takes all back where one fails, if it is atomic', async () => {
  const { id } = (await createFlow(db, userId, emptyFlow('Kept'))).flow;
  const before = await names();
  const error = await failure(
    batch(
      [
        ['create_flow', { name: 'Gone' }],
        ['rename_flow', { flow_id: id, name: 'Other' }],
        ['rename_flow', { flow_id: id, description: 'x' }],
        ['fail'],
      ],
      { atomic: true },
    ),
  );
  expect([error.message, error.results]).toEqual(["Action 3 ('fail') failed: not today All actions were undone.", []]);
  expect([await names(), (await getFlow(db, userId, id))?.description]).toEqual([before, '']);
  await expect(batch([['create_flow', { name: 'Gone' }], ['break']], { atomic: true })).rejects.toThrow('bug');
  expect(await names()).toEqual(before);
});

it('refuses an atomic batch with an action that cannot be undone, before it does any', async () => {
  const error = await failure(batch([['create_flow', { name: 'Early' }], ['final']], { atomic: true }));
  expect(error.message).toBe('Action 1: final cannot be undone, so it is not part of an atomic batch.');
  expect(await names()).not.toContain('Early');
  expect(await batch([['final']])).toEqual({ result: [{}] });
});

it('bounds all results together, and what references copy', async () => {
  const large = await failure(batch([['large'], ['large']]));
  expect(large.message).toBe(
    `The results of the batch have more than ${16 * 1024 * 1024} characters. Make several calls.`,
  );
  const copies = await failure(batch([['large'], ['echo', { value: ['$0.text', '$0.text'] }]]));
  expect(copies.message).toContain('The values of references have more than');
});

it('stops where the caller has left', async () => {
  await expect(batch([['echo', { value: 1 }]], { call: { signal: AbortSignal.abort() } })).rejects.toThrow();
});

it('takes a bounded number of actions, and shows what it does', async () => {
  const { input, output, annotations, name, title, description } = batchTool(TOOLS);
  const actions = (count: number) => Array.from({ length: count }, () => ({ tool: 'echo' }));
  expect([0, 1, 100, 101].map((count) => input.safeParse({ actions: actions(count) }).success)).toEqual([
    false,
    true,
    true,
    false,
  ]);
  expect(input.parse({ actions: actions(1) })).toEqual({ actions: [{ tool: 'echo', args: {} }], atomic: false });
  expect(input.safeParse({ actions: [{ tool: 'x'.repeat(101) }] }).success).toBe(false);
  expect(input.safeParse({ actions: [{ tool: 'echo', more: 1 }] }).success).toBe(false);
  expect([name, title]).toEqual(['batch', 'Several calls']);
  expect([{ result: [1] }, {}].map((value) => output?.safeParse(value).success)).toEqual([true, false]);
  expect(annotations).toEqual({
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: false,
    openWorldHint: true,
  });
  expect(description).toContain('"$0.id"');
  expect(z.toJSONSchema(input)).toMatchObject({
    properties: { atomic: { description: 'All or none. Only for calls that read, create or edit flows.' } },
  });
});

it('says which flows it could not change back', async () => {
  const { flow } = await createFlow(db, userId, emptyFlow('Shared'));
  const rename = tool('other', async (_, { desk }) => {
    for (const id of desk.edited) await deleteForGood(db, userId, id);
    throw refuse('too late');
  });
  const { call } = openTestDesk(db, userId);
  const list = [
    { tool: 'rename_flow', args: { flow_id: flow.id, name: 'Mine' } },
    { tool: 'other', args: {} },
  ];
  const error = await failure(call([batchTool([...TOOLS, rename])], 'batch', { actions: list, atomic: true }));
  expect(error.message).toBe(
    `Action 1 ('other') failed: too late These flows could not be changed back, because they were changed again: ${flow.id}.`,
  );
});

it('tells open pages of flows that it takes back', async () => {
  const { flow } = await createFlow(db, userId, emptyFlow('Told'));
  const { call, sent } = openTestDesk(db, userId);
  const list = [
    { tool: 'create_flow', args: { name: 'Gone' } },
    { tool: 'rename_flow', args: { flow_id: flow.id, name: 'Other' } },
    { tool: 'fail', args: {} },
  ];
  await failure(call([batchTool(TOOLS)], 'batch', { actions: list, atomic: true }));
  expect(sent.filter((each) => each.startsWith(`${userId} `)).length).toBeGreaterThanOrEqual(4);
  expect((await getFlow(db, userId, flow.id))?.name).toBe('Told');
});
