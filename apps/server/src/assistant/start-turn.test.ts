import { EDIT_CONTINUATION_INPUT, PLAN_APPROVAL_INPUT } from '@croft/assistant';
import { emptyFlow } from '@croft/flow';
import { beforeEach, expect, it } from 'vitest';
import { useSharedDatabase } from '../../../../tests/store/use-shared-database.ts';
import { createFlow } from '../flows/create-flow.ts';
import type { Db } from '../store/database.ts';
import { type Message, startTurn, type StartTurnOptions } from './start-turn.ts';

let db: Db;
let flow_id: string;
const cancelled: string[] = [];
useSharedDatabase((database) => void (db = database.db), ['sn-ann', 'sn-bob']);
beforeEach(async () => {
  flow_id = (await createFlow(db, 'sn-ann', emptyFlow())).flow.id;
});

const PLAN = { event: 'flow_update', action: 'propose_plan', id: 'plan', markdown: '# Plan' };
const FIELD = { event: 'flow_update', action: 'edit_field', id: 'field' };
const COMPLETE = { event: 'complete', data: { continuation_expected: true } };
const ACCEPTED = { event: 'proposal_decided', id: 'field', choice: 'accept', version: 2 };

/** Starts a turn after an earlier one with these events. */
async function start(message: Partial<Message>, events?: readonly object[], userId = 'sn-ann', fault?: Error) {
  const requests: any[] = [];
  const decided: unknown[] = [];
  const asked: unknown[] = [];
  const options = {
    storage: async () => db,
    liveTurns: {
      start: (request: { continues?: string }) => {
        requests.push(request);
        return { id: 'turn-2', continues: request.continues, cancel: () => void cancelled.push('turn-2') };
      },
    },
    turnStore: {
      turns: async (conversation: object) => {
        asked.push(conversation);
        return events === undefined ? [] : [{ id: 'turn-1', events }];
      },
      memory: async (_: object, limit: number) => [{ limit }],
      async add(turn: string, event: { id: string; choice: string }) {
        if (fault) throw fault;
        decided.push([turn, event.id, event.choice]);
      },
    },
  } as unknown as StartTurnOptions;
  await startTurn(options, { userId, role: 'user', via: 'session' }, { flow_id, input_value: 'Hello', ...message });
  return { request: requests[0], decided, asked };
}

it('starts a turn about a flow of the user, with the memory of its conversation', async () => {
  const { request, asked, decided } = await start({
    session_id: 's',
    skip_all: true,
    max_retries: 1,
    iterations_limit: 2,
    token_limit: 3,
    history_limit: 4,
  });
  expect(request).toMatchObject({
    flowId: flow_id,
    sessionId: 's',
    message: 'Hello',
    skipAll: true,
    retries: 1,
    steps: 2,
    tokens: 3,
    history: [{ limit: 4 }],
    dismissesProposals: false,
  });
  expect([asked, decided]).toEqual([[{ userId: 'sn-ann', flowId: flow_id, sessionId: 's' }], []]);
  expect(request).not.toHaveProperty('continues');
});

it('gives a message without a session one of its own, and bounds its memory', async () => {
  const [first, second] = [await start({ history_limit: 1_000_000 }), await start({})];
  expect(first.request.sessionId).toMatch(/^agentic_.{16}$/);
  expect(second.request.sessionId).not.toBe(first.request.sessionId);
  expect(first.request.history).toEqual(second.request.history);
});

it('refuses a flow that the user cannot read, and a model that no provider has', async () => {
  await expect(start({}, undefined, 'sn-bob')).rejects.toMatchObject({ code: 'not_found', message: 'Flow not found.' });
  await expect(start({ provider: 'nobody', model_name: 'x' })).rejects.toMatchObject({
    code: 'invalid',
    message: expect.stringMatching(/^model_name: [^.]+\. .+\.$/),
  });
});

it('approves a plan only by the message that says so, while the plan is open', async () => {
  const approved = await start({ input_value: ` ${PLAN_APPROVAL_INPUT} ` }, [PLAN]);
  expect([approved.request.continues, approved.request.plan, approved.decided]).toEqual([
    'plan',
    '# Plan',
    [['turn-1', 'plan', 'approve']],
  ]);
  const other = await start({ input_value: 'Make it blue' }, [PLAN]);
  expect([other.request.continues, other.request.plan, other.decided]).toEqual([
    undefined,
    '# Plan',
    [['turn-1', 'plan', 'dismiss']],
  ]);
  const late = await start({ input_value: PLAN_APPROVAL_INPUT }, []);
  expect([late.request.continues, late.request.plan]).toEqual([undefined, undefined]);
});

it('goes on after accepted edits only where a step waits for them', async () => {
  const goOn = (events: object[], input_value = EDIT_CONTINUATION_INPUT) => start({ input_value }, events);
  expect((await goOn([FIELD, COMPLETE, ACCEPTED])).request.continues).toBe('edits');
  expect((await goOn([FIELD, COMPLETE, ACCEPTED], 'go on')).request.continues).toBeUndefined();
  expect((await goOn([FIELD, COMPLETE])).request.continues).toBeUndefined();
});

it('dismisses proposals that the message does not continue', async () => {
  const { decided, request } = await start({}, [FIELD, { ...FIELD, id: 'second' }]);
  expect(decided).toEqual([
    ['turn-1', 'field', 'dismiss'],
    ['turn-1', 'second', 'dismiss'],
  ]);
  expect(request.dismissesProposals).toBe(true);
});

it('cancels the turn where its client cannot be answered', async () => {
  await expect(start({}, [FIELD], 'sn-ann', new Error('no database'))).rejects.toThrow('no database');
  expect(cancelled).toEqual(['turn-2']);
  await start({}, [FIELD]);
  expect(cancelled).toEqual(['turn-2']);
});

it('passes the caller and that no person follows the turn on, with values of their own where none are given', async () => {
  const { request } = await start({ headless: true });
  expect(request).toEqual({
    caller: { userId: 'sn-ann', role: 'user', via: 'session' },
    flowId: flow_id,
    sessionId: expect.any(String),
    message: 'Hello',
    provider: undefined,
    modelName: undefined,
    skipAll: undefined,
    retries: undefined,
    steps: undefined,
    tokens: undefined,
    headless: true,
    history: expect.any(Array),
    dismissesProposals: false,
  });
});

it('dismisses nothing where the proposals of the turn before were decided', async () => {
  const { decided, request } = await start({}, [FIELD, { ...ACCEPTED, choice: 'dismiss' }]);
  expect([decided, request.dismissesProposals]).toEqual([[], false]);
  const mixed = await start({ input_value: PLAN_APPROVAL_INPUT }, [PLAN, FIELD]);
  expect(mixed.decided).toEqual([
    ['turn-1', 'plan', 'approve'],
    ['turn-1', 'field', 'dismiss'],
  ]);
});
