import type { AssistantEvent, FlowUpdate } from '@croft/assistant';

export type FlowProposal = Extract<FlowUpdate, { action: 'set_flow' }>;
export type FieldProposal = Extract<FlowUpdate, { action: 'edit_field' }>;
export type PlanProposal = Extract<FlowUpdate, { action: 'propose_plan' }>;
export type Proposal = FlowProposal | FieldProposal | PlanProposal;

/** One message and what follows from it. */
export interface ChatTurn {
  /** Until the end of the turn. @throws UsageError where it cannot begin */
  readonly events: AsyncIterable<AssistantEvent>;
  /** Stops the turn at once. */
  cancel(): void;
  answer(questionId: string, choice: string): Promise<void>;
}

/** The role of a message: `plan` approves an open plan, `edits` continues after accepted edits. */
export type Continues = 'plan' | 'edits' | undefined;

/** The assistant of one flow: a file of this machine, or a flow of a server. */
export interface ChatBackend {
  /** The flow, for a person. */
  readonly about: string;
  /** The id of the flow of a server that this chat made. */
  readonly newFlow?: string | undefined;
  send(message: string, continues?: Continues): ChatTurn;
  /** Carries out a decision: `add`, `replace`, `accept` or `dismiss`. @throws an error with a message for a person */
  decide(proposal: Proposal, choice: string): Promise<void>;
  /** Whether plans and built flows are used without asking. */
  skipAll: boolean;
  /** Takes back the newest change of this chat. Gives what that did. @throws an error with a message for a person */
  undo(): Promise<string>;
  /** Forgets the messages so far. */
  newSession(): Promise<void>;
  /** Deletes a flow of a server that this chat made and that is still empty. Gives what that did. */
  close(): Promise<string | undefined>;
}

/** The proposals that a turn left open. A later one with the same id takes the place of an earlier one. */
export function openProposals(events: readonly AssistantEvent[]): Proposal[] {
  const open = new Map<string, Proposal>();
  for (const event of events) {
    if (event.event !== 'flow_update') continue;
    if (event.action === 'edit_field' || event.action === 'propose_plan') open.set(event.id, event);
    if (event.action === 'set_flow')
      if (event.auto_apply) open.delete(event.id);
      else open.set(event.id, event);
  }
  return [...open.values()];
}
