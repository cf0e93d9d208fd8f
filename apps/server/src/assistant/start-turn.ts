import { randomUUID } from 'node:crypto';
import { EDIT_CONTINUATION_INPUT, HISTORY, onlyProposed, PLAN_APPROVAL_INPUT, type Turn } from '@croft/assistant';
import { ModelError } from '@croft/models';
import { getFlow } from '../flows/get-flow.ts';
import type { Caller } from '../identity.ts';
import { notFound } from '../problem.ts';
import { problem } from '../routes/route.ts';
import type { Db } from '../store/database.ts';
import { cancelWithKey } from '../watch-access.ts';
import type { LiveTurn, LiveTurns } from './live-turns.ts';
import { modelOf } from './open-turn.ts';
import { proposalsOf } from './proposals.ts';
import type { StoredTurn, TurnStore } from './turn-store.ts';

/** A message as the routes get it. */
export interface Message {
  readonly flow_id: string;
  readonly input_value: string;
  readonly session_id?: string | undefined;
  readonly provider?: string | undefined;
  readonly model_name?: string | undefined;
  readonly skip_all?: boolean | undefined;
  readonly max_retries?: number | undefined;
  readonly history_limit?: number | undefined;
  readonly iterations_limit?: number | undefined;
  readonly token_limit?: number | undefined;
  /** No person follows the turn: questions get their default. Routes for people do not set it. */
  readonly headless?: boolean | undefined;
}

export interface StartTurnOptions {
  readonly storage: () => Promise<Db>;
  readonly liveTurns: Pick<LiveTurns, 'start'>;
  readonly turnStore: TurnStore;
}

/**
 * Starts a turn with the memory of its conversation. Proposals of the message before are dismissed, unless the message
 * continues them.
 *
 * @throws Problem `not_found`, `invalid`, `busy`
 */
export async function startTurn(options: StartTurnOptions, caller: Caller, body: Message): Promise<LiveTurn> {
  const { storage, liveTurns, turnStore } = options;
  const { userId } = caller;
  if ((await getFlow(await storage(), userId, body.flow_id)) === undefined) throw notFound('Flow not found.');
  requireModel(body);
  const sessionId = body.session_id ?? `agentic_${randomUUID().slice(0, 16)}`;
  const conversation = { userId, flowId: body.flow_id, sessionId };
  const latest = (await turnStore.turns(conversation)).at(-1);
  const history = await turnStore.memory(conversation, Math.min(body.history_limit ?? HISTORY.turns, HISTORY.turns));
  const turn = liveTurns.start({
    caller,
    flowId: body.flow_id,
    sessionId,
    message: body.input_value,
    provider: body.provider,
    modelName: body.model_name,
    skipAll: body.skip_all,
    retries: body.max_retries,
    steps: body.iterations_limit,
    tokens: body.token_limit,
    headless: body.headless,
    history,
    dismissesProposals:
      latest !== undefined && proposalsOf(latest.events).open.length > 0 && onlyProposed(latest.events),
    ...continuationOf(body.input_value, latest),
  });
  // A turn goes on without its reader, but not without the key that started it.
  if (caller.findAgain !== undefined) cancelWithKey({ outcome: turn.ended, cancel: turn.cancel }, caller.findAgain);
  try {
    await decideProposals(turnStore, latest, turn.continues);
  } catch (error) {
    // Its client gets no id of it.
    turn.cancel();
    throw error;
  }
  return turn;
}

async function decideProposals(
  turnStore: TurnStore,
  latest: StoredTurn | undefined,
  continues: LiveTurn['continues'],
): Promise<void> {
  if (latest === undefined) return;
  for (const { id, action } of proposalsOf(latest.events).open) {
    const choice = action === 'propose_plan' && continues === 'plan' ? 'approve' : 'dismiss';
    await turnStore.add(latest.id, { event: 'proposal_decided', id, choice });
  }
}

/** The protocol strings count only while a plan is open, or a step waits after accepted edits. */
function continuationOf(message: string, latest: StoredTurn | undefined): Pick<Turn, 'continues' | 'plan'> {
  if (latest === undefined) return {};
  const { open, isContinued } = proposalsOf(latest.events);
  const plan = open.find((each) => each.action === 'propose_plan')?.markdown;
  if (plan !== undefined) return { plan, ...(message.trim() === PLAN_APPROVAL_INPUT && { continues: 'plan' }) };
  return isContinued && message.trim() === EDIT_CONTINUATION_INPUT ? { continues: 'edits' } : {};
}

/** @throws Problem `invalid` where the request names a model that no provider has */
function requireModel({ provider, model_name }: Message): void {
  try {
    modelOf({ provider, modelName: model_name });
  } catch (error) {
    if (error instanceof ModelError) throw problem('invalid', `model_name: ${error.message} ${error.fix}`);
    throw error;
  }
}
