import type { Registry } from '@croft/flow';
import type { FlowComponents } from '../components/flow-components.ts';
import type { EventStreams } from '../events.ts';
import { notFound } from '../problem.ts';
import { problem } from '../routes/route.ts';
import type { Db } from '../store/database.ts';
import { CHOICES, type Choice, decideProposal } from './decide-proposal.ts';
import { createFlowCanvas } from './flow-canvas.ts';
import { ForModel } from './for-model.ts';
import type { LiveTurns } from './live-turns.ts';
import type { AssistantMetrics } from './metrics.ts';
import { proposalsOf } from './proposals.ts';
import type { TurnStore } from './turn-store.ts';

export interface AnswerOptions {
  readonly events: Pick<EventStreams, 'send'>;
  readonly flowComponents: Pick<FlowComponents, 'fillEdits'>;
  readonly liveTurns: Pick<LiveTurns, 'find'>;
  readonly metrics: Pick<AssistantMetrics, 'decided'>;
  readonly registry: Registry;
  readonly storage: () => Promise<Db>;
  readonly turnStore: Pick<TurnStore, 'find' | 'add'>;
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

/**
 * Answers the open question of a turn, or carries out a decision about one of its proposals.
 *
 * @param answer `id`: of the question or proposal
 * @throws Problem `not_found`, `busy`, `invalid`, `changed`
 */
export async function answerTurn(
  options: AnswerOptions,
  userId: string,
  turnId: string,
  { id, choice }: { readonly id: string; readonly choice: string },
): Promise<Answered> {
  const { liveTurns, turnStore, registry, metrics } = options;
  const live = liveTurns.find(userId, turnId);
  const answered = { id, choice, version: null, continuation_expected: false };
  if (live?.answer(id, choice) === true) return answered;
  const turn = await turnStore.find(userId, turnId);
  if (turn === undefined) throw notFound('You have no such turn.');
  if (live?.isOver() === false)
    throw problem('busy', 'The assistant still works on the message. Decide when it has ended.');
  const proposal = proposalsOf(turn.events).open.find((each) => each.id === id);
  if (proposal === undefined) throw notFound('This question or proposal is not open any more.');
  if (!CHOICES.includes(choice as Choice)) throw problem('invalid', `choice: Send one of ${CHOICES.join(', ')}.`);
  const { flowId } = turn;
  const canvas = createFlowCanvas({ ...options, userId, flowId, turnId, message: 'an accepted proposal', key: id });
  const version = await decideProposal(canvas, registry, proposal, choice as Choice).catch(showRefusal);
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
