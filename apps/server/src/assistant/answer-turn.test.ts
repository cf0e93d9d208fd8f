import { builtinRegistry } from '@croft/components';
import { beforeEach, expect, it } from 'vitest';
import { useSharedDatabase } from '../../../../tests/store/use-shared-database.ts';
import { createFlow } from '../flows/create-flow.ts';
import { getFlow } from '../flows/get-flow.ts';
import type { Db } from '../store/database.ts';
import { type AnswerOptions, answerTurn, showRefusal } from './answer-turn.ts';
import { ForModel } from './for-model.ts';
import { fieldEvent, FLOW } from './testing.ts';

let db: Db;
let flowId: string;
const userId = 'at-ann';
useSharedDatabase((database) => void (db = database.db), [userId]);
beforeEach(async () => {
  flowId = (await createFlow(db, userId, FLOW)).flow.id;
});

const COMPLETE = { event: 'complete', data: { continuation_expected: true } };

/** Answers within a turn with these events. */
async function answer(
  id: string,
  choice: string,
  events: readonly object[],
  live?: { isOver: boolean; question?: string },
) {
  const added: any[] = [];
  const toReaders: unknown[] = [];
  const metrics: unknown[] = [];
  const deciding: unknown[] = [];
  const turn = live && {
    isOver: () => live.isOver,
    answer: (question: string) => question === live.question,
    add: (event: object) => void toReaders.push(event),
  };
  const options = {
    events: { send: () => {} },
    flowComponents: { fillEdits: async (_: string, edits: unknown) => edits },
    liveTurns: {
      find: () => turn,
      decide: (...of: [string, string, () => Promise<unknown>]) => {
        deciding.push(of.slice(0, 2));
        return of[2]();
      },
    },
    metrics: { decided: (...of: unknown[]) => void metrics.push(of) },
    registry: builtinRegistry(),
    storage: async () => db,
    turnStore: {
      find: async (_: string, turnId: string) => (turnId === 'turn-1' ? { id: 'turn-1', flowId, events } : undefined),
      add: async (_: string, event: object) => void added.push(event),
    },
    variables: { open: async () => [] },
  } as unknown as AnswerOptions;
  const answered = await answerTurn(options, userId, 'turn-1', { id, choice }).catch((error: unknown) => error);
  return { answered, added, toReaders, metrics, deciding };
}
const valueNow = async () => (await getFlow(db, userId, flowId))?.document.nodes[0]?.values['sender_name'];

it('answers the open question of a turn that runs', async () => {
  const { answered, added } = await answer('q', 'yes', [], { isOver: false, question: 'q' });
  expect(answered).toEqual({ id: 'q', choice: 'yes', version: null, continuation_expected: false });
  expect(added).toEqual([]);
});

it('carries out a proposal, notes it and tells readers of the turn', async () => {
  const { answered, added, toReaders, metrics, deciding } = await answer('p', 'accept', [fieldEvent('p'), COMPLETE], {
    isOver: true,
  });
  expect(answered).toEqual({ id: 'p', choice: 'accept', version: 2, continuation_expected: true });
  const event = { event: 'proposal_decided', id: 'p', choice: 'accept', version: 2 };
  expect([added, toReaders, metrics]).toEqual([[event], [event], [['edit_field', 'accept']]]);
  expect([await valueNow(), deciding]).toEqual(['Me', [[userId, 'turn-1']]]);
});

it('goes on only after the last proposal is decided', async () => {
  const { answered } = await answer('p', 'accept', [fieldEvent('p'), fieldEvent('q'), COMPLETE]);
  expect(answered).toMatchObject({ continuation_expected: false });
  const dismissed = await answer('p', 'dismiss', [fieldEvent('p'), COMPLETE]);
  expect(dismissed.answered).toMatchObject({ version: null, continuation_expected: false });
  expect(dismissed.added).toEqual([{ event: 'proposal_decided', id: 'p', choice: 'dismiss' }]);
});

it('decides nothing while the turn runs, twice, or about another turn', async () => {
  const running = await answer('p', 'accept', [fieldEvent('p')], { isOver: false });
  expect([running.answered, running.added]).toMatchObject([{ code: 'busy' }, []]);
  const decided = [fieldEvent('p'), { event: 'proposal_decided', id: 'p', choice: 'dismiss' }];
  expect((await answer('p', 'accept', decided)).answered).toMatchObject({ code: 'not_found' });
  expect((await answer('p', 'add', [fieldEvent('p')])).answered).toMatchObject({ code: 'invalid' });
  expect(await valueNow()).not.toBe('Me');
});

it('notes that an edit of the user carried out a dismissed proposal, and changes no flow', async () => {
  const dismissed = [fieldEvent('p'), COMPLETE, { event: 'proposal_decided', id: 'p', choice: 'dismiss' }];
  const before = await valueNow();
  const { answered, added, toReaders, metrics } = await answer('p', 'landed', dismissed, { isOver: true });
  const event = { event: 'proposal_decided', id: 'p', choice: 'landed' };
  expect(answered).toEqual({ id: 'p', choice: 'landed', version: null, continuation_expected: false });
  expect([added, toReaders, metrics, await valueNow()]).toEqual([[event], [event], [], before]);
  const plan = { event: 'flow_update', action: 'propose_plan', id: 'p', markdown: '1.' };
  for (const events of [[], [fieldEvent('p')], [...dismissed, event], [plan, dismissed[2] as object]])
    expect(await answer('p', 'landed', events)).toMatchObject({ answered: { code: 'not_found' }, added: [] });
});

it('keeps a proposal open that could not be carried out', async () => {
  const { answered, added, metrics } = await answer('p', 'accept', [fieldEvent('p', { old_value: 'else' })]);
  expect([answered, added, metrics]).toMatchObject([{ code: 'changed' }, [], []]);
});

it('shows the refusal of a canvas to the user who decided', () => {
  expect(() => showRefusal(new ForModel('The flow is full.'))).toThrow(
    expect.objectContaining({ code: 'changed', message: 'The flow is full.' }),
  );
  expect(() => showRefusal(new TypeError('bug'))).toThrow(TypeError);
});
