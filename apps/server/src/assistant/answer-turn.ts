import type { Registry } from '@croft/flow';
import type { FlowComponents } from '../components/flow-components.ts';
import type { EventStreams } from '../events.ts';
import { notFound } from '../problem.ts';
import { problem } from '../routes/route.ts';
import type { Db } from '../store/database.ts';
import { decideProposal, requireChoice } from './decide-proposal.ts';
import { createFlowCanvas } from './flow-canvas.ts';
import { ForModel } from './for-model.ts';
import type { LiveTurns } from './live-turns.ts';
import type { AssistantMetrics } from './metrics.ts';
import { proposalsOf } from './proposals.ts';
import type { Variables } from '../variables/variables.ts';
import type { TurnStore } from './turn-store.ts';
import { secretsOf } from './user-secrets.ts';

export interface AnswerOptions {
  readonly events: Pick<EventStreams, 'send'>;
  readonly flowComponents: Pick<FlowComponents, 'fillEdits'>;
  readonly liveTurns: Pick<LiveTurns, 'find' | 'decide'>;
  readonly metrics: Pick<AssistantMetrics, 'decided'>;
  readonly registry: Registry;
  readonly storage: () => Promise<Db>;
  readonly turnStore: Pick<TurnStore, 'find' | 'add'>;
  readonly variables: Pick<Variables, 'open'>;
}

/** The outcome of an answer. */
export interface Answered {
  readonly id: string;
  readonly choice: string;
  /** Of the flow after a change; null where nothing changed. */
  readonly version: number | null;
  /** All proposals are decided, and a step of the turn waits for the message that continues it. */
  readonly continuation_expected: boolean;
}

/** An answer to a question or proposal with this id. */
export interface Answer {
  readonly id: string;
  readonly choice: string;
}

/** The choice by which a client notes that an edit of the user carried out a dismissed proposal. It changes no flow. */
const LANDED = 'landed';

/**
 * Answers the open question of a turn, or carries out a decision about one of its proposals. Of several requests about a
 * proposal at once, the first one decides.
 *
 * @throws Problem `not_found`, `busy`, `invalid`, `changed`
 */
export const answerTurn = (options: AnswerOptions, userId: string, turnId: string, answer: Answer): Promise<Answered> =>
  options.liveTurns.decide(userId, turnId, () => answerInTurn(options, userId, turnId, answer));

/** The same, for callers within `decide` of the turn. */
export async function answerInTurn(
  options: AnswerOptions,
  userId: string,
  turnId: string,
  { id, choice }: Answer,
): Promise<Answered> {
  const { liveTurns, turnStore, registry, metrics } = options;
  const live = liveTurns.find(userId, turnId);
  const answered = { id, choice, version: null, continuation_expected: false };
  if (live?.answer(id, choice) === true) return answered;
  const turn = await turnStore.find(userId, turnId);
  if (turn === undefined) throw notFound('You have no such turn.');
  if (live?.isOver() === false)
    throw problem('busy', 'The assistant still works on the message. Decide when it has ended.');
  const { open, dismissed } = proposalsOf(turn.events);
  if (choice === LANDED) {
    const proposal = dismissed.find((each) => each.id === id && each.action !== 'propose_plan');
    if (proposal === undefined) throw notFound('No proposal with this id is dismissed.');
    const event = { event: 'proposal_decided' as const, id, choice };
    await turnStore.add(turn.id, event);
    live?.add(event);
    return answered;
  }
  const proposal = open.find((each) => each.id === id);
  if (proposal === undefined) throw notFound('This question or proposal is not open any more.');
  requireChoice(proposal, choice);
  const { flowId } = turn;
  const canvas = createFlowCanvas({ ...options, userId, flowId, turnId, message: 'an accepted proposal', key: id });
  const secrets = await secretsOf(options.variables, userId);
  const version = await decideProposal(canvas, { registry, secrets }, proposal, choice).catch(showRefusal);
  const event = { event: 'proposal_decided' as const, id, choice, ...(version !== undefined && { version }) };
  await turnStore.add(turn.id, event);
  live?.add(event);
  metrics.decided(proposal.action, choice);
  const { isContinued } = proposalsOf([...turn.events, event]);
  return { ...answered, version: version ?? null, continuation_expected: isContinued };
}

/** A refusal of the canvas, for the user who decided. @throws Problem */
export function showRefusal(error: unknown): never {
  if (error instanceof ForModel) throw problem('changed', error.message);
  throw error;
}
