import { EDIT_CONTINUATION_INPUT, PLAN_APPROVAL_INPUT } from '@croft/assistant';
import type { Caller } from '../identity.ts';
import { notFound } from '../problem.ts';
import { problem } from '../routes/route.ts';
import { requireFlow } from '../flows/get-flow.ts';
import { type AnswerOptions, answerInTurn } from './answer-turn.ts';
import { requireChoice, requirePossible } from './decide-proposal.ts';
import type { LiveTurn, LiveTurns } from './live-turns.ts';
import { type Proposal, proposalsOf } from './proposals.ts';
import { secretsOf } from './user-secrets.ts';

/** The decision about one interrupt, as an AG-UI client sends it. */
export interface AgUiDecision {
  readonly interruptId: string;
  readonly status: 'resolved' | 'cancelled';
  readonly payload?: unknown;
}

/** The conversation of a run: an interrupt of another one is not decided here. */
export interface AgUiThread {
  readonly flowId: string;
  readonly threadId: string;
}

/** The next step after the decisions of a run. */
export type Resumed =
  /** The turn that asked goes on. `after`: the id of the event before the first new one. */
  | { readonly turn: LiveTurn; readonly after: string }
  /** A message that continues the turn. */
  | { readonly message: string }
  /** Proposals of the turn that still wait for a decision. */
  | { readonly turnId: string; readonly open: readonly Proposal[] };

export interface ResumeOptions extends Omit<AnswerOptions, 'liveTurns'> {
  readonly liveTurns: Pick<LiveTurns, 'find' | 'decide'>;
}

/**
 * Carries out the decisions about the interrupts of a turn. Changes nothing unless each one names another open interrupt of this
 * thread, with a choice that it offers and that can be carried out on the flow. Of several requests at once, the first one decides.
 *
 * @throws Problem `not_found`, `invalid`, `changed`
 */
export async function resumeAgUi(
  options: ResumeOptions,
  { userId }: Caller,
  thread: AgUiThread,
  decisions: readonly AgUiDecision[],
): Promise<Resumed> {
  const [turnId = ''] = decisions[0]?.interruptId.split('/') ?? [];
  const wanted = decisions.map(({ interruptId, status, payload }) => {
    if (!interruptId.startsWith(`${turnId}/`)) throw notFound('Decide about the interrupts of one run at a time.');
    const choice = status === 'cancelled' ? undefined : choiceOf(payload);
    return { id: interruptId.slice(turnId.length + 1), choice };
  });
  if (new Set(wanted.map(({ id }) => id)).size < wanted.length)
    throw problem('invalid', 'resume: Decide once about each interrupt.');
  return options.liveTurns.decide(userId, turnId, () => decide(options, { userId, turnId, thread }, wanted));
}

/** Undefined as a choice: cancelled. */
interface WantedDecision {
  readonly id: string;
  readonly choice: string | undefined;
}

interface DecidedTurn {
  readonly userId: string;
  readonly turnId: string;
  readonly thread: AgUiThread;
}

async function decide(
  options: ResumeOptions,
  { userId, turnId, thread }: DecidedTurn,
  wanted: readonly WantedDecision[],
): Promise<Resumed> {
  const live = options.liveTurns.find(userId, turnId);
  const question = live?.openQuestion();
  if (live !== undefined && question !== undefined && isOf(thread, live)) {
    const [answer, ...others] = wanted;
    if (answer?.id !== question || others.length > 0) throw notFound(NOT_OPEN);
    const after = live.log.lastId;
    if (answer.choice === undefined) live.cancel();
    else await answerInTurn(options, userId, turnId, { id: question, choice: answer.choice });
    return { turn: live, after };
  }
  const readOpen = async () => {
    const turn = await options.turnStore.find(userId, turnId);
    return turn === undefined || !isOf(thread, turn) ? [] : proposalsOf(turn.events).open;
  };
  const open = await readOpen();
  const chosen = wanted.map(({ id, choice = 'dismiss' }) => {
    const proposal = open.find((each) => each.id === id);
    if (proposal === undefined) throw notFound(NOT_OPEN);
    return { proposal, choice };
  });
  const isApproval = ({ proposal, choice }: (typeof chosen)[number]) =>
    proposal.action === 'propose_plan' && choice === 'approve';
  const others = chosen.filter((each) => !isApproval(each));
  const { document } = await requireFlow(await options.storage(), userId, thread.flowId);
  const known = { registry: options.registry, secrets: await secretsOf(options.variables, userId) };
  for (const { proposal, choice } of others) {
    requireChoice(proposal, choice);
    requirePossible(document, known, proposal, choice);
  }
  let isContinued = false;
  for (const { proposal, choice } of others)
    isContinued = (await answerInTurn(options, userId, turnId, { id: proposal.id, choice })).continuation_expected;
  if (chosen.some(isApproval)) return { message: PLAN_APPROVAL_INPUT };
  return isContinued ? { message: EDIT_CONTINUATION_INPUT } : { turnId, open: await readOpen() };
}

const NOT_OPEN = 'This interrupt is not open in this thread any more.';

const isOf = ({ flowId, threadId }: AgUiThread, turn: { readonly flowId: string; readonly sessionId: string }) =>
  turn.flowId === flowId && turn.sessionId === threadId;

/** @throws Problem `invalid` */
function choiceOf(payload: unknown): string {
  const choice = typeof payload === 'object' && payload !== null ? (payload as { choice?: unknown }).choice : payload;
  if (typeof choice !== 'string' || choice === '' || choice.length > MAX_CHOICE_CHARS)
    throw problem('invalid', `resume: payload needs a choice of at most ${MAX_CHOICE_CHARS} characters.`);
  return choice;
}

const MAX_CHOICE_CHARS = 2_000;
