import type { AssistantEvent, FlowUpdate } from '@croft/assistant';

type FlowProposal = Extract<FlowUpdate, { action: 'set_flow' }>;
type FieldProposal = Extract<FlowUpdate, { action: 'edit_field' }>;
type PlanProposal = Extract<FlowUpdate, { action: 'propose_plan' }>;

/** A change that waits for the user. */
export type Proposal = FlowProposal | FieldProposal | PlanProposal;

/** The proposals of one turn. */
export interface Proposals {
  /** Those that wait for a decision. */
  readonly open: readonly Proposal[];
  /** Those that were dismissed, and not carried out since. */
  readonly dismissed: readonly Proposal[];
  /** Whether a step waits for decisions, all are made, and one was accepted. */
  readonly isContinued: boolean;
}

/** Reads the proposals of a turn from its events. */
export function proposalsOf(events: readonly AssistantEvent[]): Proposals {
  const waiting = new Map<string, Proposal>();
  const dismissed = new Map<string, Proposal>();
  let isDeferred = false;
  let accepted = 0;
  for (const event of events) {
    if (event.event === 'flow_update') {
      if (event.action === 'edit_field' || event.action === 'propose_plan') waiting.set(event.id, event);
      if (event.action === 'set_flow')
        if (event.auto_apply) waiting.delete(event.id);
        else waiting.set(event.id, event);
    }
    if (event.event === 'complete') isDeferred = event.data.continuation_expected;
    if (event.event !== 'proposal_decided') continue;
    const proposal = waiting.get(event.id);
    if (event.choice === 'dismiss' && proposal !== undefined) dismissed.set(event.id, proposal);
    else dismissed.delete(event.id);
    waiting.delete(event.id);
    if (event.version !== undefined) accepted++;
  }
  return {
    open: [...waiting.values()],
    dismissed: [...dismissed.values()],
    isContinued: isDeferred && waiting.size === 0 && accepted > 0,
  };
}
