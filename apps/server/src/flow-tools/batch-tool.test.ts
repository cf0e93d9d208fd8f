import { emptyFlow } from '@croft/flow';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { openTestDesk } from '../../../../tests/store/open-test-desk.ts';
import { useSharedDatabase } from '../../../../tests/store/use-shared-database.ts';
import { createFlow } from '../flows/create-flow.ts';
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
