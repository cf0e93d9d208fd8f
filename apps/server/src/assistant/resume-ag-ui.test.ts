import { EDIT_CONTINUATION_INPUT, PLAN_APPROVAL_INPUT } from '@croft/assistant';
import { builtinRegistry } from '@croft/components';
import { beforeEach, describe, expect, it } from 'vitest';
import { useSharedDatabase } from '../../../../tests/store/use-shared-database.ts';
import { TEST_CALLER } from '../../../../tests/support/route-caller.ts';
import { createFlow } from '../flows/create-flow.ts';
import { getFlow } from '../flows/get-flow.ts';
import type { Db } from '../store/database.ts';
import { type AgUiDecision, resumeAgUi, type ResumeOptions } from './resume-ag-ui.ts';
import { BEFORE, fieldEvent, FLOW } from './testing.ts';

let db: Db;
let flowId: string;
const userId = 'ra-ann';
useSharedDatabase((database) => void (db = database.db), [userId]);
const plan = (id: string) => ({ event: 'flow_update', action: 'propose_plan', id, markdown: 'First …' });
const complete = (continuation_expected: boolean) => ({ event: 'complete', data: { continuation_expected } });

let events: any[];
let did: unknown[];
let live: Record<string, unknown> | undefined;
let session: string;
beforeEach(async () => {
  flowId = (await createFlow(db, userId, FLOW)).flow.id;
  [events, did, live, session] = [[], [], undefined, 'thread'];
});

const decision = (id: string, choice?: unknown, status: AgUiDecision['status'] = 'resolved'): AgUiDecision => ({
  interruptId: `turn/${id}`,
  status,
  ...(choice !== undefined && { payload: choice }),
});
function resume(...decisions: AgUiDecision[]) {
  const turn = () => (live ? { flowId, sessionId: session, ...live } : undefined);
  const options = {
    events: { send: () => {} },
    flowComponents: { fillEdits: async (_: string, edits: unknown) => edits },
    liveTurns: {
      find: turn,
      decide: (user: string, id: string, work: () => Promise<unknown>) => {
        did.push(`decide ${user} ${id}`);
        return work();
      },
    },
    metrics: { decided: () => {} },
    registry: builtinRegistry(),
    storage: async () => db,
    turnStore: {
      find: async (_: string, id: string) => (id === 'turn' ? { id, flowId, sessionId: session, events } : undefined),
      add: async (_: string, event: object) => void events.push(event),
    },
    variables: { open: async () => [] },
  } as unknown as ResumeOptions;
  return resumeAgUi(options, { ...TEST_CALLER, userId }, { flowId, threadId: 'thread' }, decisions);
}
const valueNow = async () => (await getFlow(db, userId, flowId))?.document.nodes[0]?.values['sender_name'];
const NOT_OPEN = 'This interrupt is not open in this thread any more.';

describe('decisions about a question', () => {
  const asks = () => {
    live = {
      openQuestion: () => 'q',
      isOver: () => false,
      log: { lastId: '7' },
      cancel: () => void did.push('cancel'),
      answer: (id: string, choice: string) => did.push(`answer ${id} ${choice}`) > 0,
      add: () => {},
    };
  };

  it('continue the turn that asked, after its last event', async () => {
    asks();
    expect(await resume(decision('q', { choice: 'yes' }))).toMatchObject({ turn: { flowId }, after: '7' });
    expect(did).toEqual([`decide ${userId} turn`, 'answer q yes']);
  });

  it('cancel the turn', async () => {
    asks();
    expect(await resume(decision('q', undefined, 'cancelled'))).toMatchObject({ after: '7' });
    expect(did).toEqual([`decide ${userId} turn`, 'cancel']);
  });

  it('are refused for another question, with another decision, or from another thread', async () => {
    asks();
    await expect(resume(decision('other', 'yes'))).rejects.toThrow(NOT_OPEN);
    await expect(resume(decision('q', 'yes'), decision('p', 'yes'))).rejects.toThrow(NOT_OPEN);
    session = 'other';
    await expect(resume(decision('q', 'yes'))).rejects.toThrow(NOT_OPEN);
    expect(did.filter((each) => each !== `decide ${userId} turn`)).toEqual([]);
  });
});

describe('decisions about proposals', () => {
  it('are carried out, and the others stay open', async () => {
    events = [fieldEvent('p'), plan('later')];
    expect(await resume(decision('p', 'accept'))).toEqual({
      turnId: 'turn',
      open: [expect.objectContaining({ id: 'later' })],
    });
    expect(await valueNow()).toBe('Me');
  });

  it('continue with a message where the step waits for them', async () => {
    events = [fieldEvent('p'), complete(true)];
    expect(await resume(decision('p', { choice: 'accept' }))).toEqual({ message: EDIT_CONTINUATION_INPUT });
  });

  it('approve a plan with a message', async () => {
    events = [plan('p')];
    expect(await resume(decision('p', 'approve'))).toEqual({ message: PLAN_APPROVAL_INPUT });
  });

  it('dismiss where they are cancelled', async () => {
    events = [fieldEvent('p')];
    expect(await resume(decision('p', undefined, 'cancelled'))).toEqual({ turnId: 'turn', open: [] });
    expect(await valueNow()).toBe(BEFORE ?? undefined);
  });

  it('change nothing unless each one can be carried out', async () => {
    events = [fieldEvent('p'), fieldEvent('q', { old_value: 'other' })];
    await expect(resume(decision('p', 'accept'), decision('q', 'accept'))).rejects.toMatchObject({ code: 'changed' });
    await expect(resume(decision('p', 'add'))).rejects.toMatchObject({ code: 'invalid' });
    await expect(resume(decision('p', 'accept'), decision('none', 'accept'))).rejects.toThrow(NOT_OPEN);
    session = 'other';
    await expect(resume(decision('p', 'accept'))).rejects.toThrow(NOT_OPEN);
    expect(await valueNow()).toBe(BEFORE ?? undefined);
  });
});

describe('decisions that are wrong', () => {
  it('name one turn, and each interrupt once', async () => {
    await expect(resume(decision('p', 'x'), { interruptId: 'other/p', status: 'resolved' })).rejects.toThrow(
      'Decide about the interrupts of one run at a time.',
    );
    await expect(resume(decision('p', 'x'), decision('p', 'y'))).rejects.toThrow(
      'resume: Decide once about each interrupt.',
    );
    expect(did).toEqual([]);
  });

  it('need a choice of at most 2,000 characters', async () => {
    const wrong = 'resume: payload needs a choice of at most 2000 characters.';
    for (const payload of [undefined, '', 4, null, { choice: '' }, { other: 'x' }, 'x'.repeat(2_001)])
      await expect(resume({ interruptId: 'turn/p', status: 'resolved', payload })).rejects.toThrow(wrong);
    await expect(resume(decision('p', 'x'.repeat(2_000)))).rejects.toThrow(NOT_OPEN);
  });
});
