import type { AssistantEvent } from '@croft/assistant';
import type { Caller } from '../identity.ts';
import { problem } from '../routes/route.ts';
import { toProblem } from '../to-problem.ts';
import { type AgUiEvent, type AgUiRun, createAgUiEvents, usageOf } from './ag-ui-events.ts';
import { type AgUiInterrupt, interruptOfProposal, interruptOfQuestion } from './ag-ui-interrupts.ts';
import type { LiveTurn, LiveTurns } from './live-turns.ts';
import { proposalsOf } from './proposals.ts';
import { type AgUiDecision, resumeAgUi, type ResumeOptions } from './resume-ag-ui.ts';
import { startTurn, type StartTurnOptions } from './start-turn.ts';

export interface AgUiOptions extends StartTurnOptions, Omit<ResumeOptions, 'liveTurns' | 'turnStore'> {
  readonly liveTurns: Pick<LiveTurns, 'start' | 'find' | 'decide'>;
  readonly log: { error(about: object, text: string): void };
}

/** A run as an AG-UI client asks for it. */
export interface AgUiInput extends AgUiRun {
  readonly flowId: string;
  /** The newest message of the person. */
  readonly message: string | undefined;
  /** Decisions about the interrupts of the run before. */
  readonly resume: readonly AgUiDecision[];
  readonly provider: string | undefined;
  readonly modelName: string | undefined;
  /** Aborts when the client disconnects. The turn continues. */
  readonly left: AbortSignal;
}

const PROTOCOL_VERSION = '1.0';

/**
 * One run of an AG-UI thread: a message, or the decisions that resume it. A question and an open proposal end the run with an
 * interrupt; the turn of a question waits for the next run. A failure is the event RUN_ERROR. Never throws.
 */
export async function* runAgUi(options: AgUiOptions, caller: Caller, input: AgUiInput): AsyncGenerator<AgUiEvent> {
  const { threadId, runId } = input;
  yield { type: 'RUN_STARTED', threadId, runId, protocolVersion: PROTOCOL_VERSION };
  try {
    yield* work(options, caller, input);
  } catch (error) {
    const shown = toProblem(error);
    if (shown === undefined) options.log.error({ err: error, runId }, 'a run of an AG-UI client failed');
    yield {
      type: 'RUN_ERROR',
      message: shown?.message ?? 'The run failed. Send the message again.',
      code: shown?.code ?? 'internal',
    };
  }
}

async function* work(options: AgUiOptions, caller: Caller, input: AgUiInput): AsyncGenerator<AgUiEvent> {
  const resumed = input.resume.length > 0 ? await resumeAgUi(options, caller, input, input.resume) : input;
  if ('open' in resumed) {
    const interrupts = resumed.open.map((each) => interruptOfProposal(resumed.turnId, each));
    return yield finished(input, interrupts.length > 0 ? { type: 'interrupt', interrupts } : { type: 'success' });
  }
  if ('turn' in resumed) return yield* follow(options, input, resumed.turn, resumed.after);
  const { message } = resumed;
  if (message === undefined) throw problem('invalid', 'messages: The last message of the user has no text.');
  if (message.length > MAX_MESSAGE_CHARS)
    throw problem('invalid', `messages: The last message of the user has more than ${MAX_MESSAGE_CHARS} characters.`);
  const { flowId, threadId, provider, modelName } = input;
  const wanted = { flow_id: flowId, input_value: message, session_id: threadId, provider, model_name: modelName };
  const turn = await startTurn(options, caller, wanted);
  yield* follow(options, input, turn, turn.firstEventId);
}

const MAX_MESSAGE_CHARS = 20_000;

/** The events of a turn until it ends or asks. */
async function* follow(
  options: AgUiOptions,
  input: AgUiInput,
  turn: LiveTurn,
  after: string,
): AsyncGenerator<AgUiEvent> {
  const events = createAgUiEvents(input);
  for await (const event of eventsOf(turn, after, input.left)) {
    yield* events(event);
    if (event.event === 'question')
      return yield finished(input, { type: 'interrupt', interrupts: [interruptOfQuestion(turn.id, event)] });
    if (event.event !== 'complete' && event.event !== 'error' && event.event !== 'cancelled') continue;
    const { provider, model_name } = turn.summary();
    const usage = usageOf({ provider, model: model_name }, event.event === 'complete' ? event.data.usage : event.usage);
    if (event.event === 'error') return yield { type: 'RUN_ERROR', message: event.message, code: 'error', usage };
    if (event.event === 'cancelled')
      return yield { ...finished(input, { type: 'cancelled' }), result: { message: event.message }, usage };
    const { open } = proposalsOf((await options.turnStore.find(turn.userId, turn.id))?.events ?? []);
    const interrupts = open.map((each) => interruptOfProposal(turn.id, each));
    const outcome: Outcome = interrupts.length > 0 ? { type: 'interrupt', interrupts } : { type: 'success' };
    return yield { ...finished(input, outcome), result: event.data, usage };
  }
  if (input.left.aborted) return;
  const message = `The events were not read in time. Read them at /api/v1/agentic/turns/${turn.id}/events.`;
  yield { type: 'RUN_ERROR', message, code: 'slow' };
}

type Outcome =
  | { readonly type: 'success' | 'cancelled' }
  | { readonly type: 'interrupt'; readonly interrupts: readonly AgUiInterrupt[] };

const finished = ({ threadId, runId }: AgUiRun, outcome: Outcome): AgUiEvent => ({
  type: 'RUN_FINISHED',
  threadId,
  runId,
  outcome,
});

/** A reader with this many unread events is dropped. */
const MAX_WAITING_EVENTS = 10_000;

/** The events of a turn after an id, as they come. Ends with the turn, or when the reader is too slow. */
async function* eventsOf(turn: LiveTurn, after: string, left: AbortSignal): AsyncGenerator<AssistantEvent> {
  const waiting: string[] = [];
  let wake: () => void = () => undefined;
  let isOver = false;
  const end = () => {
    isOver = true;
    wake();
  };
  const forgetReader = turn.attend();
  const missed = turn.log.after(after);
  if (missed !== 'gone') waiting.push(...missed.map(({ data }) => data));
  const leave = turn.log.follow({
    take({ data }) {
      if (waiting.length >= MAX_WAITING_EVENTS) return false;
      waiting.push(data);
      wake();
      return true;
    },
    end,
  });
  void turn.ended.then(end);
  left.addEventListener('abort', end, { once: true });
  try {
    while (!left.aborted) {
      const data = waiting.shift();
      if (data !== undefined) yield JSON.parse(data) as AssistantEvent;
      else if (isOver) return;
      else await new Promise<void>((resolve) => (wake = resolve));
    }
  } finally {
    left.removeEventListener('abort', end);
    leave();
    forgetReader();
  }
}
