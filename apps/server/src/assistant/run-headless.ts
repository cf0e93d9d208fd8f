import type { AssistantEvent } from '@croft/assistant';
import { emptyFlow } from '@croft/flow';
import type { EventStreams } from '../events.ts';
import { sendFlowChange } from '../flows/announce-flow.ts';
import { createFlow } from '../flows/create-flow.ts';
import { deleteForGood } from '../flows/deleted-flows.ts';
import type { Caller } from '../identity.ts';
import type { LiveTurn } from './live-turns.ts';
import { type Message, startTurn, type StartTurnOptions } from './start-turn.ts';

export interface HeadlessOptions extends StartTurnOptions {
  readonly events: Pick<EventStreams, 'send'>;
}

/** An instruction to the assistant from a program: no person answers proposals. */
export interface HeadlessRequest
  extends Pick<Message, 'provider' | 'model_name' | 'session_id' | 'iterations_limit' | 'token_limit'> {
  readonly instruction: string;
  /** A new flow unless given. */
  readonly flow_id?: string | undefined;
}

/** Starts a turn that puts its changes on the canvas without asking. @throws Problem, as `startTurn` and `createFlow` */
export async function runHeadless(
  options: HeadlessOptions,
  caller: Caller,
  { instruction, flow_id, ...rest }: HeadlessRequest,
): Promise<{ turn: LiveTurn }> {
  const flowId = flow_id ?? (await newFlow(options, caller));
  const message = { ...rest, flow_id: flowId, input_value: instruction, skip_all: true, headless: true };
  try {
    return { turn: await startTurn(options, caller, message) };
  } catch (error) {
    // The refusal says more than a failure to clean up after it.
    if (flow_id === undefined) await dropFlow(options, caller, flowId).catch(() => undefined);
    throw error;
  }
}

async function newFlow({ storage, events }: HeadlessOptions, { userId }: Caller): Promise<string> {
  const { flow, notice } = await createFlow(await storage(), userId, emptyFlow());
  sendFlowChange(events, notice);
  return flow.id;
}

async function dropFlow({ storage, events }: HeadlessOptions, { userId }: Caller, flowId: string): Promise<void> {
  sendFlowChange(events, await deleteForGood(await storage(), userId, flowId));
}

/** The end of a turn for a program; `running` without one. */
export function shownEnd(end: AssistantEvent | undefined) {
  if (end?.event === 'complete') {
    const { result, status_line, outcome, left_out } = end.data;
    return { status: 'complete', result, status_line, outcome, left_out };
  }
  if (end?.event === 'error' || end?.event === 'cancelled')
    return { status: end.event, result: end.message, status_line: end.status_line };
  return { status: 'running' };
}

/** The last event of a turn with what a program needs next; other events as they are. */
export function headlessEnd(turn: LiveTurn, serverUrl: string, data: string): string {
  const event = JSON.parse(data) as AssistantEvent;
  if (event.event !== 'complete' && event.event !== 'error' && event.event !== 'cancelled') return data;
  const { flowId: flow_id, sessionId: session_id } = turn;
  const head = { flow_id, link: `${serverUrl}/flows/${flow_id}`, session_id, ...turn.summary() };
  return JSON.stringify(
    event.event === 'complete' ? { ...event, data: { ...event.data, ...head } } : { ...event, ...head },
  );
}
